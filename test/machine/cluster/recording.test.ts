import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import {
  cluster,
  clusterOptions,
  edgeAddress,
  edgeMachine,
  machineWithoutRole,
  mediaMachine,
  places,
  setClock,
  someSecrets,
} from "../../support/deployments/cluster/cluster-machines.ts";
import { operator } from "../../support/deployments/cluster/operator.ts";
import type { Machine } from "../../support/deployments/machine.ts";

const withRecorders = { topology: { ...clusterOptions.topology, machines: 2, egress: 1 } };
const [edgeHost, oneHost, twoHost] = [
  places.edge.publicAddress,
  places.one.publicAddress,
  places.two.publicAddress,
];

const runJoin = (server: Machine, ...args: readonly string[]) =>
  server.run("livekit-deploy", ["cluster", "join", ...args], someSecrets);

/** A machine that records alone, of a cluster that has such. */
function egressMachine(): Machine {
  const made = machineWithoutRole(places.two, withRecorders);
  const { status, output } = runJoin(made, "--egress", edgeAddress);
  if (status !== 0) throw new Error(output);
  return made;
}

const running = (server: Machine) =>
  ["livekit", "egress", "caddy", "redis"].filter((name) => server.isSet(`running/${name}`));
const signals = (server: Machine) =>
  server
    .calls()
    .split("\n")
    .filter((call) => /^docker compose (kill|stop|exec -T egress)/.test(call))
    .map((call) => call.replace(/^docker compose /, "").replace(/ sh -c .*/, ""));

test("a machine for recording runs Egress alone, the one for calls none, and each stays what it is when it joins again", () => {
  using server = egressMachine();
  expect(server.read("opt/livekit/.env")).toContain("COMPOSE_PROFILES='egress'");
  expect(running(server)).toEqual(["egress"]);
  expect(cluster(server).output).toBe("egress 10.0.0.4 203.0.113.4 media-2-example-com\n");
  expect(server.calls()).not.toContain("livekit-cluster.service");
  server.forget();
  const again = runJoin(server, edgeAddress);
  expect(again.output).toContain("10.0.0.4 203.0.113.4 media-2-example-com egress\n");
  expect(server.calls()).not.toMatch(/compose (stop|kill|up)/);
  using calls = mediaMachine(someSecrets, withRecorders);
  expect(running(calls)).toEqual(["livekit"]);
  expect(runJoin(calls, "--egress", edgeAddress).output).toContain(
    "This machine is one for calls.",
  );
  using without = machineWithoutRole(places.two);
  expect(runJoin(without, "--egress", edgeAddress).output).toContain(
    "The options have no machines for recording.",
  );
});

test("the edge lists it, gives it no connections, and says when one is missing", () => {
  using edge = edgeMachine(withRecorders);
  for (const [address, name] of [
    ["10.0.0.3", "one"],
    ["10.0.0.5", "three"],
  ] as const)
    cluster(edge, "add", address, "203.0.113.3", name);
  const codes = () => edge.run("livekit-deploy", ["doctor", "--report"]).output;
  expect(codes()).toMatch(/^nodes\.fewer\twarning\tegress\t0 of 1 for recording/m);
  const added = cluster(edge, "add", "10.0.0.4", "203.0.113.4", "recorder", "egress");
  expect(added.output).toContain("recorder (10.0.0.4) gets recordings.");
  expect(cluster(edge, "nodes").output).toContain("10.0.0.4 203.0.113.4 recorder egress\n");
  expect(edge.read("opt/livekit/state/edge/caddy.yaml")).not.toContain("10.0.0.4:");
  expect(codes()).not.toContain("nodes.fewer");
  expect(cluster(edge, "add", "10.0.0.4", "203.0.113.4", "recorder", "media").status).toBe(64);
});

test("the edge asks a machine for calls of live rooms, though one for recording stands before it in the list", () => {
  using edge = edgeMachine(withRecorders);
  cluster(edge, "add", "10.0.0.10", "203.0.113.10", "recorder", "egress");
  cluster(edge, "add", "10.0.0.3", "203.0.113.3", "one");
  edge.command("python3", 'echo "$*"');
  expect(edge.run("livekit-deploy", ["rooms-token"]).output).toContain("rooms-token 10.0.0.3:7880");
});

/** Takes the files of a cluster with or without machines for recording, as `cluster.sh apply` does. */
function apply(server: Machine, typed: Record<string, unknown>) {
  const zip = join(server.folder, "new.zip");
  const options = optionsFrom({ domain: "livekit.example.com", ...clusterOptions, ...typed });
  writeFileSync(zip, zipOf(bundle(options).files));
  server.command("sleep", "");
  return server.run("livekit-deploy", ["apply", zip]);
}

test("Egress leaves a machine for calls once others are to record, and one that records waits until it may go", () => {
  using calls = mediaMachine(someSecrets);
  expect(running(calls)).toEqual(["livekit", "egress"]);
  const moved = apply(calls, withRecorders);
  expect(moved.output).toContain("The bundle is in use.");
  expect(running(calls)).toEqual(["livekit"]);
  using server = egressMachine();
  const back = apply(server, {});
  expect(back.output).toContain("this one stays as it is. Next: sh cluster.sh leave");
  expect(back.status).toBe(0);
  expect(running(server)).toEqual(["egress"]);
});

