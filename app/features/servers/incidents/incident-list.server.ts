import { clusterIdOf, clusterName, type ServerRecord } from "../state/server-record";
import { causeWords } from "./cause-words";
import type { Incident } from "./incident";
import {
  acknowledgedAfterMs,
  acknowledgementOf,
  beganAt,
  endedAt,
  hasPaged,
  meanTimes,
  type Uptime,
  uptimeMonths,
  uptimeOf,
} from "./incident-figures";
import { type IncidentQuery, maxIncidents } from "./incident-query";

/** An incident as lists and files have it. Times and durations in milliseconds. */
export type IncidentLine = {
  id: string;
  /** `isCluster`: it is one of several machines, and its id is its deployment's. */
  server: { id: string; name: string; deployment?: string | undefined; isCluster?: true };
  /** Whether it pages now or, where it is over, has paged. */
  isPaging: boolean;
  beganAt: number;
  endedAt: number | undefined;
  closedAs: Incident["closedAs"];
  /** Worst first, of what lasts where something does. */
  titles: string[];
  /** What the doctor found, in its words. */
  found: string[];
  /** In calls when it began. */
  participants: number | undefined;
  acknowledged: Incident["acknowledged"];
  acknowledgedAfterMs: number | undefined;
  snoozedUntil: number | undefined;
};

export type IncidentList = {
  lines: IncidentLine[];
  /** How many there are on all pages, and how many of them are open. */
  count: number;
  open: number;
  pages: number;
  times: ReturnType<typeof meanTimes>;
  months: string[];
  /** The servers that were up least come first; `servers` counts all of them. */
  uptime: Uptime[];
  servers: number;
  /** When the oldest incident was opened that is listed, where there are more than can be. */
  from: number | undefined;
};

const linesPerPage = 50;
const serversListed = 20;

type Source = {
  /** At most `maxIncidents`, those that are open and then the newest. */
  incidents: readonly Incident[];
  servers: readonly ServerRecord[];
  /** The names of deployments by their ids. */
  deployments?: Readonly<Record<string, { name: string }>> | undefined;
};

type IncidentServer = Pick<ServerRecord, "id" | "name" | "deployment">;

/** Whom incidents are about, by `watchedOf`. */
function watchedIn({ servers, deployments }: Source): Map<string, IncidentServer> {
  const clusters = servers.flatMap((server): IncidentServer[] => {
    const id = clusterIdOf(server);
    if (id === undefined) return [];
    return [{ id, name: clusterName(deployments?.[id]?.name, server), deployment: id }];
  });
  return new Map([...servers, ...clusters].map((each) => [each.id, each]));
}

/** What the page of incidents shows. */
export function incidentList(source: Source, query: IncidentQuery, now: number): IncidentList {
  const { incidents, servers, from } = narrowed(source, query, now);
  const pages = Math.max(1, Math.ceil(incidents.length / linesPerPage));
  const begin = (Math.min(query.page, pages) - 1) * linesPerPage;
  const uptime = uptimeOf(servers, source.incidents, now, from).toSorted(leastFirst);
  const byId = watchedIn(source);
  return {
    lines: incidents
      .slice(begin, begin + linesPerPage)
      .map((incident) => incidentLine(incident, byId.get(incident.server), now)),
    ...{ count: incidents.length, open: incidents.filter(isOpen).length, pages },
    times: meanTimes(incidents),
    ...{ months: uptimeMonths(now), uptime: uptime.slice(0, serversListed) },
    ...{ servers: uptime.length, from },
  };
}

/** The same whole, for files: every incident that matches, and every server. */
export type IncidentFile = Pick<IncidentList, "lines" | "months" | "uptime" | "from">;

export function incidentFile(source: Source, query: IncidentQuery, now: number): IncidentFile {
  const { incidents, servers, from } = narrowed(source, query, now);
  const byId = watchedIn(source);
  return {
    lines: incidents.map((incident) => incidentLine(incident, byId.get(incident.server), now)),
    ...{ months: uptimeMonths(now), uptime: uptimeOf(servers, source.incidents, now, from), from },
  };
}

const dayMs = 86_400_000;
const isOpen = ({ closedAt }: Incident): boolean => closedAt === undefined;

/** What is open comes first, then what began last. */
function narrowed({ incidents, servers }: Source, query: IncidentQuery, now: number) {
  const text = query.server.toLowerCase();
  const matching = servers.filter(
    ({ id, name, deployment }) =>
      (!query.deployment || deployment === query.deployment) &&
      (!text || id === text || name.toLowerCase().includes(text)),
  );
  const ids = new Set(matching.flatMap((server) => [server.id, clusterIdOf(server) ?? []].flat()));
  const since = now - query.days * dayMs;
  const found = incidents.filter(
    (incident) =>
      ids.has(incident.server) &&
      (!query.state || isOpen(incident) === (query.state === "open")) &&
      (!query.severity || isPagingLine(incident) === (query.severity === "page")) &&
      (incident.closedAt ?? now) >= since,
  );
  const oldest = incidents.length < maxIncidents ? undefined : incidents.at(-1)?.openedAt;
  return {
    incidents: found.toSorted(
      (one, other) =>
        Number(isOpen(other)) - Number(isOpen(one)) ||
        (isOpen(one) ? Number(isPagingLine(other)) - Number(isPagingLine(one)) : 0) ||
        beganAt(other) - beganAt(one),
    ),
    servers: matching.filter(({ reportAt }) => reportAt !== undefined),
    from: oldest,
  };
}

const isPagingLine = (incident: Incident): boolean =>
  isOpen(incident) ? incident.severity === "page" : hasPaged(incident);

export function incidentLine(
  incident: Incident,
  server: IncidentServer | undefined,
  now: number,
): IncidentLine {
  const { id, causes, closedAs, participants, snoozedUntil, isCluster } = incident;
  const lasting = causes.filter((cause) => cause.endedAt === undefined);
  const shown = lasting.length > 0 ? lasting : causes;
  const { name = "", deployment } = server ?? {};
  const cluster = isCluster ? { isCluster } : {};
  return {
    ...{ id, server: { id: incident.server, name, deployment, ...cluster } },
    isPaging: isPagingLine(incident),
    ...{ beganAt: beganAt(incident), endedAt: endedAt(incident), closedAs },
    titles: shown.map((cause) => causeWords(cause).title),
    found: causes.flatMap(({ found }) => found ?? []),
    ...{ participants, acknowledged: acknowledgementOf(incident) },
    acknowledgedAfterMs: acknowledgedAfterMs(incident),
    snoozedUntil: isOpen(incident) && (snoozedUntil ?? 0) > now ? snoozedUntil : undefined,
  };
}

/** By the newest month of which something is known, and then by name. */
function leastFirst(one: Uptime, other: Uptime): number {
  const newest = ({ months }: Uptime) => months.findLast((share) => share !== null) ?? 1;
  const least = ({ months }: Uptime) => Math.min(...months.map((share) => share ?? 1));
  return (
    least(one) - least(other) ||
    newest(one) - newest(other) ||
    one.name.localeCompare(other.name, "en", { numeric: true })
  );
}
