import { expect, test } from "vitest";
import {
  cluster,
  edgeMachine,
  mediaMachine,
  someSecrets,
} from "../../support/deployments/cluster/cluster-machines.ts";
import type { Machine } from "../../support/deployments/machine.ts";

const doctor = (server: Machine) => server.run("livekit-deploy", ["doctor"]);
/** What the doctor looks at, and what is not well by its code and subject. */
const rowsOf = (output: string) =>
  [...output.matchAll(/^(?:ok|WARN|FAIL) +(\S.*?) {2,}/gm)].map(([, row]) => row);
const findingsOf = (server: Machine) =>
  server
    .run("livekit-deploy", ["doctor", "--report"])
    .output.split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t").slice(0, 3).join(" "));

/** An edge with its machines for calls. */
function edgeWithNodes(): Machine {
  const edge = edgeMachine();
  cluster(edge, "add", "10.0.0.3", "203.0.113.3", "one");
  cluster(edge, "add", "10.0.0.4", "203.0.113.4", "two");
  return edge;
}

test("the edge's doctor looks at names, certificates, Caddy, Redis and each machine for calls", () => {
  using edge = edgeWithNodes();
  const { status, output } = doctor(edge);
  expect(output).toContain("All well.");
  expect(status).toBe(0);
  const rows = rowsOf(output);
  expect(rows).toEqual(
    expect.arrayContaining([
      ...["role", "private address", "node one", "node two", "nodes"],
      ...["DNS livekit.example.com, A", "certificate livekit.example.com", "TURN over TLS"],
      ...["service caddy", "service redis", "port 443/tcp"],
    ]),
  );
  for (const row of rows)
    expect(row).not.toMatch(/livekit answers|TURN over UDP|hairpin|7881|3478/i);
});

test("the doctor of a machine for calls looks at the edge's Redis, its clock, its addresses and media, not at names", () => {
  using server = mediaMachine(someSecrets);
  const { status, output } = doctor(server);
  expect(output).toContain("All well.");
  expect(status).toBe(0);
  const rows = rowsOf(output);
  expect(rows).toEqual(
    expect.arrayContaining([
      ...["role", "private address", "Redis of the edge", "clock of the edge", "watch over Redis"],
      ...["service livekit", "service egress", "LiveKit answers", "TURN over UDP", "TURN hairpin"],
      ...["port 7881/tcp", "port 3478/udp"],
    ]),
  );
  for (const row of rows) expect(row).not.toMatch(/DNS|certificate|caddy|service redis|443/);
});

test("an edge whose Redis cannot read its append-only file has that to move aside with the snapshot, so that the loss is noticed", () => {
  using edge = edgeWithNodes();
  edge.write("opt/livekit/data/redis/appendonlydir/appendonly.aof.manifest", "");
  edge.set("condition-redis", "exited");
  edge.set("redis-log", "# Bad file format reading the append only file: make a backup\n");
  expect(findingsOf(edge)).toContainEqual(
    expect.stringMatching(/^redis\.data critical \S+appendonlydir and \S+data\/redis\/dump\.rdb$/),
  );
  expect(doctor(edge).output).toMatch(
    /move \S+data\/redis\/appendonlydir and \S+data\/redis\/dump\.rdb aside and restart/,
  );
});

test("what is wrong between the machines has a code, a subject and a next step", () => {
  using edge = edgeWithNodes();
  edge.set("silent-10.0.0.3:7880");
  edge.set("silent-10.0.0.4:5349");
  expect(findingsOf(edge)).toEqual([
    "node.silent critical 10.0.0.3",
    "node.draining warning 10.0.0.4",
  ]);
  expect(doctor(edge).output).toContain("nothing answers on 7880");
  edge.unset("silent-10.0.0.3:7880");
  edge.unset("silent-10.0.0.4:5349");
  cluster(edge, "remove", "10.0.0.4");
  expect(findingsOf(edge)).toEqual(["nodes.fewer warning cluster"]);
  cluster(edge, "remove", "10.0.0.3");
  expect(findingsOf(edge)).toEqual(["nodes.none critical cluster"]);

  using server = mediaMachine(someSecrets);
  for (const [answer, finding] of [
    ["silent", "edge.silent critical 10.0.0.2"],
    ["loading", "edge.silent critical 10.0.0.2"],
    ["refused", "edge.refused critical 10.0.0.2"],
    ["", "edge.silent critical 10.0.0.2"],
    ["ok -1.4", "clock.apart critical 10.0.0.2"],
    ["ok 90.0", "clock.apart critical 10.0.0.2"],
  ] as const) {
    server.set("edge-redis", `${answer}\n`);
    expect(findingsOf(server)).toEqual([finding]);
  }
  server.set("edge-redis", "ok -0.9\n");
  server.unset("state-livekit-cluster.service");
  expect(findingsOf(server)).toEqual(["role.unwatched warning livekit-cluster.service"]);
  server.set("state-livekit-cluster.service", "active\n");
  server.set("addresses", "2: eth0    inet 203.0.113.3/24 scope global eth0\n");
  expect(findingsOf(server)).toEqual(["role.address critical 10.0.0.3"]);
});

test("the edge's Redis may listen in the network of the cluster, and nowhere else", () => {
  using edge = edgeWithNodes();
  edge.add("listening-tcp", "UNCONN 0 0 203.0.113.2:6379 0.0.0.0:*\n");
  expect(findingsOf(edge)).toEqual(["port.exposed warning 6379/tcp"]);
});