test("its doctor looks at Egress, the edge's Redis and its clock, and at nothing of calls", () => {
  using server = egressMachine();
  const { status, output } = server.run("livekit-deploy", ["doctor"]);
  expect(output).toContain("All well.");
  expect(status).toBe(0);
  const rows = [...output.matchAll(/^ok +(\S.*?) {2,}/gm)].map(([, row]) => row);
  expect(rows).toEqual(
    expect.arrayContaining(["role", "Redis of the edge", "clock of the edge", "service egress"]),
  );
  for (const row of rows)
    expect(row).not.toMatch(/DNS|certificate|TURN|LiveKit answers|watch over|7881/);
});

test("before it stops it takes no new recordings and waits for those that run; calls are no concern of it", () => {
  using server = egressMachine();
  server.set("recordings", "EG_1");
  setClock(server, { 120: ': >"$MACHINE/recordings"' });
  const { status, output } = server.run("before-stop");
  expect(output).toContain("Recordings: 1. Waiting until these have ended, 15 minutes at most.");
  expect(status).toBe(0);
  expect(server.controlContent("clock").trim()).toBe("120");
  expect(signals(server)).toEqual(["kill -s TERM egress", "stop egress"]);
});

test("what still records after the minutes of the options is ended by its own recorder, and saved", () => {
  using server = egressMachine();
  server.set("recordings", "EG_1 EG_2");
  setClock(server);
  server.run("before-stop");
  expect(server.controlContent("clock").trim()).toBe("900");
  expect(signals(server)).toEqual(["kill -s TERM egress", "exec -T egress", "stop egress"]);
  expect(server.isSet("recordings-lost")).toBe(false);
});

test("--now ends and saves recordings at once, --count and --wait stop nothing", () => {
  using server = egressMachine();
  server.set("recordings", "EG_1");
  setClock(server);
  expect(server.run("before-stop", ["--count"]).output).toContain("Recordings: 1.");
  expect(server.run("livekit-deploy", ["drain"])).toMatchObject({ status: 1 });
  expect(signals(server)).toEqual([]);
  setClock(server);
  server.run("before-stop", ["--now"]);
  expect(server.controlContent("clock")).toBe("0");
  expect(signals(server)).toEqual(["stop egress"]);
  expect(server.isSet("recordings-lost")).toBe(false);
});

test("make brings it in after --egress, a version of one service goes to the machines that have it, and it leaves", () => {
  using edge = machineWithoutRole(places.edge, withRecorders);
  using one = machineWithoutRole(places.one, withRecorders);
  using two = machineWithoutRole(places.two, withRecorders);
  using person = operator({ [edgeHost]: edge, [oneHost]: one, [twoHost]: two }, withRecorders);
  expect(person.run(["make", edgeHost, oneHost])).toMatchObject({ status: 0 });
  expect(person.run(["update", "--to", "egress=v1.14.1"])).toMatchObject({
    ...{ status: 1, output: expect.stringContaining("No machine has joined that runs egress.") },
  });
  const made = person.run(["make", edgeHost, oneHost, "--egress", twoHost]);
  expect(made.output).not.toContain("Stopped");
  expect(made.status).toBe(0);
  expect([cluster(one).output, cluster(two).output].map((said) => said.split(" ")[0])).toEqual([
    "media",
    "egress",
  ]);
  const touched = (args: readonly string[]) => {
    person.forget();
    person.run(args);
    return [...person.calls().matchAll(/@(\S+) sudo livekit-deploy update/g)].map(
      ([, host]) => host,
    );
  };
  expect(touched(["update", "--to", "livekit=v1.13.11"])).toEqual([oneHost]);
  expect(touched(["update", "--to", "egress=v1.14.1"])).toEqual([twoHost]);
  expect(touched(["update"])).toEqual([oneHost, twoHost, edgeHost]);
  expect(person.run(["join", "--egress", oneHost]).output).toContain(
    `root@${oneHost} is a machine for calls. Nothing was changed.`,
  );
  // What it gets when it joins again is for what it is.
  expect(person.run(["join", twoHost])).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output).toContain("egress\n");
  expect(person.run(["leave", twoHost])).toMatchObject({ status: 0 });
  expect(cluster(two).output).toBe("none\n");
  expect(cluster(edge, "nodes").output).not.toContain("egress");
});

test("behind a balancer it is in the list as what it is, asks for no certificate, and the first of the list is one for calls", () => {
  const balanced = {
    topology: { kind: "balanced", machines: 2, network: "10.0.0.0/16", egress: 1 },
    certificates: "dns-hetzner",
    redis: { kind: "external", address: "redis.example.com:6379" },
  } as const;
  using one = machineWithoutRole(places.one, balanced);
  using two = machineWithoutRole(places.two, balanced);
  using person = operator({ [oneHost]: one, [twoHost]: two }, balanced);
  cluster(one, "first");
  one.run("livekit-deploy", ["set", "redis-password"], `${"p".repeat(43)}\n`);
  const made = person.run(["make", oneHost, "--egress", twoHost]);
  expect(made.output).not.toContain("Stopped");
  expect(made.status).toBe(0);
  expect(person.read("cluster.env")).toBe(`NODE='root@${oneHost}'\nEGRESS='root@${twoHost}'\n`);
  expect(running(two)).toEqual(["egress"]);
  expect(two.run("certificate").output).toContain("needs no certificate");
  const codes = two.run("livekit-deploy", ["doctor", "--report"]).output;
  expect(codes).not.toMatch(/^(cert|dns|balancer|turn|livekit)\./m);
  expect(cluster(two, "first").output).toContain("This machine records alone");
  // The last one for calls does not go, since the others get their secrets from it.
  expect(person.run(["leave", oneHost]).output).toContain("It is the last machine for calls.");
  expect(person.run(["leave", twoHost])).toMatchObject({ status: 0 });
  expect(person.read("cluster.env")).toBe(`NODE='root@${oneHost}'\n`);
});
