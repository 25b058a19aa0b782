import { expect, test } from "vitest";
import {
  edgeMachine,
  mediaMachine,
  setClock,
  setPeople,
  someSecrets,
} from "../../support/deployments/cluster/cluster-machines.ts";
import type { Machine } from "../../support/deployments/machine.ts";

const signals = (server: Machine) =>
  server
    .calls()
    .split("\n")
    .filter((call) => /^docker compose (kill|stop|up)/.test(call))
    .map((call) => call.replace(/^docker compose (\S+)( -d.*)?/, "$1"));

/** LiveKit ends by itself, as it does some seconds after its last person has gone. */
const everybodyLeaves = 'echo exited >"$MACHINE/condition-livekit"';

test("LiveKit hears first that it ends, then its calls are waited for, and it ends with the last of them", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 3);
  setClock(server, { 300: everybodyLeaves });
  const { status, output } = server.run("before-stop");
  expect(output).toContain(
    "In calls: 3, recordings: 0. No new rooms come to this machine. Waiting until these have ended, 15 minutes",
  );
  expect(output.match(/Waiting/g)).toHaveLength(1);
  expect(status).toBe(0);
  expect(server.controlContent("clock").trim()).toBe("300");
  expect(signals(server)).toEqual(["kill -s TERM livekit", "stop egress"]);
});

test("after the minutes of the options it is killed, never told twice", () => {
  for (const [minutes, seconds] of [
    [15, "900"],
    [0, "0"],
  ] as const) {
    using server = mediaMachine(someSecrets, { drain: { minutes } });
    setPeople(server, 1);
    setClock(server);
    expect(server.run("before-stop").output).toContain("In calls: 1, recordings: 0. They end here");
    expect(server.controlContent("clock").trim()).toBe(seconds);
    expect(signals(server)).toEqual([
      "kill -s TERM livekit",
      "stop egress",
      "kill -s KILL livekit",
    ]);
    expect(server.isSet("sent-away")).toBe(false);
  }
});

test("a drain that was interrupted goes on with the time that it had left, and LiveKit gets no second signal", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 1);
  setClock(server, { 300: 'kill -9 "$PPID"' });
  expect(() => server.run("before-stop")).toThrow();
  expect(server.isSet("terminated")).toBe(true);
  setClock(server);
  server.set("clock", "300");
  // Whoever restarts it meanwhile begins before-start.sh first.
  expect(server.run("before-start")).toMatchObject({ status: 0 });
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("900");
  expect(server.isSet("sent-away")).toBe(false);
  expect(signals(server)).toEqual(["stop egress", "kill -s KILL livekit"]);
  expect(server.has("opt/livekit/state/draining")).toBe(false);
});

/** Connections of people whom this machine relays, with the bytes of five seconds: two with media, and one in reserve. */
const relayed = "10.0.0.2:40100 15000\n10.0.0.2:40102 3000\n10.0.0.2:40104 800\n";
const refusal = "nft -f -";
const signal = "docker compose kill -s TERM livekit";

test("new relays are refused and those that stand are waited for, before LiveKit hears that it ends", () => {
  using server = mediaMachine(someSecrets);
  server.set("relayed", relayed);
  const inReserve = 'echo 10.0.0.2:40104 800 >"$MACHINE/relayed"';
  setClock(server, { 120: inReserve, 360: everybodyLeaves });
  setPeople(server, 1);
  const { output } = server.run("before-stop");
  expect(output).toContain(
    "Relayed inside TLS: 2 connections. New ones go to other machines. Waiting",
  );
  expect(server.controlContent("clock").trim()).toBe("360");
  const calls = server.calls().split("\n");
  const at = [refusal, "ss -Htn", signal, "nft delete table inet livekit_drain"].map((begin) =>
    calls.findLastIndex((call) => call.startsWith(begin)),
  );
  expect(at).toEqual(at.toSorted((one, other) => one - other));
  expect(at[0]).toBeGreaterThan(-1);
});

test("behind a balancer LiveKit hears nothing until the balancer knows, though nobody is relayed", () => {
  using server = mediaMachine(someSecrets);
  server.write(
    "opt/livekit/deployment.env",
    server.read("opt/livekit/deployment.env").replace("TOPOLOGY='cluster'", "TOPOLOGY='balanced'"),
  );
  setClock(server, { 60: 'cp "$MACHINE/calls" "$MACHINE/calls-before"' });
  setPeople(server, 0);
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("60");
  expect(server.controlContent("calls-before")).not.toContain(signal);
  expect(server.calls()).toContain(signal);
});

