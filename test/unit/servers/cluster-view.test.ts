import { expect, test } from "vitest";
import type { IncidentSummary } from "~/features/servers/incidents/incident.ts";
import { clusterView } from "~/features/servers/pages/cluster-view.server.ts";
import { machinesWords } from "~/features/servers/pages/cluster-words.ts";
import { fleetList } from "~/features/servers/pages/fleet-list.server.ts";
import { serverNeeds } from "~/features/servers/pages/server-needs.ts";
import type { ServerView } from "~/features/servers/pages/server-view.ts";
import type { RolloutView, Target } from "~/features/servers/rollouts/rollout.ts";
import { isRole } from "~/features/servers/state/server-record.ts";
import { begin, minute } from "../../support/servers/incident-step.ts";
import { serverView } from "../../support/servers/shown-server.ts";

const deployment = { id: "deployment", name: "Production", version: 4 };
const ofCluster = (name: string, more: Partial<ServerView> = {}): ServerView => {
  const [role] = name.split("-");
  return {
    ...serverView(name, { id: name, deployment: "deployment", ...more }),
    ...(isRole(role) ? { role } : {}),
    cpus: 4,
  };
};
const machines = ["media-2", "edge", "media-1"].map((name) => ofCluster(name, { participants: 5 }));
const fleet = (servers: ServerView[], incident?: IncidentSummary) => ({
  ...{ readAt: begin, servers },
  clusters: [{ deployment: "deployment", incident }],
});
const isDown = { state: { code: "down", since: begin - 5 * minute }, participants: 5 } as const;
const incident: IncidentSummary = {
  ...{ id: "incident", openedAt: begin, severity: "notify", acknowledged: undefined },
  causes: [
    {
      ...{ code: "down", subject: "", severity: "notify", since: begin },
      machine: { id: "media-1", name: "media-1", role: "media" },
    },
  ],
  snoozedUntil: undefined,
};

test("a cluster that is well says so, its edge first", () => {
  const view = clusterView(fleet(machines), deployment);
  expect(view).toMatchObject({
    ...{ words: "an edge and 2 media machines", state: { words: "Healthy", variant: "success" } },
    capacity: { people: 10, carries: 224 },
  });
  expect(view?.machines.map(({ name }) => name)).toEqual(["edge", "media-1", "media-2"]);
  expect(clusterView(fleet([]), deployment)).toBeUndefined();
});

test("behind a balancer nobody misses an edge", () => {
  const alike = machines.filter(({ role }) => role === "media");
  expect(clusterView(fleet(alike), deployment)).toMatchObject({
    ...{ words: "2 media machines", state: { words: "Healthy" } },
  });
});

const recorders = ["egress-2", "egress-1"].map((name) => ofCluster(name, { load: 80 }));

test("Egress machines come last, and carry nobody", () => {
  const view = clusterView(fleet([...recorders, ...machines]), deployment);
  expect(view).toMatchObject({
    words: "an edge, 2 media machines and 2 Egress machines",
    capacity: { people: 10, carries: 224, largestRoom: 112 },
  });
  expect(view?.machines.map(({ name, carries }) => [name, carries])).toEqual([
    ["edge", undefined],
    ["media-1", 112],
    ["media-2", 112],
    ["egress-1", undefined],
    ["egress-2", undefined],
  ]);
  const list = fleetList(fleet([...recorders, ...machines]), new URLSearchParams(), new Map());
  expect(list.lines.at(0)?.name).toBe("edge");
  expect(list.lines.slice(3).map(({ name }) => name)).toEqual(["egress-1", "egress-2"]);
});

test.for([
  [["media-1"], "1 media machine"],
  [
    ["edge", "media-1", "media-2", "media-3", "egress-1"],
    "an edge, 3 media machines and 1 Egress machine",
  ],
  [["media-1", "media-2", "egress-1", "egress-2"], "2 media machines and 2 Egress machines"],
] as const)("a cluster is counted by its roles: %j", ([names, words]) => {
  expect(machinesWords(names.map((name) => ofCluster(name)))).toBe(words);
});

