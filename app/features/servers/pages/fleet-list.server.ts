import type { IncidentSummary } from "~/features/servers/incidents/incident";
import type { FleetOverview, ServerView } from "~/features/servers/pages/server-view";
import { isAboutVersion } from "~/features/servers/state/advisory-findings";
import { byRole, clusterName } from "../state/server-record";
import { capacityOf, clusterMachines } from "./cluster-view.server";
import { clusterState, machinesWords } from "./cluster-words";
import { type ServerLine, serverLine } from "./server-details.server";
import { byName, isWrong, rankOf } from "./server-needs";

/** With more servers the list has a filter. */
const maxWithoutFilter = 20;
/** So many stand on the first screen, the worst first; `show=all` has the others too. */
const maxUnasked = 400;

/** What the list can be narrowed to. */
const groups = ["wrong", "affected", "running", "retired"] as const;
export type Group = (typeof groups)[number];

/** What the list can be sorted by; without a choice the worst come first. */
const sorts = ["people", "load", "version", "name"] as const;
export type Sort = (typeof sorts)[number];

/** A server as the overview shows it. */
export type FleetLine = ServerLine & {
  /** The most participants of each half hour of the last day. */
  day: readonly (number | null)[];
  /** Where it was made from. */
  deploymentName: string | undefined;
  isWrong: boolean;
  /** In % of all its processors. */
  load: number | undefined;
  /** The version of the deployment that it runs. */
  version: number | undefined;
  /** What people have done about what is wrong, each in a word or two. */
  handling: string[];
};

/** A cluster of which machines are among the lines. */
export type ClusterLine = {
  /** Of its deployment. */
  id: string;
  name: string;
  words: string;
  state: ReturnType<typeof clusterState>;
  participants: number | undefined;
};

export type FleetList = {
  /** Their machines stand together in `lines`. */
  clusters: ClusterLine[];
  /** How many are left out of the first screen. */
  hidden: number;
  readAt: string;
  zone: FleetOverview["zone"];
  lines: FleetLine[];
  /** Without those that were disconnected. */
  count: number;
  wrong: number;
  /** How many page, and nobody has acknowledged it. */
  waiting: number;
  /** The deployments that connected servers were made from. */
  deployments: { value: string; label: string }[];
  /** How many run a version with a known fault. */
  affected: number;
  /** How many nobody watches, and of how many reports do not reach us through our own fault. */
  paused: number;
  notReceived: number;
  /** When an outage of ours began that keeps reports away, in ISO 8601. */
  ourFault: string | undefined;
  retired: number;
  /** Undefined where no server says anything of now. */
  participants: number | undefined;
  /** The same for each half hour of the last day, as `FleetLine` has it; undefined of a single server. */
  day: readonly (number | null)[] | undefined;
  /** What the list is narrowed to; empty for all that are connected. */
  text: string;
  group: Group | "";
  sort: Sort | "";
  /** Whether those of a deployment stand together. */
  isByDeployment: boolean;
  /** Whether there are so many that people want to narrow them. */
  hasFilter: boolean;
};

type Fleet = Pick<FleetOverview, "readAt" | "servers" | "zone" | "clusters">;

/**
 * The servers of a workspace as a list, what is critical first, then what else is wrong, and
 * within a state by name. `search` is that of the page's
 * address: `show` names a group, without which those that were disconnected are left out, `q` narrows
 * a long list, and `sort` and `by` order it.
 */
export function fleetList(
  { readAt, servers, zone, clusters }: Fleet,
  search: URLSearchParams,
  names: ReadonlyMap<string, string>,
): FleetList {
  const all = servers
    .map((view) => ({ view, rank: rankOf(view) }))
    .sort((one, other) => one.rank - other.rank || byName(one.view, other.view))
    .map(({ view }) => ({
      ...serverLine(view),
      day: view.day,
      deploymentName: names.get(view.deployment ?? ""),
      isWrong: isWrong(view),
      load: view.load,
      version: view.madeFrom?.version,
      handling: handlingOf(view, readAt),
      groups: groupsOf(view),
    }));
  const connectedLines = all.filter(({ groups }) => !groups.includes("retired"));
  const connected = servers.filter(({ retiredAt }) => retiredAt === undefined);
  const faults = connected.flatMap(({ ourFault }) => ourFault ?? []);
  const isLong = all.length > maxWithoutFilter;
  const text = isLong ? (search.get("q") ?? "").trim().slice(0, 100) : "";
  const requested = search.get("show");
  const group = isGroup(requested) ? requested : "";
  const among = group ? all.filter((line) => line.groups.includes(group)) : connectedLines;
  const chosen = isLong ? sorts.find((each) => each === search.get("sort")) : undefined;
  const isByDeployment = isLong && search.get("by") === "deployment";
  // Where all were disconnected, an empty list would say nothing.
  const lines = (among.length > 0 || group ? among : all)
    .filter((line) => matches(line, text))
    .sort(chosen ? orders[chosen] : () => 0)
    .sort(isByDeployment ? byDeployment : () => 0);
  const together = withClusters(lines);
  const isFirst = !text && !group && requested !== "all";
  const shown = isFirst ? together.slice(0, maxUnasked) : together;
  return {
    readAt: new Date(readAt).toISOString(),
    zone,
    clusters: clusterLines({ servers, clusters }, shown, names),
    hidden: lines.length - shown.length,
    lines: shown.map(({ groups: _, ...line }) => line),
    count: connectedLines.length,
    wrong: connectedLines.filter(({ isWrong }) => isWrong).length,
    // Machines of a cluster have one together.
    waiting: new Set(
      connected.flatMap(({ id, role, incident }) =>
        isWaiting(incident, readAt) ? [role ? incident?.id : id] : [],
      ),
    ).size,
    deployments: [...new Set(connected.flatMap(({ deployment = [] }) => deployment))].flatMap(
      (value) => {
        const label = names.get(value);
        return label === undefined ? [] : [{ value, label }];
      },
    ),
    affected: all.filter((line) => line.groups.includes("affected")).length,
    paused: connected.filter(({ state }) => state.code === "paused" && !state.isEnding).length,
    notReceived: faults.length,
    ourFault: faults.length > 0 ? new Date(Math.min(...faults)).toISOString() : undefined,
    retired: all.length - connectedLines.length,
    participants: sumOf(connectedLines.flatMap(({ participants }) => participants ?? [])),
    day: connected.length > 1 ? dayOfAll(connected) : undefined,
    text,
    group,
    sort: chosen ?? "",
    isByDeployment,
    hasFilter: isLong,
  };
}

