import { expect, test } from "vitest";
import { causeWords } from "~/features/servers/incidents/cause-words.ts";
import { clusterCauses } from "~/features/servers/incidents/faults/cluster-causes.ts";
import { uptimeOf } from "~/features/servers/incidents/incident-figures.ts";
import { type Said, WatchedCluster } from "../../../support/servers/clusters/watched-cluster.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

const three = () => new WatchedCluster(["edge", "media-1", "media-2", "media-3"]).during(0, 3);
const linesOf = (cluster: WatchedCluster) => cluster.lines((cause) => causeWords(cause).title);
const nextOf = (cluster: WatchedCluster) => cluster.lines((cause) => causeWords(cause).next);
const people = (count: number, load = "0.2"): Said => [
  `metric\tparticipants\t${count}`,
  `load\t${load}`,
];
const unreached: Said = [
  "finding\tedge.silent\tcritical\t10.0.0.2\tnothing answers on port 6379\t",
  "finding\tlivekit.silent\tcritical\t\tno answer\t",
];
const withoutRedis = { "media-1": unreached, "media-2": unreached, "media-3": unreached };

test("one machine of three dies: one incident with its line, which wakes nobody while the others carry its calls", () => {
  const cluster = three().during(3, 10, { "media-2": "gone" });
  expect(cluster.opened).toHaveLength(1);
  expect(cluster.incident).toMatchObject({ server: "deployment", isCluster: true });
  expect(linesOf(cluster)).toEqual(["notify media-2: The machine is down"]);
  expect(nextOf(cluster)).toEqual([expect.stringContaining("the other media machines take its")]);
  expect(cluster.sent).toEqual([]);
});

test("it wakes somebody where the machines that are left do not carry the busiest half hour", () => {
  // Each of four processors carries 112 people of meetings of ten.
  const busy = { "media-1": people(100), "media-2": people(100), "media-3": people(100) };
  const cluster = three().during(3, 6, busy);
  cluster.during(6, 12, { ...busy, "media-2": "gone" });
  expect(linesOf(cluster)).toEqual(["page media-2: The machine is down"]);
  expect(cluster.sent.map(([, event]) => event)).toEqual(["opened"]);
  // People went home; of one machine nobody is told twice.
  cluster.during(12, 20, { "media-1": people(0), "media-3": people(0), "media-2": "gone" });
  expect(cluster.sent.map(([, event]) => event)).toEqual(["opened"]);
});

test("by its load a machine carries less than its processors promise", () => {
  const loaded = {
    "media-1": people(30, "3.6"),
    "media-2": people(30, "3.6"),
    "media-3": people(30, "3.6"),
  };
  const cluster = three()
    .during(3, 6, loaded)
    .during(6, 12, { ...loaded, "media-2": "gone" });
  expect(linesOf(cluster)).toEqual(["page media-2: The machine is down"]);
});

test("what the edge finds of a machine that is down is no line of its own", () => {
  const atEdge: Said = [
    "finding\tnode.silent\tcritical\t10.0.0.12\tmedia-2 (198.41.0.12): nothing answers on 7880\t",
  ];
  const cluster = three().during(3, 10, { edge: atEdge, "media-2": "gone" });
  expect(linesOf(cluster)).toEqual(["notify media-2: The machine is down"]);
  // It reports, and its LiveKit does not answer the edge.
  const apart = three().at(3, { edge: atEdge });
  expect(linesOf(apart)).toEqual([
    "notify edge: A machine of the cluster does not answer the edge: 10.0.0.12",
  ]);
});

test("the last machine that carries calls wakes somebody", () => {
  const cluster = new WatchedCluster(["edge", "media-1"]).during(0, 3);
  cluster.during(3, 9, { "media-1": "gone" });
  expect(linesOf(cluster)).toEqual(["page media-1: The machine is down"]);
  // Nobody who is woken by it reads that others carry its calls.
  expect(nextOf(cluster)).toEqual([expect.stringContaining("as far as these carry them")]);
});

test("an edge that is down is the one cause: what media machines miss of it is no line", () => {
  const cluster = three().during(3, 10, { edge: "gone", ...withoutRedis });
  expect(linesOf(cluster)).toEqual(["page edge: The edge is down, and nobody can join"]);
  expect(cluster.opened).toHaveLength(1);
});