test("an Egress machine that is down is critical where it pages, and warns where another one records", () => {
  const urgency = (severity: "page" | "notify") =>
    serverNeeds(ofCluster("egress-1", { ...isDown, incident: { ...incident, severity } }))[0]
      ?.urgency;
  expect([urgency("page"), urgency("notify")]).toEqual(["critical", "warning"]);
});

test("a machine that is down is the state of the whole, and carries nobody", () => {
  const servers = [...machines.slice(0, 2), ofCluster("media-1", { ...isDown, load: 35 })];
  const view = clusterView(fleet(servers, incident), deployment);
  expect(view?.state).toEqual({ words: "media-1: The machine is down", variant: "warning" });
  expect(view?.capacity).toMatchObject({ people: 5, carries: 112, hasSpare: false, advice: "now" });
  const unknown = { carries: undefined, load: undefined };
  expect(view?.machines[1]).toMatchObject({ ...unknown, lastParticipants: 5 });
});

test("while nobody can join the capacity says so", () => {
  const lost = { code: "redis.lost", subject: "", severity: "page", since: begin } as const;
  const closed = (causes: IncidentSummary["causes"]) =>
    clusterView(fleet(machines, { ...incident, causes }), deployment)?.isClosed;
  expect(closed([lost])).toBe(true);
  expect(closed([{ ...lost, endedAt: begin + minute }])).toBe(false);
  const edge = { id: "edge", name: "edge", role: "edge" } as const;
  expect(closed([{ ...lost, code: "down", machine: edge }])).toBe(true);
  expect(closed([...incident.causes])).toBe(false);
  expect(clusterView(fleet(machines), deployment)?.isClosed).toBe(false);
});

test("while a version is taken up each machine says how far it is", () => {
  const target = (server: string, state: Target["state"]): Target => ({
    ...{ server, name: server, state, steps: [{ state, at: begin }] },
  });
  const targets = [
    target("media-1", "proved"),
    target("media-2", "draining"),
    target("edge", "approved"),
  ];
  const rollout: RolloutView = {
    ...{ id: "rollout", deployment: "deployment", version: 5, isLower: false, needed: 1 },
    ...{ requestedAt: begin, requestedBy: "ada", endsAt: begin + minute, approvals: [], targets },
  };
  const view = clusterView(fleet(machines), deployment, [rollout]);
  expect(view?.rollout).toEqual({ version: 5, isOpen: true });
  expect(view?.machines.map(({ name, step }) => [name, step])).toEqual([
    ["edge", "Waits for its turn"],
    ["media-1", "In use and proved"],
    ["media-2", "Waits for a quiet moment"],
  ]);
  const ended = { ...rollout, targets: targets.map((each) => target(each.server, "proved")) };
  const later = { ...fleet(machines), readAt: begin + 25 * 60 * minute };
  expect(clusterView(later, deployment, [ended])?.rollout).toBeUndefined();
});

test("the list has the cluster as one, and its machines together", () => {
  const alone = serverView("alone", { deployment: "other" });
  const servers = [ofCluster("media-1", { ...isDown, incident }), alone, ...machines.slice(0, 2)];
  const list = fleetList(fleet(servers, incident), new URLSearchParams(), new Map());
  expect(list.lines.map(({ name }) => name)).toEqual(["edge", "media-1", "media-2", "alone"]);
  expect(list.clusters).toMatchObject([
    { id: "deployment", state: { words: "media-1: The machine is down" }, participants: 5 },
  ]);
});

test("what two machines of a cluster have together waits once for somebody", () => {
  const paging: IncidentSummary = { ...incident, severity: "page" };
  const servers = machines.map((view) => ({ ...view, incident: paging }));
  expect(fleetList(fleet(servers, paging), new URLSearchParams(), new Map()).waiting).toBe(1);
});
