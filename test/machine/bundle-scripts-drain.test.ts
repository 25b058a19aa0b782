import { expect, test, vi } from "vitest";
import { type Machine, runningMachine } from "../support/deployments/machine.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

/**
 * A clock that only a pause of five seconds moves, by a minute as on a very busy machine, and what happens
 * after so many of its seconds.
 */
function withClock(server: Machine, events: Readonly<Record<number, string>> = {}) {
  server.set("clock", "0");
  server.command(
    "date",
    'case "$*" in +%s) cat "$MACHINE/clock" ;; *) exec /bin/date "$@" ;; esac',
  );
  const cases = Object.entries(events).map(([at, action]) => `${at}) ${action} ;;`);
  server.command(
    "sleep",
    `[ "$1" = 5 ] || exec /bin/sleep "$1"
now=$(($(cat "$MACHINE/clock") + 60)); echo "$now" >"$MACHINE/clock"
case $now in ${cases.join("\n")} *) ;; esac`,
  );
}

function stops(server: Machine): string[] {
  return server
    .calls()
    .split("\n")
    .filter((call) => /^docker compose (stop|up)/.test(call))
    .map((call) => call.replace(/^docker compose (\S+ ?)(-d.*)?/, "$1").trim());
}

test("LiveKit takes new rooms until nobody is in a room, and stops in that moment", () => {
  using server = runningMachine();
  server.set("people", "3");
  withClock(server, {
    300: 'cat "$MACHINE/condition-livekit" >"$MACHINE/seen" 2>&1; echo 0 >"$MACHINE/people"',
  });
  const { status, output } = server.run("before-stop");
  expect(status).toBe(0);
  expect(output).toContain("In calls: 3, recordings: 0. Waiting for a quiet moment, 15 minutes");
  expect(output.match(/Waiting/g)).toHaveLength(1);
  expect(server.controlContent("clock").trim()).toBe("300");
  // In five minutes of waiting nothing had stopped LiveKit.
  expect(server.controlContent("seen")).toContain("No such file");
  expect(stops(server)).toEqual(["stop livekit"]);
});

test("an empty server stops at once", () => {
  using server = runningMachine();
  withClock(server);
  expect(server.run("before-stop")).toEqual({ status: 0, output: "" });
  expect(server.controlContent("clock")).toBe("0");
  expect(stops(server)).toEqual(["stop livekit"]);
});

test("one endless call is cut after the minutes that the owner chose, and not before", () => {
  for (const [minutes, seconds] of [
    [15, "900"],
    [2, "120"],
    [0, "0"],
  ] as const) {
    using server = runningMachine({ drain: { minutes } });
    server.set("people", "1");
    withClock(server);
    const { status, output } = server.run("before-stop");
    expect(output).toContain("Somebody is still in a call: it is cut off");
    expect(status).toBe(0);
    expect(server.controlContent("clock").trim()).toBe(seconds);
    expect(stops(server)).toEqual(["stop livekit"]);
  }
});

test("what is recorded is waited for like a call, and saved before LiveKit stops", () => {
  using server = runningMachine({ recording: { kind: "local" }, ingress: "rtmp" });
  server.set("recordings", "EG_1");
  withClock(server, { 60: ': >"$MACHINE/recordings"' });
  expect(server.run("before-stop").output).toContain("In calls: 0, recordings: 1.");
  expect(server.controlContent("clock").trim()).toBe("60");
  expect(stops(server)).toEqual(["stop egress ingress", "stop livekit"]);
});

test("people whom a crash left behind are not waited for", () => {
  using server = runningMachine();
  server.set("people-before-crash", "4");
  withClock(server);
  expect(server.run("before-stop").output).toBe("");
});

test("who cannot be counted may be in a call: LiveKit waits, unless it is not healthy", () => {
  using server = runningMachine();
  server.set("uncounted");
  withClock(server);
  expect(server.run("before-stop").output).toContain("In calls: unknown, recordings: 0.");
  expect(server.controlContent("clock").trim()).toBe("900");
  server.set("condition-livekit", "running unhealthy");
  withClock(server);
  expect(server.run("before-stop").output).toBe("");
});