test("a lost Redis is one cause, also where the edge says nothing of it yet", () => {
  const atEdge: Said = ["finding\tservice.down\tcritical\tredis\texited\t"];
  const cluster = three()
    .at(3, withoutRedis)
    .at(4, { edge: atEdge, ...withoutRedis });
  expect(linesOf(cluster)).toEqual(["page edge: Redis is lost, and nobody can join"]);
  expect(cluster.incident?.causes[0]?.found).toContain("media machines do not reach it");
  expect(cluster.sent).toEqual([[3, "opened"]]);
  // What else is wrong stays a line of its own.
  cluster.at(5, {
    edge: atEdge,
    ...withoutRedis,
    "media-1": [...unreached, "finding\tdisk.filling\twarning\t/\t\t"],
  });
  expect(linesOf(cluster)).toEqual([
    "page edge: Redis is lost, and nobody can join",
    "notify media-1: The disk fills up: /",
  ]);
  cluster.during(6, 13);
  expect(cluster.sent.at(-1)).toEqual([11, "closed"]);
});

test("behind a balancer a lost Redis is one cause, and nobody is sent to an edge", () => {
  const machines = ["media-1", "media-2", "media-3"];
  const cluster = new WatchedCluster(machines).during(0, 3);
  const unreachable: Said = ["finding\tredis.unreachable\tcritical\tredis.example.com:6379\t\t"];
  cluster.at(3, Object.fromEntries(machines.map((name) => [name, unreachable])));
  expect(linesOf(cluster)).toEqual(["page Redis is lost, and nobody can join"]);
  expect(cluster.lines((cause) => causeWords(cause).next).join()).not.toMatch(/edge/);
  const withEdge = three().at(3, withoutRedis);
  expect(withEdge.lines((cause) => causeWords(cause).next).join()).toContain("on the edge");
});

test("one of three that does not reach Redis has a fault of its own", () => {
  const cluster = three().at(3, { "media-3": unreached });
  expect(linesOf(cluster)).toEqual([
    "page media-3: The edge does not answer this machine: 10.0.0.2",
    "page media-3: LiveKit does not answer",
  ]);
});

const recording = (...names: string[]) =>
  new WatchedCluster(["edge", "media-1", "media-2", ...names]).during(0, 3);

test("one of two Egress machines dies: the other one takes new recordings, and nobody is woken", () => {
  const cluster = recording("egress-1", "egress-2").during(3, 10, { "egress-1": "gone" });
  expect(linesOf(cluster)).toEqual(["notify egress-1: The machine is down"]);
  expect(cluster.sent).toEqual([]);
  const [next] = cluster.lines((cause) => causeWords(cause).next);
  expect(next).toContain("where another Egress machine reports, it takes new ones");
  expect(next).not.toContain("call");
  // The other one may be gone too: it is waited for no longer, and nobody has looked yet.
  cluster.change("egress-2", { silence: { foundAt: begin + 10 * minute } });
  const [down] = clusterCauses(cluster.records, begin + 10 * minute);
  expect(down).toMatchObject({ severity: "page", machine: { name: "egress-1" } });
});

test("the only Egress machine wakes somebody, because nothing is recorded", () => {
  const cluster = recording("egress-1").during(3, 10, { "egress-1": "gone" });
  expect(linesOf(cluster)).toEqual(["page egress-1: The machine is down, and nothing is recorded"]);
  expect(cluster.sent.map(([, event]) => event)).toEqual(["opened"]);
  const [next] = cluster.lines((cause) => causeWords(cause).next);
  expect(next).toContain("none begins until an Egress machine is back");
});

test("where all Egress machines are down each of them pages, until one is back", () => {
  const [first, both] = [
    { "egress-1": "gone" },
    { "egress-1": "gone", "egress-2": "gone" },
  ] as const;
  const cluster = recording("egress-1", "egress-2").during(3, 9, first).during(9, 15, both);
  expect(linesOf(cluster)).toEqual([
    "page egress-1: The machine is down, and nothing is recorded",
    "page egress-2: The machine is down, and nothing is recorded",
  ]);
  expect(cluster.sent.map(([, event]) => event)).toEqual(["opened"]);
  cluster.during(15, 25, first);
  expect(linesOf(cluster)).toEqual(["notify egress-1: The machine is down"]);
  expect(cluster.sent.map(([, event]) => event)).toEqual(["opened", "closed"]);
});