test("a drain that was killed before LiveKit had its signal begins anew, with all of its time", () => {
  using server = mediaMachine(someSecrets);
  server.set("relayed", relayed);
  setClock(server, { 120: 'kill -9 "$(ps -o ppid= -p "$PPID")"' });
  expect(() => server.run("before-stop")).toThrow();
  expect(server.read("opt/livekit/state/draining")).toBe("900\n");
  server.unset("relayed");
  setPeople(server, 1);
  setClock(server);
  server.set("clock", "5000");
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("5900");
});

test("relays are waited for half of the time, and calls for the rest", () => {
  using server = mediaMachine(someSecrets, { drain: { minutes: 10 } });
  server.set("relayed", relayed);
  setPeople(server, 1);
  const noted = 'cp "$LIVEKIT_DEPLOY_ROOT/opt/livekit/state/draining" "$MACHINE/noted-';
  setClock(server, { 300: `${noted}300"`, 360: `${noted}360"` });
  server.run("before-stop");
  expect(server.controlContent("noted-300")).toBe("600\n");
  expect(server.controlContent("noted-360")).toBe("600 signalled\n");
  expect(server.controlContent("clock").trim()).toBe("600");
});

test("a drain that is interrupted while it waits for relays is undone", () => {
  using server = mediaMachine(someSecrets);
  server.set("relayed", relayed);
  // The pause is in a subshell of the script.
  setClock(server, { 120: 'kill -TERM "$(ps -o ppid= -p "$PPID")"' });
  expect(server.run("before-stop").status).toBe(1);
  expect(server.has("opt/livekit/state/draining")).toBe(false);
  expect(server.calls()).toContain("nft delete table inet livekit_drain");
  expect(signals(server)).toEqual([]);
});

test("a recording of another machine's room is waited for too, and saved", () => {
  using server = mediaMachine(someSecrets);
  server.set("recordings", "EG_1");
  setClock(server, { 120: ': >"$MACHINE/recordings"' });
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("120");
  expect(signals(server)).toEqual(["kill -s TERM livekit", "stop egress"]);
});

test("while Redis is away LiveKit is unhealthy and its calls go on: they are waited for; one that answers nobody is not", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 2);
  server.set("condition-livekit", "running unhealthy");
  setClock(server, { 60: everybodyLeaves });
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("60");
  using hung = mediaMachine(someSecrets);
  setPeople(hung, 2);
  hung.unset("livekit-metrics");
  hung.set("condition-livekit", "running unhealthy");
  setClock(hung);
  hung.run("before-stop");
  expect(hung.controlContent("clock")).toBe("0");
});

test("--now waits for nothing, --count counts this machine alone, and --wait stops nothing", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 2);
  setClock(server);
  expect(server.run("before-stop", ["--count"]).output).toBe("In calls: 2. Recordings: 0.\n");
  expect(server.run("livekit-deploy", ["drain"])).toMatchObject({ status: 1 });
  expect(signals(server)).toEqual([]);
  setClock(server);
  server.run("before-stop", ["--now"]);
  expect(server.controlContent("clock")).toBe("0");
  expect(signals(server)).toEqual(["kill -s TERM livekit", "stop egress", "kill -s KILL livekit"]);
});

test("restart drains, and LiveKit runs again", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 1);
  setClock(server, { 120: everybodyLeaves });
  const { status, output } = server.run("livekit-deploy", ["restart"]);
  expect(output).toContain("This machine waits until whom it relays and its calls have ended");
  expect(status).toBe(0);
  expect(server.controlContent("clock").trim()).toBe("120");
  expect(signals(server)).toEqual(["kill -s TERM livekit", "stop egress", "up"]);
  expect(server.isSet("condition-livekit")).toBe(false);
});

test("an update of a machine drains it, and one of the edge waits for nobody", () => {
  using server = mediaMachine(someSecrets);
  setPeople(server, 1);
  setClock(server, { 60: everybodyLeaves });
  expect(server.run("update", ["--to", "livekit=v1.13.12"])).toMatchObject({ status: 0 });
  expect(signals(server).slice(0, 2)).toEqual(["kill -s TERM livekit", "stop egress"]);
  expect(server.run("update", ["--to", "redis=8.2"]).output).toContain(
    "This deployment has no redis. It has: livekit egress.",
  );
  using edge = edgeMachine();
  setClock(edge);
  expect(edge.run("before-stop", ["--count"]).output).toBe(
    "Calls run on the media machines, not here.\n",
  );
  edge.set("registry-caddy", "sha256:newer\n");
  expect(edge.run("update")).toMatchObject({ status: 0 });
  expect(edge.controlContent("clock")).toBe("0");
  expect(signals(edge)).not.toContain("kill -s TERM livekit");
});