test("restart waits for a quiet moment, and with --now for nothing", () => {
  using server = runningMachine();
  server.set("people", "1");
  withClock(server);
  const waited = server.run("livekit-deploy", ["restart"]);
  expect(waited.output).toContain("Waiting for a quiet moment, 15 minutes at most");
  expect(waited.output).toContain("LiveKit was restarted.");
  expect(waited.status).toBe(0);
  expect(server.controlContent("clock").trim()).toBe("900");
  withClock(server);
  const hurried = server.run("livekit-deploy", ["restart", "--now"]);
  expect(hurried).toEqual({ status: 0, output: "LiveKit was restarted.\n" });
  expect(server.controlContent("clock")).toBe("0");
  // The unit finds stopped what --now has stopped.
  expect(stops(server)).toEqual(["stop livekit", "up", "stop livekit", "stop livekit", "up"]);
  // The next one waits again.
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("900");
});

testInProof("what --now hurried, cut off by a power cut, makes no later stop hurry", async () => {
  using server = runningMachine();
  server.set("people", "1");
  withClock(server);
  server.set("up-slow");
  await server.cutPower("livekit-deploy", ["restart", "--now"], "up-began");
  server.unset("up-slow");
  expect(server.run("before-start").status).toBe(0);
  server.systemctl("start", "livekit.service");
  expect(server.run("before-stop").output).toContain("In calls: 1, recordings: 0. Waiting");
  expect(server.controlContent("clock").trim()).toBe("900");
});

test("restart --now that cannot start again stops nothing", () => {
  using server = runningMachine();
  server.set("no-firewall");
  server.forget();
  const { status, output } = server.run("livekit-deploy", ["restart", "--now"]);
  expect(output).toContain("Without its firewall LiveKit does not start.\nNothing was stopped.");
  expect(status).toBe(1);
  expect(stops(server)).toEqual([]);
});

testInProof("update and restore wait for nothing with --now", () => {
  using server = runningMachine({ backups: { frequency: "daily" } });
  server.set("people", "1");
  withClock(server);
  expect(server.run("update", ["--to", "livekit=v1.13.12", "--now"]).status).toBe(0);
  server.set("registry-livekit", "sha256:newer\n");
  expect(server.run("update", ["--now"]).status).toBe(0);
  const [, file = ""] = /Backup made: (\S+)/.exec(server.run("backup").output) ?? [];
  expect(server.run("restore", ["--now", file]).output).toContain("Restored.");
  expect(server.controlContent("clock")).toBe("0");
  expect(server.run("update", ["--soon"]).status).toBe(64);
  expect(server.run("update", ["--to", "livekit=v1.13.13"]).output).toContain("In calls: 1");
  expect(server.controlContent("clock").trim()).toBe("900");
});

test("a mistake in livekit.yaml or docker-compose.yaml is refused while the calls go on", () => {
  const mistakes = [
    ["livekit.yaml", "prot: 7880\n", "field prot not found in type config.Config"],
    ["docker-compose.yaml", "wrong-key: 1\n", "additional properties 'wrong-key' not allowed"],
  ] as const;
  for (const [file, mistake, reason] of mistakes) {
    using server = runningMachine();
    server.set("people", "1");
    withClock(server);
    const path = `opt/livekit/${file}`;
    server.write(path, server.read(path) + mistake);
    server.forget();
    const restarted = server.run("livekit-deploy", ["restart", "--now"]);
    expect(restarted.output).toContain(reason);
    expect(restarted.output).toContain("Nothing was stopped.");
    expect(restarted.status).toBe(1);
    expect(server.systemctl("reload", "livekit.service")).toBe(1);
    expect(stops(server)).toEqual([]);
  }
});

test("M13: a version that does not know the configuration's keys is not updated to", () => {
  using server = runningMachine();
  server.write("opt/livekit/livekit.yaml", "prot: 7880\n");
  const before = server.read("opt/livekit/docker-compose.yaml");
  const { status, output } = server.run("update", ["--to", "livekit=v1.13.12"]);
  expect(output).toContain("field prot not found");
  expect(output).toContain("Nothing was changed.");
  expect(status).toBe(1);
  expect(server.read("opt/livekit/docker-compose.yaml")).toBe(before);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
  expect(stops(server)).toEqual([]);
});
