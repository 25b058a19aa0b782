import type { Cause, Severity } from "./cause";
import type { Series } from "./figures/series";
import type { Report } from "./report";
import type { Change, Pause, ServerRecord } from "./server-record";

/** What a server is like now. `since` is in milliseconds since 1970, like every time here. */
export type ServerState =
  | { code: "waiting" }
  /** `stage`: the first stage of the first boot that is not reached. */
  | { code: "booting"; stage: string }
  | { code: "healthy" }
  /** `finding`: the code of the worst one. */
  | { code: "degraded"; finding: string }
  | { code: "updating"; since: number }
  /** It does not report, but its LiveKit answers, or we have not asked yet. */
  | { code: "silent"; since: number }
  /** It neither reports nor answers. */
  | { code: "down"; since: number }
  | { code: "twice" }
  /** `isEnding`: the next report counts again. */
  | ({ code: "paused"; isEnding: boolean } & Pick<Pause, "why" | "allowed">)
  | { code: "retired"; since: number };

/** The open incident of a server. */
export type IncidentSummary = {
  id: string;
  openedAt: number;
  severity: Severity;
  /** Worst first; those that lasted and ended are among them until the incident closes. */
  causes: readonly Cause[];
  acknowledged: { by: string; at: number } | undefined;
  snoozedUntil: number | undefined;
};

/** What the database keeps of a server, so that lists show it while the servers Worker cannot be reached. */
export type KnownServer = Pick<
  ServerRecord,
  "id" | "deployment" | "name" | "enrolledAt" | "retiredAt"
>;

/** A server as the site shows it in a list. */
export type ServerView = Pick<ServerRecord, "id" | "deployment" | "name" | "enrolledAt"> &
  Pick<
    Report,
    "stages" | "findings" | "services" | "certificates" | "addresses" | "rebootPending"
  > & {
    retiredAt: number | undefined;
    /** Undefined where its files do not say it. A servers Worker of before does not say it of any. */
    madeFrom?: Report["madeFrom"] | undefined;
    state: ServerState;
    lastReportAt: number | undefined;
    doctorAt: number | undefined;
    backupAt: number | undefined;
    rooms: number | undefined;
    participants: number | undefined;
    incident: IncidentSummary | undefined;
    /** Until when nothing is said of it; undefined where people are told. */
    maintenanceUntil: number | undefined;
    /** Since when its reports do not reach us through our own fault; also shortly after, until it had time to report. */
    ourFault: number | undefined;
    /** The most participants in each half hour of the last 24 hours, oldest first; null where nothing was reported. */
    day: (number | null)[];
    request: { machine: string; instance: string; at: number } | undefined;
  };

/** How many tokens of a deployment can still connect machines, and when the last of them ends. */
export type LivingTokens = { deployment: string; count: number; ends: number };

/**
 * Every server of a workspace, newest first, and when they were read. `tokens`: a servers Worker of before does not say
 * them.
 */
export type FleetOverview = { readAt: number; servers: ServerView[]; tokens?: LivingTokens[] };

/** A server with its history: changes newest first, and its figures over a range of time. */
export type ServerPage = ServerView & {
  readAt: number;
  changes: readonly Change[];
  series: Series;
  /** How much there is of what the figures count; sizes in KiB. */
  capacity: { cpus: number | undefined; memory: number | undefined; disk: number | undefined };
};
