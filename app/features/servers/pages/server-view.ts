import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { OutsideCheck } from "~/features/deployments/checks/check";
import type { IncidentSummary } from "../incidents/incident";
import type { HistoryEntry } from "../incidents/server-history";
import type { LivingTokens } from "../ingest/enrolment.server";
import type { Layout } from "../layout/layout";
import type { Sample } from "../metrics/packed-figures";
import type { Capacity, Series } from "../metrics/series";
import type { Change, Milestones, Report, ServerRecord } from "../state/server-record";
import type { ServerState } from "../state/state";
import type { MonthTraffic, Threshold } from "../state/threshold";

/** A server as the site shows it in a list. */
export type ServerView = Pick<ServerRecord, "id" | "deployment" | "name" | "enrolledAt"> &
  Pick<
    Report,
    "stages" | "findings" | "services" | "certificates" | "addresses" | "rebootPending"
  > & {
    retiredAt: number | undefined;
    /** Undefined where its files do not say it. A servers Worker of before does not say it of any. */
    madeFrom?: Report["madeFrom"] | undefined;
    /** Missing where its files are of a deployment. A servers Worker of before does not say it. */
    layout?: Layout;
    /** The version of LiveKit that it says beside its images. A servers Worker of before does not say it. */
    release?: string | undefined;
    state: ServerState;
    /** Where its LiveKit answers, as it says itself. A servers Worker of before does not say it. */
    domain?: string | undefined;
    /** A servers Worker of before does not say them. */
    milestones?: Milestones | undefined;
    /** Undefined without any. A servers Worker of before does not say them. */
    labels?: readonly string[] | undefined;
    lastReportAt: number | undefined;
    doctorAt: number | undefined;
    backupAt: number | undefined;
    rooms: number | undefined;
    participants: number | undefined;
    /** What it is in its cluster; missing where it is a server by itself. */
    role?: Role;
    /** Of a machine of a cluster. */
    cpus?: number | undefined;
    /** In % of all its processors. A servers Worker of before does not say it. */
    load?: number | undefined;
    incident: IncidentSummary | undefined;
    /** The end of its maintenance window; undefined without one. */
    maintenanceUntil: number | undefined;
    /** When an outage of ours began that keeps its reports away; until it has had the time to report again. */
    ourFault: number | undefined;
    /** The most participants in each half hour of the last 24 hours, oldest first; null where nothing was reported. */
    day: (number | null)[];
    request: { machine: string; instance: string; at: number } | undefined;
  };

/**
 * Every server of a workspace, newest first, and when they were read. `tokens`: a servers Worker of before does not say
 * them. `zone`: the workspace's time zone, if it has set one.
 */
export type FleetOverview = {
  readAt: number;
  servers: ServerView[];
  tokens?: LivingTokens[];
  zone?: string | undefined;
  /** Missing without any. */
  clusters?: ClusterIncident[];
};

/** A cluster by its deployment, and what is wrong with it. */
export type ClusterIncident = { deployment: string; incident: IncidentSummary | undefined };

/** A server with its figures of the newest minute: those that the charts of its page end with. */
export type ServerFigures = ServerView & {
  capacity: Capacity;
  /** Undefined where it has not reported for ten minutes. */
  latest: Sample | undefined;
  /** What its participants publish and subscribe to, where LiveKit says so. */
  tracks: { published?: number | undefined; subscribed?: number | undefined };
};

/**
 * A server with its figures over a range of time, and what happened to it, newest first: a servers Worker of before says
 * of that only what changed, and a site of before reads only that.
 */
export type ServerPage = ServerView & {
  readAt: number;
  /** The workspace's time zone, if it has set one. */
  zone?: string | undefined;
  changes: readonly Change[];
  history?: readonly HistoryEntry[];
  series: Series;
  capacity: Capacity;
  /** Those that the team set for it; a servers Worker of before has none. */
  thresholds?: readonly Threshold[];
  /** Missing before two reports said what was sent. */
  traffic?: MonthTraffic;
  /** When the first report since its boot came, and when its LiveKit started. A servers Worker of before says neither. */
  bootedAt?: number;
  liveKitSince?: number;
  /** It is a trial's: nothing checks it. */
  isSimulated?: true;
  /** What was found from outside. Missing before the first check; a servers Worker of before does not say it. */
  outside?: Pick<OutsideCheck, "at" | "changedAt" | "results" | "isScheduled">;
};
