import { expect, test } from "vitest";
import type { IncidentSummary } from "../../../app/features/servers/incidents/incident.ts";
import { fleetList } from "../../../app/features/servers/pages/fleet-list.server.ts";
import { labelsIn } from "../../../app/features/servers/pages/server-changes.server.ts";
import type { ServerView } from "../../../app/features/servers/pages/server-view.ts";
import type { ServerState } from "../../../app/features/servers/state/state.ts";
import { serverView } from "../../support/servers/shown-server.ts";

const now = Date.UTC(2026, 10, 25, 12);

const server = (name: string, state: ServerState, more: Partial<ServerView> = {}) =>
  serverView(name, { state, enrolledAt: now, lastReportAt: now, ...more });

const healthy = { code: "healthy" } as const;
const names = new Map([["d-1", "Production"]]);
const listOf = (servers: ServerView[], search = "") =>
  fleetList({ readAt: now, servers }, new URLSearchParams(search), names);
const namesIn = (list: ReturnType<typeof listOf>) => list.lines.map(({ name }) => name);

/** So many healthy ones that the list has a filter. */
const many = Array.from({ length: 25 }, (_, at) =>
  server(`sfu-${String(at).padStart(2, "0")}`, healthy),
);

test("what is critical comes first, then what else is wrong, and then by name", () => {
  const full = {
    ...{ code: "disk.full", severity: "critical" as const },
    ...{ subject: "/", found: "", wanted: "" },
  };
  const request = { machine: "m", instance: "i-2", at: now };
  const list = listOf([
    server("b", healthy),
    server("booting", { code: "booting", stage: "images" }),
    server("sfu-10", healthy),
    server("sfu-9", healthy),
    server("a", healthy),
    server("asked", healthy, { request }),
    server("degraded", { code: "degraded", finding: "disk.filling" }),
    server("silent", { code: "silent", since: now }),
    server("full", { code: "degraded", finding: "disk.full" }, { findings: [full], request }),
    server("down", { code: "down", since: now }),
  ]);
  expect(namesIn(list)).toEqual([
    ...["down", "full", "silent", "asked", "degraded"],
    ...["booting", "a", "b", "sfu-9", "sfu-10"],
  ]);
  expect(list).toMatchObject({ count: 10, wrong: 5 });
});

test("which servers run a version with a known fault is one list, however few there are", () => {
  const finding = { severity: "warning", subject: "redis", found: "", wanted: "" } as const;
  const findings = [{ code: "version.affected", ...finding }];
  const list = [
    server("a", { code: "degraded", finding: "version.affected" }, { findings }),
    server("b", healthy, { findings: [{ code: "files.affected", ...finding }] }),
    server("c", { code: "degraded", finding: "disk.full" }),
    server("old", { code: "retired", since: now }, { retiredAt: now, findings }),
  ];
  expect(listOf(list).affected).toBe(2);
  expect(namesIn(listOf(list, "show=affected"))).toEqual(["a", "b"]);
});

test("servers that were disconnected are not counted, and are shown only where nothing else is", () => {
  const retired = server("old", { code: "retired", since: now }, { retiredAt: now });
  const one = server("sfu-1", healthy, { participants: 3 });
  expect(listOf([retired, one])).toMatchObject({ count: 1, retired: 1, participants: 3 });
  expect(namesIn(listOf([retired, one]))).toEqual(["sfu-1"]);
  expect(namesIn(listOf([retired]))).toEqual(["old"]);
  expect(namesIn(listOf([retired, one], "show=retired"))).toEqual(["old"]);
});

test("up to twenty servers need no filter, and no text narrows them", () => {
  const list = listOf(many.slice(0, 20), "q=sfu-01");
  expect(list.hasFilter).toBe(false);
  expect(list.lines).toHaveLength(20);
});

test("a long list is narrowed by every word of name, deployment or state, and by group", () => {
  const down = server("edge-1", { code: "down", since: now });
  const retired = server("old", { code: "retired", since: now }, { retiredAt: now });
  const all = [...many, down, retired];
  expect(namesIn(listOf(all, "q=EDGE%20production"))).toEqual(["edge-1"]);
  expect(namesIn(listOf(all, "q=down"))).toEqual(["edge-1"]);
  expect(namesIn(listOf(all, "show=wrong"))).toEqual(["edge-1"]);
  expect(namesIn(listOf(all, "show=retired"))).toEqual(["old"]);
  expect(listOf(all, "show=running").lines).toHaveLength(25);
  expect(listOf(all, "q=nothing-like-that").lines).toEqual([]);
  expect(listOf(all, "show=other")).toMatchObject({ text: "", group: "" });
});

