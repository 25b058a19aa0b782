// A real machine as the console meets it: its own scripts under its own systemd, with the figures of the real Docker and
// LiveKit, at the shipped servers Worker. In the order in which a machine's life has it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { startCall } from "./call.ts";
import { consoleUrl, startConsole } from "./console.ts";
import { keyOf, type Running, startMachine } from "./running.ts";
import { outcomeOf } from "./world/commands.ts";
import { address } from "./world/network.ts";

let console: Awaited<ReturnType<typeof startConsole>>;
let running: Running;
const tokens: string[] = [];

const done = (command: string, input?: string) => running.machine.done(command, input);
/** A report now: the timer's own would come within a minute. */
async function report() {
  await done("systemctl start livekit-report.service");
  const [newest] = await console.servers();
  return newest;
}
async function newToken(): Promise<string> {
  const token = await console.newToken();
  tokens.push(token);
  return token;
}

/** The part of a token or a key that nobody else may know. */
function secretOf(credential: string): string {
  const [, secret] = /_([A-Za-z0-9]{43})_[0-9a-f]{16}$/.exec(credential.trim()) ?? [];
  if (!secret) throw new Error("This is no credential.");
  return secret;
}

beforeAll(async () => {
  console = await startConsole();
  const token = await newToken();
  running = await startMachine(
    {},
    {
      answers: { backups: { frequency: "daily" } },
      connection: { url: consoleUrl, token },
    },
  );
  await console.answerIn(running.world);
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await console?.[Symbol.asyncDispose]();
});

test("a machine introduces itself in its first boot, and reports each stage of it", async () => {
  await running.machine.firstBoot();
  // The doctor's answer is the last stage.
  await pollUntil(
    () => running.machine.run("cat /opt/livekit/state/health"),
    ({ status }) => status === 0,
    60_000,
  );
  const server = await report();
  expect(server?.stages.map(({ code }) => code)).toEqual([
    "connected",
    "secrets",
    "packages",
    "tools",
    "images",
    "services",
    "ready",
  ]);
  expect(await done("ls /opt/livekit")).not.toContain("enrolment-token");
  expect(console.requests.filter(({ status }) => status !== 200)).toEqual([]);
});

test("the console shows the machine's services, versions, address and certificates, and what its doctor says", async () => {
  const server = await report();
  // The clock is the host's: nothing on the machine keeps it.
  expect(server).toMatchObject({
    name: (await done("uname -n")).trim(),
    state: { code: "degraded", finding: "clock.unsynchronized" },
    addresses: [{ family: 4, address: address.machine.public }],
    rooms: 0,
    participants: 0,
  });
  const services = server?.services.map(({ name, image, state, health }) => [
    ...[name, image, state, health],
  ]);
  const image = (component: keyof typeof pinned) =>
    `${pinned[component].image}:${pinned[component].tag}`;
  expect(services?.toSorted()).toEqual([
    ["caddy", image("caddy"), "running", "healthy"],
    ["livekit", image("livekit"), "running", "healthy"],
    ["redis", image("redis"), "running", "healthy"],
  ]);
  const names = server?.certificates.map(({ name }) => name).toSorted();
  expect(names).toEqual(["livekit.example.com", "turn.livekit.example.com"]);
  for (const { ends } of server?.certificates ?? []) expect(ends).toBeGreaterThan(Date.now());
});

test("people in a call are counted, and no longer when they have left", async () => {
  const key = await keyOf(running.machine);
  await using held = await startCall(running.world, key);
  expect(await report()).toMatchObject({ rooms: 1, participants: 2 });
  await held.end();
  await pollUntil(
    () => done("curl -fsS http://127.0.0.1:6789/metrics"),
    (metrics) => /^livekit_participant_total\{.*\} 0$/m.test(metrics),
  );
  expect(await report()).toMatchObject({ participants: 0 });
});

test("LiveKit's figures are read on the machine alone", async () => {
  expect(await done("curl -fsS http://127.0.0.1:6789/metrics")).toContain(
    "livekit_participant_total",
  );
  const { network } = running.world;
  const { status } = await outcomeOf([
    ...[...network.at("client"), "curl", "-s", "--max-time", "3"],
    `http://${address.machine.public}:6789/metrics`,
  ]);
  expect(status).not.toBe(0);
  expect(await done("ss -Hltn sport = :6789")).not.toMatch(/(\*|0\.0\.0\.0|\[::\]):6789/);
});

test("the timer reports by itself, and a report that is late is no other server", async () => {
  const before = console.requests.length;
  await pollUntil(
    async () => console.requests.length,
    (count) => count > before,
    70_000,
  );
  expect(console.requests.slice(before)).toEqual([{ path: "/v1/report", status: 200 }]);
  expect(await console.servers()).toHaveLength(1);
});

test("a report that is refused is no failure of its unit, which systemd would count and alert of", async () => {
  const key = "/opt/livekit/server.key";
  await done(`cp -a ${key} /run/kept-key && sed -i 's/.$/z/' ${key}`);
  await done("systemctl start livekit-report.service");
  expect(console.requests.at(-1)).toEqual({ path: "/v1/report", status: 401 });
  expect(await done("systemctl is-failed livekit-report.service; true")).toBe("inactive\n");
  expect(await done("journalctl --no-pager -u livekit-report")).toContain("Not reported.");
  await done(`mv /run/kept-key ${key} && rm /run/livekit-console/not-before`);
  await report();
  expect(console.requests.at(-1)).toEqual({ path: "/v1/report", status: 200 });
});

test("while a machine connects by a typed token neither it nor the key is in a list of processes, and in no log", async () => {
  const first = await done("cat /opt/livekit/server.key");
  expect(await done("livekit-deploy disconnect")).toContain("Disconnected");
  expect(await console.servers()).toMatchObject([{ state: { code: "retired" } }]);
  expect(await done("livekit-deploy connect", "lkd_e_1\n").catch(String)).toContain(
    "Not connected",
  );
  let processes = "";
  console.during(async () => {
    processes += await done(
      "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' ' '; true",
    );
  });
  const token = await newToken();
  expect(await done("livekit-deploy connect", `${token}\n`)).toContain("Connected.");
  await report();
  console.during(async () => {});
  expect(await console.servers()).toMatchObject([
    { state: { code: "degraded" } },
    { state: { code: "retired" } },
  ]);
  expect(processes).toContain("console.sh connect");
  expect(processes).toContain("console.sh report");
  const second = await done("cat /opt/livekit/server.key");
  const journal = await done("journalctl --no-pager; cat /var/log/*.log 2>/dev/null; true");
  expect(journal).toContain("livekit-report.service");
  const logs = console.logs();
  for (const credential of [...tokens, first, second])
    for (const text of [processes, journal, logs]) expect(text).not.toContain(secretOf(credential));
});

test("a reboot is reported before the network goes, and buys the time for it", async () => {
  const before = console.requests.length;
  await running.machine.run("systemctl reboot");
  await pollUntil(
    () => console.requests.length,
    (count) => count > before,
    60_000,
  );
  expect(console.requests.slice(before)).toEqual([{ path: "/v1/report", status: 200 }]);
  // A quarter of an hour for the reboot, and as much for calls that may be waited for before it.
  await console.moveClock(29 * 60_000);
  expect(await console.servers()).toMatchObject([{ state: { code: "degraded" } }, {}]);
  await console.moveClock(60_000);
  expect(await console.servers()).toMatchObject([{ state: { code: "down" } }, {}]);
});