const clusterOfLine = ({ role, deployment, groups }: FleetLine & { groups?: Group[] }) =>
  role && !groups?.includes("retired") ? deployment : undefined;

/** The machines of a cluster stand where the first of them does: by their roles, and else in the order that they have. */
function withClusters<Line extends FleetLine & { groups: Group[] }>(
  lines: readonly Line[],
): Line[] {
  const groups = Map.groupBy(lines, (line) => clusterOfLine(line) ?? line.id);
  return [...groups.values()].flatMap((group) => group.toSorted(byRole));
}

function clusterLines(
  { servers, clusters }: Pick<Fleet, "servers" | "clusters">,
  lines: readonly FleetLine[],
  names: ReadonlyMap<string, string>,
): ClusterLine[] {
  const ids = new Set(lines.flatMap((line) => clusterOfLine(line) ?? []));
  return [...ids].flatMap((id) => {
    const machines = clusterMachines(servers, id);
    const [first] = machines;
    if (!first) return [];
    const incident = clusters?.find(({ deployment }) => deployment === id)?.incident;
    return {
      ...{ id, name: clusterName(names.get(id), first), words: machinesWords(machines) },
      state: clusterState(machines, incident),
      participants: capacityOf(machines)?.people,
    };
  });
}

/** What a server does not say comes last. Of versions the oldest comes first: it is behind. */
const orders: Record<Sort, (one: FleetLine, other: FleetLine) => number> = {
  people: (one, other) => (other.participants ?? -1) - (one.participants ?? -1),
  load: (one, other) => (other.load ?? -1) - (one.load ?? -1),
  version: (one, other) => (one.version ?? Infinity) - (other.version ?? Infinity) || 0,
  name: byName,
};

/** Servers of deployments that are gone, or of none, come last. */
function byDeployment(one: FleetLine, other: FleetLine): number {
  if (one.deployment === other.deployment) return 0;
  const [name, otherName] = [one.deploymentName, other.deploymentName];
  if (name === undefined || otherName === undefined) return name === otherName ? 0 : name ? -1 : 1;
  return (
    name.localeCompare(otherName, "en", { numeric: true }) ||
    (one.deployment ?? "").localeCompare(other.deployment ?? "")
  );
}

function sumOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number);
}

function dayOfAll(servers: readonly ServerView[]): (number | null)[] {
  const longest = Math.max(...servers.map(({ day }) => day.length));
  return Array.from(
    { length: longest },
    (_, slot) => sumOf(servers.flatMap(({ day }) => day[slot] ?? [])) ?? null,
  );
}

function isWaiting(incident: IncidentSummary | undefined, now: number): boolean {
  if (incident?.severity !== "page" || incident.acknowledged) return false;
  return (incident.snoozedUntil ?? 0) <= now;
}

function handlingOf({ incident, maintenanceUntil }: ServerView, now: number): string[] {
  return [
    ...(incident?.acknowledged ? ["Acknowledged"] : []),
    ...((incident?.snoozedUntil ?? 0) > now ? ["Snoozed"] : []),
    ...(maintenanceUntil === undefined ? [] : ["In maintenance"]),
  ];
}

function groupsOf(view: ServerView): Group[] {
  if (view.retiredAt !== undefined) return ["retired"];
  return [
    isWrong(view) ? "wrong" : "running",
    ...(view.findings.some(isAboutVersion) ? (["affected"] as const) : []),
  ];
}

function isGroup(name: string | null): name is Group {
  return groups.some((group) => group === name);
}

function matches({ name, labels, deploymentName = "", state }: FleetLine, text: string): boolean {
  const searchable = `${name} ${labels.join(" ")} ${deploymentName} ${state.words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchable.includes(word));
}