test("a server whose incident wakes somebody is wrong, whatever else it does", () => {
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: now, severity: "page", causes: [] },
    ...{ acknowledged: undefined, snoozedUntil: undefined },
  };
  const updating = { code: "updating", since: now } as const;
  const list = listOf([
    server("waits", updating, { incident: { ...incident, severity: "notify" } }),
    server("pages", updating, { incident }),
  ]);
  expect(list.lines.map(({ name, isWrong }) => [name, isWrong])).toEqual([
    ["pages", true],
    ["waits", false],
  ]);
});

test("the people of all connected servers together are one line, with a gap where none said anything", () => {
  const day = (...most: (number | null)[]) => ({ day: most });
  const list = listOf([
    server("a", healthy, day(null, 3, 4)),
    server("b", healthy, day(null, null, 9)),
    server("old", { code: "retired", since: now }, { retiredAt: now, ...day(50, 50, 50) }),
  ]);
  expect(list.day).toEqual([null, 3, 13]);
  expect(listOf([server("a", healthy, day(1, 2, 3))]).day).toBeUndefined();
});

test("a long list is sorted by people, load, version or name, and what a server does not say comes last", () => {
  const version = (number: number) => ({
    madeFrom: { deployment: "d-1", version: number, isChanged: false },
  });
  const servers = [
    server("c", healthy, { participants: 3, load: 90, ...version(7) }),
    server("a", healthy, { participants: 9, load: 10, ...version(8) }),
    server("b", { code: "degraded", finding: "disk.filling" }, { participants: 5, load: 50 }),
    ...many,
  ];
  const first = (search: string) => namesIn(listOf(servers, search)).slice(0, 3);
  expect(first("")).toEqual(["b", "a", "c"]);
  expect(first("sort=people")).toEqual(["a", "b", "c"]);
  expect(first("sort=load")).toEqual(["c", "b", "a"]);
  expect(first("sort=version")).toEqual(["c", "a", "b"]);
  expect(first("sort=name")).toEqual(["a", "b", "c"]);
  expect(listOf(servers, "sort=constructor").sort).toBe("");
  // A short list has no form for it.
  expect(namesIn(listOf(servers.slice(0, 3), "sort=load&by=deployment"))).toEqual(["b", "a", "c"]);
});

test("servers of a deployment stand together, each group in the chosen order, those of none last", () => {
  const servers = [
    server("gone", healthy, { deployment: "d-9", participants: 99 }),
    ...many.map((each, at) => ({
      ...each,
      deployment: at % 2 === 0 ? "d-1" : "d-2",
      participants: at,
    })),
  ];
  const known = new Map([
    ["d-1", "Production"],
    ["d-2", "Demo"],
  ]);
  const search = new URLSearchParams("by=deployment&sort=people&q=sfu");
  const { lines, isByDeployment } = fleetList({ readAt: now, servers }, search, known);
  expect(isByDeployment).toBe(true);
  expect(lines.map(({ deploymentName }) => deploymentName)).toEqual([
    ...Array<string>(12).fill("Demo"),
    ...Array<string>(13).fill("Production"),
  ]);
  expect(lines.slice(0, 2).map(({ participants }) => participants)).toEqual([23, 21]);
  const all = fleetList({ readAt: now, servers }, new URLSearchParams("by=deployment"), known);
  expect(all.lines.at(-1)?.name).toBe("gone");
});

test("the filter finds labels, which are as they were typed with commas between them", () => {
  const labels = labelsIn(" eu-west,, staging  two ,eu-west");
  expect(labels).toEqual(["eu-west", "staging two"]);
  const servers = [server("labelled", healthy, { labels }), ...many];
  expect(namesIn(listOf(servers, "q=EU-west"))).toEqual(["labelled"]);
  expect(listOf(servers, "q=labelled").lines[0]?.labels).toEqual(labels);
});

test("the first screen of a large fleet has the worst 400, and says how many more there are", () => {
  const servers = Array.from({ length: 500 }, (_, at) => serverView(`sfu-${at}`));
  const listed = (search: string) =>
    fleetList({ readAt: 0, servers }, new URLSearchParams(search), new Map());
  expect(listed("")).toMatchObject({ count: 500, hidden: 100 });
  expect(listed("").lines).toHaveLength(400);
  expect(listed("show=all")).toMatchObject({ hidden: 0 });
  expect(listed("q=sfu").lines).toHaveLength(500);
});
