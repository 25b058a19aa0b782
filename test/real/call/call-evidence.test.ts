// What a customer's app says of its calls: the script for apps in a real Chromium, in a call on a real LiveKit server,
// through a real Caddy with the configuration of a bundle, and read by the machine's own program.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { fakeMicrophone } from "../../support/deployments/call-server.ts";
import { appScript } from "./app-script.ts";
import { joinToken } from "./join-token.ts";
import { machineFolders } from "./machine-folders.ts";
import { domain, type ServerNetwork, startServerNetwork, turnName } from "./server-network.ts";

/** A customer's app: it joins, says what happened, and leaves when it is told to. */
const app = `
import { Room } from "livekit-client";
import { callEvidence } from ${JSON.stringify(resolve("packages/call-evidence/call-evidence.ts"))};
window.join = async (token) => {
  const room = new Room();
  const url = "https://${turnName}/call-evidence";
  const evidence = callEvidence(room, { url, token, sdk: "js 2.23.0" });
  window.leave = () => room.disconnect();
  try {
    await room.connect("wss://${domain}", token, { maxRetries: 0 });
    await room.localParticipant.setMicrophoneEnabled(true);
    return "joined";
  } catch (error) {
    evidence.failed(error);
    return "failed";
  }
};`;

let script = "";
beforeAll(async () => {
  script = await appScript(app);
});

/** The lines about calls that the machine's report would have now. */
const calls = (machine: ReturnType<typeof machineFolders>) =>
  machine.reported().filter((fields) => fields[3] === "call_evidence");

async function customersApp() {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/app.js";
    const type = isScript ? "text/javascript" : "text/html";
    const page = '<!doctype html><script type="module" src="/app.js"></script>';
    response.writeHead(200, { "content-type": type }).end(isScript ? script : page);
  }).listen(0, "localhost");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Fault = Pick<ServerNetwork, "firewall" | "turn"> & {
  name: string;
  /** For how long the token is good from now on. */
  seconds: number;
  outcome: "joined" | "failed";
  says: readonly string[];
};

const faults: readonly Fault[] = [
  {
    name: "only port 443 is open",
    firewall: "only-443",
    turn: true,
    seconds: 600,
    outcome: "joined",
    says: ["state=connected", "path=relay_tls"],
  },
  {
    name: "everything is open",
    firewall: "open",
    turn: true,
    seconds: 600,
    outcome: "joined",
    says: ["state=connected", "path=udp"],
  },
  {
    name: "no media gets through",
    firewall: "only-443",
    turn: false,
    seconds: 600,
    outcome: "failed",
    says: ["state=failed", "failure=media"],
  },
  {
    name: "the token has ended",
    firewall: "open",
    turn: true,
    seconds: -3_600,
    outcome: "failed",
    says: ["state=failed", "failure=token"],
  },
];

test.each(faults)("where $name the machine reports so of alice, and no name", async (fault) => {
  const { firewall, turn, seconds, outcome, says } = fault;
  using machine = machineFolders();
  const { front } = machine;
  await using server = await startServerNetwork({ firewall, turn, goodCertificate: true, front });
  await using site = await customersApp();
  await using person = await openPage({
    flags: [...server.flags, ...fakeMicrophone],
    checksCertificates: true,
  });
  const { page } = person;
  for (const problem of ["wss://media.example.com", "Failed to load resource"]) {
    person.allowProblem(problem);
  }
  await page.goto(site.url);
  await page.waitForFunction(() => Reflect.has(window, "join"));
  const joined = await page.evaluate(
    (token) => (Reflect.get(window, "join") as (token: string) => Promise<string>)(token),
    joinToken({ identity: "alice", room: "meeting", seconds }),
  );
  expect(joined).toBe(outcome);
  await expect.poll(() => calls(machine).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [first] = calls(machine);
  for (const word of says) expect(first).toContain(word);
  expect(first?.join(" ")).toMatch(/ browser=chrome\/\d+ client=js\/2_23_0 network=[0-9a-f]{12}/);
  expect(first?.join(" ")).not.toMatch(/alice|meeting|203\.0\.113/);
  if (outcome === "failed") return;
  expect(first?.join(" ")).toMatch(/ loss=\d+ sent=\d+ trip=\d+/);
  expect(first?.[6]).toMatch(/^PA_/);
  await page.evaluate(() => (Reflect.get(window, "leave") as () => Promise<void>)());
  await expect.poll(() => calls(machine).at(-1), { timeout: 60_000 }).toContain("state=ended");
  expect(calls(machine).at(-1)?.join(" ")).not.toContain("failure=");
});
