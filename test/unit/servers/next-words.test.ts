import { expect, test } from "vitest";
import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { nextWords } from "../../../app/features/deployments/progress/next-words.ts";
import {
  currentAddress,
  isBehind,
  stepStates,
} from "../../../app/features/deployments/progress/ticks.ts";
import { asReported } from "../../../app/features/deployments/reported-servers.ts";
import type { Deployment } from "../../../app/features/deployments/stored-deployment.ts";
import { reportedServers } from "../../../app/features/servers/pages/reported-servers.server.ts";
import type { ServerView } from "../../../app/features/servers/pages/server-view.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import { serverView } from "../../support/servers/shown-server.ts";

const now = Date.UTC(2026, 10, 25, 12);
const at = new Date(now).toISOString();
const options: DeploymentOptions = {
  ...defaultOptions,
  ...{ domain: "live.example.com", email: "ops@example.com" },
};

/** The choices of each version: only the schedule of updates differs, which a server has to take up. */
const optionsOf = (version: number): DeploymentOptions => ({
  ...options,
  updates: version % 2 === 0 ? "weekly" : "manual",
});
const hashOf = ({ updates }: DeploymentOptions) => updates;

const saved = (more: Partial<Deployment> = {}): Deployment => {
  const version = more.version ?? 1;
  return {
    ...{ id: "d-1", workspaceId: "w-1", name: "Production", version, ticks: {} },
    ...{ address: undefined, applied: undefined, createdAt: at, updatedAt: at },
    stored: { options: optionsOf(version) },
    ...more,
  };
};

const healthy: Partial<ServerView> = {
  ...{ state: { code: "healthy" }, enrolledAt: now, lastReportAt: now, doctorAt: now },
  milestones: { doctorPassedAt: now, callAt: now },
};
const server = (name: string, more: Partial<ServerView> = {}, version = 1) =>
  serverView(name, {
    ...healthy,
    madeFrom: { deployment: "d-1", version, isChanged: false },
    ...more,
  });
const finding = (code: string, severity: "critical" | "warning") => ({
  state: { code: "degraded", finding: code } as const,
  findings: [{ code, severity, subject: "", found: "", wanted: "" }],
});
const down = { state: { code: "down", since: now } } as const;
const retired = { state: { code: "retired", since: now }, retiredAt: now } as const;
const incident = (code: string, endedAt?: number): Partial<ServerView> => ({
  incident: {
    ...{ id: "i-1", openedAt: now, severity: "page", acknowledged: undefined },
    causes: [{ code, subject: "", severity: "page", since: now, ...(endedAt ? { endedAt } : {}) }],
    snoozedUntil: undefined,
  },
});

function nextOf(servers: readonly ServerView[], more: Partial<Deployment> = {}) {
  const reports = reportedServers(servers);
  const deployment = asReported(saved(more), reports);
  const shown = reports.get(deployment.id);
  return nextWords({
    ...{ deployment, servers: shown },
    states: stepStates(deployment, optionsOf, hashOf, shown?.seen),
    isBehind: isBehind(deployment, optionsOf, hashOf),
  });
}
const wordsOf = (...args: Parameters<typeof nextOf>) => nextOf(...args).words;

const tick = (version: number) => ({ version, at, how: "hand" as const });
const allTicked = (version: number): Deployment["ticks"] =>
  Object.fromEntries(
    ["files", "machine", "dns", "answer", "doctor", "connect"].map((step) => [step, tick(version)]),
  );

