import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { runningMachine } from "../fixtures/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const everything = {
  monitoring: "24/7",
  alertUrl: "https://alerts.example.com/hook",
  backups: { frequency: "daily" },
};

test("the doctor finds nothing wrong with a machine that works", () => {
  using server = runningMachine(everything);
  const { status, said } = server.run("doctor");
  expect(said).not.toMatch(/^(WARN|FAIL)/m);
  expect(said).toMatch(/^ok +DNS turn\.livekit\.example\.com +203\.0\.113\.5$/m);
  expect(said).toMatch(/^ok +certificate livekit\.example\.com +60 days left$/m);
  expect(said).toMatch(/^ok +TURN over TLS/m);
  expect(said).toMatch(/^ok +TURN over UDP/m);
  expect(said).toContain("All well.");
  expect(status).toBe(0);
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, said: "" });
});

const faults: [what: string, set: string, content: string, status: 1 | 2, row: RegExp][] = [
  [
    "a name without an address",
    "address-turn.livekit.example.com",
    "",
    2,
    /FAIL +DNS turn.*no address/,
  ],
  [
    "a name that points elsewhere",
    "address-livekit.example.com",
    "198.51.100.1 STREAM\n",
    2,
    /FAIL +DNS livekit.*not to 203\.0\.113\.5/,
  ],
  [
    "a port without a listener",
    "listening-tcp",
    "LISTEN 0 0 *:443 *:*\n",
    2,
    /FAIL +port 7881\/tcp +nobody listens/,
  ],
  ["UDP without a listener", "listening-udp", "", 2, /FAIL +port 3478\/udp +nobody listens/],
  [
    "a firewall that is not loaded",
    "no-firewall",
    "",
    2,
    /FAIL +firewall.*\n.*reload-or-restart livekit-firewall/,
  ],
  [
    "a certificate that was not issued",
    "no-certificate-livekit.example.com",
    "",
    2,
    /FAIL +certificate livekit/,
  ],
  [
    "TURN without a certificate",
    "no-certificate-turn.livekit.example.com",
    "",
    2,
    /FAIL +TURN over TLS/,
  ],
  [
    "a certificate that should have been renewed",
    "certificate-days",
    "10",
    1,
    /WARN +certificate.*10 days left/,
  ],
  ["a certificate that runs out", "certificate-days", "1", 2, /FAIL +certificate.*1 days left/],
  [
    "an unhealthy container",
    "condition-redis",
    "running unhealthy",
    2,
    /FAIL +service redis +running unhealthy/,
  ],
  [
    "a container that starts",
    "condition-livekit",
    "running starting",
    1,
    /WARN +service livekit +starting/,
  ],
  ["LiveKit that does not answer", "livekit-silent", "", 2, /FAIL +LiveKit answers +no/],
  ["TURN/UDP that does not answer", "no-stun", "", 2, /FAIL +TURN over UDP/],
  ["a disk that fills", "disk-used", "90", 1, /WARN +disk +90 % used/],
  ["a full disk", "disk-used", "97", 2, /FAIL +disk +97 % used/],
  ["a clock that nobody sets", "no-time", "", 1, /WARN +clock/],
  [
    "an alert of Prometheus",
    "firing",
    '{"data":{"result":[{"metric":{"alertname":"DiskFull"}}]}}',
    2,
    /FAIL +alerts +DiskFull/,
  ],
  ["a silent Prometheus", "prometheus-silent", "", 1, /WARN +alerts/],
];

test("the doctor tells of every fault, the next step, and how bad it is by its exit status", () => {
  using server = runningMachine(everything);
  for (const [what, set, content, expected, row] of faults) {
    const before = server.isSet(set) ? server.told(set) : undefined;
    server.set(set, content);
    const { status, said } = server.run("doctor", ["--quiet"]);
    expect(said, what).toMatch(row);
    expect(said, what).toMatch(/^ +next: \S/m);
    expect(status, what).toBe(expected);
    if (before === undefined) server.unset(set);
    else server.set(set, before);
  }
});

test("the doctor tells of readable secrets, interrupted work, late backups and Redis beyond the machine", () => {
  using server = runningMachine(everything);
  spawnSync("chmod", ["644", server.path("opt/livekit/secrets.env")]);
  expect(server.run("doctor").said).toMatch(/FAIL +secrets\.env +others may read it/);
  spawnSync("chmod", ["600", server.path("opt/livekit/secrets.env")]);
  server.write("opt/livekit/state/updating", "");
  expect(server.run("doctor")).toMatchObject({ status: 1 });
  spawnSync("rm", [server.path("opt/livekit/state/updating")]);
  spawnSync("touch", ["-d", "-4 days", server.path("opt/livekit/state/first-boot-done")]);
  expect(server.run("doctor").said).toMatch(/WARN +backup +none in the last 2 days/);
  server.run("backup");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  server.add("listening-tcp", "LISTEN 0 511 0.0.0.0:6379 0.0.0.0:*\n");
  expect(server.run("doctor").said).toMatch(/WARN +port 6379\/tcp +listens beyond/);
});

test("behind an existing proxy the doctor asks Caddy's own ports", () => {
  using server = runningMachine({ proxy: "existing" });
  expect(server.run("doctor").said).toMatch(/FAIL +port 8443\/tcp/);
  server.add("listening-tcp", "L 0 0 127.0.0.1:8443 *:*\n");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  expect(server.calls()).toContain("-connect 127.0.0.1:8443");
});

test("the doctor's binding request is one that a STUN server understands", async () => {
  using server = runningMachine();
  const stun = createSocket("udp4");
  stun.bind(0, "127.0.0.1");
  await once(stun, "listening");
  const asked = once(stun, "message");
  stun.on("message", (_, from) => stun.send(Buffer.from([1, 1, 0, 0]), from.port, from.address));
  server.command("timeout", 'exec /usr/bin/timeout "$@"');
  const child = server.start("doctor", [], { TURN_UDP_PORT: String(stun.address().port) });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  child.stderr.resume();
  const [message] = await Promise.race([asked, once(child, "close").then(() => [undefined])]);
  await once(child, "close").catch(() => undefined);
  stun.close();
  expect(message).toEqual(
    Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), Buffer.from("livekitdoctr")]),
  );
  expect(said).toMatch(/ok +TURN over UDP/);
});

test("health tells the alert address only when the state changes, and again when it did not get through", () => {
  using server = runningMachine(everything);
  expect(server.run("health").status).toBe(0);
  expect(server.isSet("alerts")).toBe(false);
  server.set("disk-used", "97");
  server.set("alert-fails");
  expect(server.run("health")).toMatchObject({ status: 1 });
  server.unset("alert-fails");
  expect(server.run("health").status).toBe(0);
  expect(server.run("health").status).toBe(0);
  server.unset("disk-used");
  server.run("health");
  const alerts = server
    .told("alerts")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(alerts).toMatchObject([
    { deployment: "livekit.example.com", state: "failure", before: "ok" },
    { state: "failure", before: "ok" },
    { state: "ok", before: "failure" },
  ]);
  expect(alerts[1].report).toContain("97 % used\n");
});
