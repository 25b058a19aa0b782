import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { type Machine, runningMachine } from "../support/deployments/machine.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const everything = {
  monitoring: "24/7",
  alertUrl: "https://alerts.example.com/hook",
  backups: { frequency: "daily" },
};

/** The alerts of this machine that reached its alert address, in their order. */
function alertsOf(server: Machine) {
  return server
    .controlContent("alerts")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("the doctor finds nothing wrong with a machine that works", () => {
  using server = runningMachine(everything);
  const { status, output } = server.run("doctor");
  expect(output).not.toMatch(/^(WARN|FAIL)/m);
  expect(output).toMatch(/^ok +DNS turn\.livekit\.example\.com, A +203\.0\.113\.5$/m);
  expect(output).toMatch(/^ok +certificate livekit\.example\.com +60 days left$/m);
  expect(output).toMatch(/^ok +TURN over TLS +relay at 203\.0\.113\.5/m);
  expect(output).toMatch(/^ok +TURN over UDP +relay at 203\.0\.113\.5/m);
  expect(output).toMatch(/^ok +TURN hairpin +203\.0\.113\.5/m);
  expect(output).toContain("All well.");
  expect(status).toBe(0);
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
});

test("a clock that is wrong is known by the time of others", () => {
  using server = runningMachine();
  const theirTime = (seconds: number) =>
    `HTTP/2 200\r\ndate: ${new Date(Date.now() + 1000 * seconds).toUTCString()}\r\n`;
  server.set("no-time");
  server.set("their-time", theirTime(3600));
  const wrong = server.run("doctor", ["--report"]);
  expect(wrong.output).toMatch(
    /^clock\.wrong\tcritical\tubuntu-24\.04\t-\d+ seconds from the time/,
  );
  expect(wrong.status).toBe(2);
  server.set("their-time", theirTime(0));
  expect(server.run("doctor", ["--report"]).output).toMatch(/^clock\.unsynchronized\twarning\t/);
  // Who sets the clock already is not compared with anybody.
  server.unset("no-time");
  server.set("their-time", theirTime(3600));
  server.forget();
  expect(server.run("doctor", ["--report"])).toEqual({ status: 0, output: "" });
  expect(server.calls()).not.toContain("letsencrypt");
});

test("the doctor reports readable secrets, interrupted work, late backups and Redis beyond the machine", () => {
  using server = runningMachine(everything);
  spawnSync("chmod", ["644", server.path("opt/livekit/secrets.env")]);
  expect(server.run("doctor").output).toMatch(/FAIL +secrets\.env +others may read it/);
  spawnSync("chmod", ["600", server.path("opt/livekit/secrets.env")]);
  server.write("opt/livekit/state/updating", "");
  expect(server.run("doctor")).toMatchObject({ status: 1 });
  spawnSync("rm", [server.path("opt/livekit/state/updating")]);
  spawnSync("touch", ["-d", "-4 days", server.path("opt/livekit/state/first-boot-done")]);
  expect(server.run("doctor").output).toMatch(/WARN +backup +none in the last 2 days/);
  server.run("backup");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  server.add("listening-tcp", "LISTEN 0 511 0.0.0.0:6379 0.0.0.0:*\n");
  expect(server.run("doctor").output).toMatch(/WARN +port 6379\/tcp +listens beyond/);
});

test("with IPv6 the doctor looks whether each name leads here by it too", () => {
  using server = runningMachine({ addresses: "dual" });
  expect(server.run("doctor").output).toMatch(
    /^ok +DNS livekit\.example\.com, AAAA +2001:db8::5$/m,
  );
  server.set("address6-livekit.example.com", "2001:db8::6 STREAM\n");
  // glibc prints IPv4 addresses in this form where there is no AAAA record.
  server.set("address6-turn.livekit.example.com", "::ffff:203.0.113.5 STREAM\n");
  expect(server.run("doctor", ["--report"])).toEqual({
    status: 1,
    output: `dns.ipv6\twarning\tlivekit.example.com\t2001:db8::6\tAAAA 2001:db8::5
dns.ipv6\twarning\tturn.livekit.example.com\tno address\tAAAA 2001:db8::5
`,
  });
});

test("with IPv6 alone no name needs an IPv4 address, and TURN is asked at ::1", () => {
  using server = runningMachine({ provider: "hetzner", addresses: "ipv6" });
  server.write("opt/livekit/state/address.env", "NODE_IP=2001:db8::5\n");
  for (const name of ["livekit", "turn.livekit"]) server.set(`address-${name}.example.com`);
  expect(server.run("doctor", ["--report"])).toEqual({ status: 0, output: "" });
  expect(server.calls()).toContain("turn-check.py udp=::1:3478 tls=127.0.0.1:443=");
  server.set("address6-livekit.example.com");
  server.set("address6-turn.livekit.example.com", "2001:db8::6 STREAM\n");
  expect(
    server.run("doctor", ["--report"]).output,
  ).toBe(`dns.missing\tcritical\tlivekit.example.com\tno address\tAAAA 2001:db8::5
dns.wrong\tcritical\tturn.livekit.example.com\tpoints to 2001:db8::6, not to 2001:db8::5\tAAAA 2001:db8::5
`);
});

test("an address that no metadata names is known from TURN, and reported as unknown without it", () => {
  using server = runningMachine();
  server.write("opt/livekit/state/address.env", "");
  expect(server.run("doctor", ["--report"])).toEqual({ status: 0, output: "" });
  server.set("turn-udp", "udp silent no answer\n");
  server.set("turn-tls", "tls silent no answer\n");
  server.set("turn-more");
  expect(server.run("doctor", ["--report"]).output).toMatch(
    /^address\.unknown\twarning\tlivekit\.example\.com\tnobody told it\t$/m,
  );
});

testInProof("behind an existing proxy the doctor asks Caddy's own ports", () => {
  using server = runningMachine({ proxy: "existing" });
  expect(server.run("doctor").output).toMatch(/FAIL +port 8443\/tcp/);
  server.add("listening-tcp", "L 0 0 127.0.0.1:8443 *:*\n");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  expect(server.calls()).toContain("-connect 127.0.0.1:8443");
});

testInProof("without python3 or its secrets the doctor says that TURN was not looked at", () => {
  using server = runningMachine();
  server.command("python3", "exit 127");
  expect(server.run("doctor", ["--report"]).output).toMatch(/^turn\.unchecked\twarning\t/);
  spawnSync("rm", [server.path("opt/livekit/secrets.env")]);
  expect(server.run("doctor", ["--report"])).toEqual({
    status: 2,
    output: "secrets.missing\tcritical\tsecrets.env\tmissing\t\n",
  });
});

test("a doctor that cannot finish says so by its status, and leaves no earlier report behind", () => {
  using server = runningMachine();
  server.write("opt/livekit/state/kept", "earlier\n");
  server.command("df", "exit 1");
  server.command("awk", "exit 1");
  expect(server.run("doctor", ["--quiet", "--keep", "state/kept"])).toMatchObject({ status: 2 });
  expect(server.has("opt/livekit/state/kept")).toBe(false);
  for (const wrong of [["--loud"], ["--keep"], ["--quiet", "--keep"]])
    expect(server.run("doctor", wrong), wrong.join(" ")).toEqual({
      status: 64,
      output: "Usage: doctor [--quiet | --report] [--keep FILE]\n",
    });
});

test("health sends an alert only when the state changes, and again when it did not get through", () => {
  using server = runningMachine(everything);
  expect(server.run("health").status).toBe(0);
  expect(server.isSet("alerts")).toBe(false);
  server.set("disk-used", "97");
  server.set("alert-fails");
  expect(server.run("health")).toMatchObject({ status: 1 });
  server.unset("alert-fails");
  expect(server.run("health").status).toBe(0);
  expect(server.run("health").status).toBe(0);
  expect(server.read("opt/livekit/state/health-findings")).toMatch(/^disk\.full\tcritical\t/);
  server.unset("disk-used");
  server.run("health");
  expect(server.read("opt/livekit/state/health-findings")).toBe("");
  const alerts = alertsOf(server);
  expect(alerts).toMatchObject([
    { deployment: "livekit.example.com", state: "failure", before: "ok" },
    { state: "failure", before: "ok" },
    { state: "ok", before: "failure" },
  ]);
  expect(alerts[1].report).toContain("97 % used\n");
});

/** A full disk: only what lies in memory, in /run, can be written. */
function fullDisk(server: Machine) {
  server.write("run/any", "");
  server.set("disk-used", "97");
  server.command("sync", `case "$*" in "$LIVEKIT_DEPLOY_ROOT"/run/*) ;; *) exit 1 ;; esac`);
  server.command(
    "mktemp",
    `case "$*" in *"$LIVEKIT_DEPLOY_ROOT/run") exec /bin/mktemp "$@" ;; *) exit 1 ;; esac`,
  );
}

test("a full disk makes one alert, though nothing can be stored", () => {
  using server = runningMachine(everything);
  expect(server.run("health").status).toBe(0);
  fullDisk(server);
  expect(server.run("health").status).toBe(0);
  expect(server.run("health").status).toBe(0);
  server.unset("disk-used");
  for (const name of ["sync", "mktemp"]) server.command(name, `exec /bin/${name} "$@"`);
  expect(server.run("health").status).toBe(0);
  const alerts = alertsOf(server);
  expect(alerts).toMatchObject([
    { state: "failure", before: "ok", report: expect.stringContaining("97 % used") },
    { state: "ok", before: "failure" },
  ]);
  expect(server.read("opt/livekit/state/health")).toBe("ok\n");
  expect(server.has("run/livekit-health/told")).toBe(false);
});

test("a doctor without room for its work says by its status that it could not look", () => {
  using server = runningMachine();
  server.write("opt/livekit/state/kept", "earlier\n");
  server.command("mktemp", "exit 1");
  expect(server.run("doctor", ["--keep", "state/kept"])).toMatchObject({ status: 2 });
  expect(server.has("opt/livekit/state/kept")).toBe(false);
});

test("a second finding as bad as the first makes an alert, too, and each finding makes one", () => {
  using server = runningMachine(everything);
  server.run("health");
  server.write("run/reboot-required", "");
  server.run("health");
  server.write("opt/livekit/state/backup-copied", "failed 2026-11-01T02:00:00Z no right\n");
  server.run("health");
  server.run("health");
  const alerts = alertsOf(server);
  expect(alerts).toMatchObject([
    { state: "warning", before: "ok", report: expect.stringContaining("[reboot.waiting]") },
    { state: "warning", report: expect.stringContaining("[backup.remote.failed]") },
  ]);
  expect(alerts).toHaveLength(2);
});