test.for<[string, ServerView[], Partial<Deployment>, string]>([
  ["nothing", [], {}, "Next: create the VM"],
  ["ticks alone", [], { ticks: allTicked(1) }, "Everything is done"],
  [
    "ticks of a version before, on a server that nobody connected",
    [],
    { version: 2, ticks: allTicked(1), applied: { version: 1, at } },
    "Your server runs version 1. Next: run the doctor",
  ],
  ["a healthy server", [server("sfu-1")], {}, "Everything is done"],
  [
    "a server that waits for its first report",
    [
      serverView("sfu-1", {
        ...{ enrolledAt: now, state: { code: "waiting" } },
      }),
    ],
    {},
    "sfu-1 waits for its first report. Next: set the DNS records",
  ],
  [
    "a full disk after everything was done",
    [server("m1", finding("disk.full", "critical"))],
    {},
    "m1: The disk is nearly full",
  ],
  [
    "a full disk before its doctor passed: DNS is right all the same",
    [server("m1", { ...finding("disk.full", "critical"), milestones: {} })],
    {},
    "m1: The disk is nearly full. Next: run the doctor",
  ],
  [
    "two dead servers",
    [server("sfu-1", down), server("sfu-2", down)],
    {},
    "sfu-1 and sfu-2 are down",
  ],
  ["one dead of two", [server("sfu-1", down), server("sfu-2")], {}, "sfu-1 is down"],
  [
    "a disconnected server alone",
    [server("studio", retired)],
    {},
    "studio is disconnected, not watched",
  ],
  [
    "a disconnected server beside one that runs",
    [server("old", retired), server("a")],
    {},
    "Everything is done",
  ],
  [
    "two versions",
    [server("sfu-2", {}, 5), server("sfu-1", {}, 6)],
    { version: 6 },
    "sfu-2 runs version 5, sfu-1 version 6. Next: bring version 6 to sfu-2",
  ],
  [
    "two versions that make the same files",
    [server("sfu-2", {}, 4), server("sfu-1", {}, 6)],
    { version: 6 },
    "sfu-2 runs version 4, sfu-1 version 6",
  ],
  [
    "an older version",
    [server("sfu-1", {}, 5)],
    { version: 6 },
    "Your server runs version 5. Next: bring version 6 to it",
  ],
  [
    "an older version on both",
    [server("sfu-1", {}, 5), server("sfu-2", {}, 5)],
    { version: 6 },
    "Your servers run version 5. Next: bring version 6 to them",
  ],
  [
    "steps that a change opened, on a server that runs it",
    [server("sfu-1", {}, 6)],
    { version: 6, ticks: allTicked(5) },
    "Everything is done",
  ],
  [
    "steps that a change opened, on a server that does not run it yet",
    [server("sfu-1", {}, 5)],
    { version: 6, ticks: allTicked(5) },
    "Your server runs version 5. Next: run the doctor",
  ],
  [
    "files that were changed by hand",
    [server("sfu-1", { madeFrom: { deployment: "d-1", version: 1, isChanged: true } })],
    {},
    "The files of sfu-1 differ from version 1",
  ],
  [
    "files of another deployment",
    [server("sfu-1", { madeFrom: { deployment: "d-2", version: 1, isChanged: false } })],
    {},
    "sfu-1 runs files of another deployment",
  ],
  [
    "different faults: the critical ones first",
    [
      server("a", finding("disk.filling", "warning")),
      server("b", { state: { code: "silent", since: now } }),
      server("c", finding("disk.full", "critical")),
    ],
    {},
    "c: The disk is nearly full. b does not report. a: The disk fills up",
  ],
  [
    "many faults",
    [
      ...["a", "b", "c", "d", "e"].map((name) => server(name, down)),
      server("f", finding("disk.full", "critical")),
      server("g", { state: { code: "silent", since: now } }),
      server("h", { state: { code: "duplicate" } }),
    ],
    {},
    "a, b and 3 more are down. f: The disk is nearly full. 2 more need a look",
  ],
  [
    "a healthy server that another machine wants to replace",
    [server("sfu-1", { request: { machine: "m", instance: "i", at: now } })],
    {},
    "Another machine wants to replace sfu-1",
  ],
  [
    "an update with an incident that pages",
    [server("sfu-1", { state: { code: "updating", since: now }, ...incident("disk.full") })],
    {},
    "sfu-1: The disk is nearly full. sfu-1 is updating",
  ],
  [
    "an incident that waits for five good minutes",
    [server("sfu-1", incident("disk.full", now))],
    {},
    "sfu-1 has an open incident",
  ],
  [
    "an outage of ours",
    [server("sfu-1", { state: { code: "silent", since: now }, ourFault: now })],
    {},
    "Reports of sfu-1 do not reach us",
  ],
  [
    "a plan that has ended",
    [
      server("sfu-1", {
        state: { code: "paused", why: "plan-ended", allowed: 0, isEnding: false },
      }),
    ],
    {},
    "sfu-1 is paused, not watched",
  ],
])("of a deployment with %s is said what it needs", ([, servers, deployment, words]) => {
  expect(wordsOf(servers, deployment)).toBe(words);
});

