import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { layoutFindings } from "~/features/servers/state/connected-findings.ts";
import { token, well } from "../../../support/deployments/console-machine.ts";
import { startConsole } from "../../../support/deployments/console-server.ts";
import { layoutMachine } from "../../../support/servers/layouts/layout-machine.ts";
import { startProgram } from "../world/program.ts";

const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);
const secret = "Jx9fQm2bT7wLkR4vYp8sZc3nHd6gUa1eXo5iMt0q";

/** The IPv4 addresses of this machine beside its loopback. */
const publicAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .flatMap(({ internal, family, address }) => (!internal && family === "IPv4" ? [address] : []));

const configurationAt = (at: number) => `port: ${at}
bind_addresses:
  - 127.0.0.1
rtc:
  tcp_port: ${at + 1}
  port_range_start: ${at + 2}
  port_range_end: ${at + 8}
  use_external_ip: false
  node_ip: 127.0.0.1
prometheus:
  port: ${at + 9}
keys:
  APIreal: ${secret}
`;

/** A machine on which the real LiveKit runs as a unit. */
function unitMachine(at: number) {
  const program = join(process.env.MEDIA_PROGRAMS ?? "", "livekit-server");
  const machine = layoutMachine({
    files: {
      "etc/livekit/livekit.yaml": { content: configurationAt(at), mode: 0o600 },
      "etc/systemd/system/livekit.service": `[Service]
ExecStart=/usr/local/bin/livekit-server --config /etc/livekit/livekit.yaml
[Install]
WantedBy=multi-user.target
`,
      "usr/local/bin/livekit-server": {
        content: `#!/bin/sh\nexec ${program} "$@"\n`,
        mode: 0o755,
      },
    },
    units: ["livekit.service"],
  });
  const start = () =>
    startProgram(
      [program, "--config", machine.path("etc/livekit/livekit.yaml")],
      /starting LiveKit server/,
    );
  return { machine, start, program };
}

test("a real LiveKit by systemd is connected as it is: its version, its answer and its metrics are read, and it runs on untouched when the script is gone", async () => {
  const at = portBase + 40;
  const { machine, start, program } = unitMachine(at);
  using _machine = machine;
  await using server = await start();
  // LiveKit opens its metrics at bind_addresses too: on the machine alone, as the page says of a unit behind a proxy.
  expect(await (await fetch(`http://127.0.0.1:${at + 9}/metrics`)).text()).toContain("livekit_");
  for (const address of publicAddresses())
    await expect(fetch(`http://${address}:${at + 9}/metrics`), address).rejects.toThrow();
  await using console = await startConsole(well);
  const before = machine.tree();
  for (const shell of ["dash", "busybox sh"] as const) {
    const connected = await machine.run(shell, [console.url], { input: `${token}\n` });
    expect(connected).toMatchObject({ status: 0 });
    const read = parseReport(console.requests.at(-1)?.body ?? "");
    if (!read.ok) throw new Error(`Line ${read.line} cannot be read.`);
    const { report } = read;
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const [version] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? [];
    expect(report.releases).toEqual([{ name: "livekit", version: `v${version}` }]);
    expect(report.layout?.facts.answers).toBe("yes");
    expect(report.node?.id).toMatch(/^ND_/);
    expect(report.metrics).toMatchObject({ rooms: 0, participants: 0 });
    const found = layoutFindings(report, report.at).map(({ code }) => code);
    expect(found.filter((code) => !code.startsWith("connected.disk"))).toEqual([
      "connected.start.manual",
      "connected.turn.off",
    ]);
    const removed = await machine.run(shell, ["remove"], { installed: true });
    expect(removed).toMatchObject({ status: 0 });
    expect(machine.tree()).toEqual(before);
    expect(await (await fetch(`http://127.0.0.1:${at}/`)).text()).toBe("OK");
    expect(console.requests.map(({ body }) => body).join()).not.toContain(secret);
  }
  expect(server.lines.join("\n")).not.toContain("shutting down");
});

test("the events that a real LiveKit signs and posts are in the report, by the lines that the program for sessions prints", async () => {
  const at = portBase + 60;
  const { machine, start } = unitMachine(at);
  using _machine = machine;
  await using console = await startConsole(well);
  await machine.run("dash", [console.url], { input: `${token}\n` });
  const { output } = await machine.runSessions(["install"], { input: "yes\n" });
  const [lines = ""] = /^webhook:\n[\s\S]*$/m.exec(output) ?? [];
  machine.write(
    "etc/livekit/livekit.yaml",
    configurationAt(at) + lines.replace(/YOUR-API-KEY.*/, "APIreal"),
    0o600,
  );
  const receiver = machine.startSessions();
  await using _server = await start();
  const made = await fetch(`http://127.0.0.1:${at}/twirp/livekit.RoomService/CreateRoom`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${signedToken({ video: { roomCreate: true } })}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "a-room-that-nobody-shall-know" }),
  });
  expect([made.status, await made.text()]).toEqual([200, expect.stringContaining("RM_")]);
  await expect
    .poll(async () => {
      await machine.run("dash", ["report"], { installed: true });
      return console.requests.at(-1)?.body;
    })
    .toMatch(/^event\t1\t\d{13}\troom_started\tRM_\w+\t[0-9a-f]{12}\t/m);
  const read = parseReport(console.requests.at(-1)?.body ?? "");
  expect(read).toMatchObject({ ok: true, events: { through: 1, lost: 0, unverified: 0 } });
  expect(read.ok && read.report.layout?.facts.sessions).toBe("yes");
  expect(console.requests.map(({ body }) => body).join()).not.toContain("nobody-shall-know");
  receiver.kill();
  await once(receiver, "close");
});

function signedToken(grants: object): string {
  const claims = { iss: "APIreal", exp: Math.floor(Date.now() / 1_000) + 600, ...grants };
  const text = [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