test("the only Egress machine in maintenance wakes nobody", () => {
  const cluster = recording("egress-1").change("egress-1", {
    maintenanceUntil: begin + 60 * minute,
  });
  cluster.during(3, 10, { "egress-1": "gone" });
  expect(linesOf(cluster)).toEqual(["notify egress-1: The machine is down"]);
  expect(cluster.sent).toEqual([]);
});

test("an Egress machine carries no calls of a media machine, and a media machine records nothing", () => {
  const cluster = new WatchedCluster(["edge", "media-1", "egress-1"]).during(0, 3);
  cluster.during(3, 9, { "media-1": "gone" });
  expect(linesOf(cluster)).toEqual(["page media-1: The machine is down"]);
  const quiet = recording("egress-1", "egress-2");
  quiet.during(3, 9, { "media-1": "gone", "egress-1": "gone" });
  expect(linesOf(quiet).toSorted()).toEqual([
    "notify egress-1: The machine is down",
    "notify media-1: The machine is down",
  ]);
});

const alone: Said = ["finding\tedge.silent\tcritical\t10.0.0.2\t\t"];

test("that an Egress machine misses a lost Redis, or the edge that has it, is no line", () => {
  const missed = { "media-1": unreached, "media-2": unreached, "egress-1": alone };
  const cluster = recording("egress-1").at(3, missed);
  expect(linesOf(cluster)).toEqual(["page edge: Redis is lost, and nobody can join"]);
  const [lost] = clusterCauses(cluster.records, begin + 3 * minute);
  expect(lost?.found).toBe(
    "2 of 2 media machines do not reach it; 1 of 1 Egress machines do not reach it",
  );
  const down = recording("egress-1").during(3, 10, { edge: "gone", ...missed });
  expect(linesOf(down)).toEqual(["page edge: The edge is down, and nobody can join"]);
});

test("Egress machines that alone do not reach Redis have faults of their own", () => {
  const missed = { "egress-1": alone, "egress-2": alone };
  const cluster = recording("egress-1", "egress-2").at(3, missed);
  expect(linesOf(cluster).toSorted()).toEqual([
    "page egress-1: The edge does not answer this machine: 10.0.0.2",
    "page egress-2: The edge does not answer this machine: 10.0.0.2",
  ]);
});

test("the same fault of two machines is two lines, and one that ends leaves the other", () => {
  const filling: Said = ["finding\tdisk.filling\twarning\t/\t\t"];
  const cluster = three().at(3, { "media-1": filling, "media-2": filling });
  expect(linesOf(cluster)).toHaveLength(2);
  cluster.at(4, { "media-2": filling });
  expect(linesOf(cluster)).toEqual(["notify media-2: The disk fills up: /"]);
});

test("a machine in maintenance wakes nobody, and the others are watched as before", () => {
  const broken: Said = ["finding\tturn.udp.silent\tcritical\t\t\t"];
  const cluster = three().change("media-1", { maintenanceUntil: begin + 60 * minute });
  cluster.during(3, 9, { "media-1": broken });
  expect(cluster.sent).toEqual([]);
  cluster.at(9, { "media-1": broken, "media-2": broken });
  expect(cluster.sent).toEqual([[9, "opened"]]);
});

test("the uptime of a machine counts its own line alone, also what came back", () => {
  const cluster = three()
    .during(3, 10, { "media-2": "gone" })
    .during(10, 12)
    .during(12, 20, { "media-2": "gone" });
  const watched = cluster.records.map((record) => ({ ...record, enrolledAt: begin }));
  const incidents = cluster.incident ? [cluster.incident] : [];
  const uptime = uptimeOf(watched, incidents, begin + 20 * minute);
  const now = Object.fromEntries(uptime.map(({ name, months }) => [name, months.at(-1)]));
  // Its last reports were at the minutes 2 and 11, and it was back at 10.
  expect(now["media-2"]).toBeCloseTo(1 - (8 + 9) / 20);
  expect([now.edge, now["media-1"], now["media-3"]]).toEqual([1, 1, 1]);
});