test("the sentence is as urgent as the worst server", () => {
  const warned = server("a", finding("disk.filling", "warning"));
  expect(nextOf([server("b")]).urgency).toBeUndefined();
  expect(nextOf([warned, server("b")]).urgency).toBe("warning");
  expect(nextOf([warned, server("c", finding("disk.full", "critical"))]).urgency).toBe("critical");
});

test.for<[string, Partial<ServerView>, string[]]>([
  ["introduced itself", {}, ["files", "machine"]],
  [
    "has a doctor that found a wrong record",
    { doctorAt: now, ...finding("dns.wrong", "critical") },
    ["files", "machine"],
  ],
  [
    "has a doctor that found a full disk",
    { doctorAt: now, ...finding("disk.full", "critical") },
    ["files", "machine", "dns"],
  ],
  [
    "has a doctor that found nothing critical",
    { doctorAt: now },
    ["files", "machine", "dns", "answer", "doctor"],
  ],
  [
    "was ready once, and has a wrong record now",
    { doctorAt: now, ...finding("dns.wrong", "critical"), stages: [{ code: "ready", at: now }] },
    ["files", "machine", "dns", "answer", "doctor"],
  ],
  [
    "passed its doctor and had a call once, whatever is wrong now",
    { ...finding("dns.wrong", "critical"), milestones: { doctorPassedAt: now, callAt: now } },
    ["files", "machine", "dns", "answer", "doctor", "connect"],
  ],
  [
    "had a call today",
    { lastReportAt: now, day: [...Array(47).fill(null), 2] },
    ["files", "machine", "connect"],
  ],
])("a server that %s shows which steps are done", ([, more, steps]) => {
  const reports = reportedServers([serverView("sfu-1", { enrolledAt: now, ...more })]);
  expect(Object.keys(reports.get("d-1")?.seen ?? {})).toEqual(steps);
});

test("a deployment runs the oldest version of its connected servers, else what people said", () => {
  const stored = { id: "d-1", applied: { version: 1, at } };
  const applied = (...servers: ServerView[]) =>
    asReported(stored, reportedServers(servers)).applied;
  const from = (version: number, of = "d-1", isChanged = false) =>
    server(`v${version}`, { madeFrom: { deployment: of, version, isChanged } });
  expect(applied(from(4), from(3))).toEqual({ version: 3, at: undefined });
  expect(applied(from(4), from(3, "d-1", true))?.version).toBe(4);
  expect(applied(from(3, "d-1", true))).toEqual(stored.applied);
  expect(applied()).toEqual(stored.applied);
  expect(applied(server("a", { madeFrom: undefined }), from(2, "d-2"))).toEqual(stored.applied);
  expect(applied({ ...from(2), deployment: "d-2" })).toEqual(stored.applied);
  expect(applied({ ...from(2), ...retired }, from(4))?.version).toBe(4);
});

test("a change to a cluster opens every step again, forgets the old server's address, and so does the way back", () => {
  const cluster = {
    ...options,
    topology: { kind: "cluster", machines: 3, network: "10.0.0.0/16", egress: 0 },
  } as const;
  for (const [before, after, label] of [
    [options, cluster, "Servers"],
    [cluster, options, "Servers"],
  ] as const) {
    const deployment = saved({
      ...{ version: 2, ticks: allTicked(1), stored: { options: after } },
      address: { version: 1, ipv4: "198.41.0.4" },
    });
    const states = stepStates(
      deployment,
      () => before,
      () => "same",
    );
    expect(Object.values(states).map(({ done }) => done)).toEqual(Array(6).fill(false));
    expect(states.machine).toMatchObject({ why: expect.stringContaining(label) });
    expect(
      currentAddress(
        deployment,
        () => before,
        () => "same",
      ),
    ).toBeUndefined();
  }
});

test("of several machines the next step is to create them", () => {
  const states = stepStates(saved(), optionsOf, hashOf);
  const next = (several: object | undefined) =>
    nextWords({
      deployment: saved(),
      servers: undefined,
      states,
      isBehind: false,
      view: { several },
    });
  expect(next({}).words).toBe("Next: create the machines");
  expect(next(undefined).words).toBe("Next: create the VM");
});
