import * as z from "zod/mini";
import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { OutsideCheck } from "~/features/deployments/checks/check";
import type { Layout } from "../layout/layout";
import type { DayLine } from "../metrics/day-line";
import type { Exceeded, MonthTraffic } from "./threshold";

/** The machine that a key belongs to. */
export type Machine = { machine: string; instance: string };

/** Whether both are one machine, whatever keys it has. */
export function isSameMachine(one: Machine, other: Machine): boolean {
  return one.machine === other.machine && one.instance === other.instance;
}

/** Something that changed on a server: what it was and what it became, in the machine's words. */
export type Change = {
  at: number;
  code:
    | ("boot" | "version" | "node" | "address" | "certificate" | "service" | "finding" | "machine")
    /** Somebody refused a copy of the machine. */
    | "copy";
  subject: string;
  from: string;
  to: string;
};

/** LiveKit runs in another process since `startedAt`; the former one was last heard of `at`. Both by the machine's clock. */
export type Restart = { at: number; startedAt: number };

/** So many changes of a server are stored. */
export const maxChanges = 50;

/** A boot that reported: the last sequence number that was taken of it, and when its first report arrived. */
export type Boot = { id: string; seq: number; firstAt: number };

/**
 * The last probe of a silent server's domain: whether LiveKit answered, and whether that is certain, because somebody else
 * on the internet answered at that time. Probes of before say only the first.
 */
export type Probe = { at: number; answers: boolean; isCertain?: boolean };

/** What the alarm has noted of a silence; the next report ends it. */
export type Silence = {
  /** When the alarm found it. */
  foundAt: number;
  probe?: Probe;
};

/** Why a server's reports do not count now, or seldom. Its machine runs as before. */
export type Suspension = {
  /**
   * `plan-limit`: others stay. `plan-ended` and `plan-paused`: once a day they count. `history-over`: what was reported
   * is deleted.
   */
  why: "plan-limit" | "plan-ended" | "plan-paused" | "history-over";
  /** How many servers the plan has. */
  allowed: number;
  since: number;
  /** When the machine should have reported again, where the pause ends. */
  until?: number;
};

/** Everything that is stored of a server, but for its figures over time. Times are those at which something arrived here. */
export type ServerRecord = Machine & {
  id: string;
  /** The one that its files were made from; missing where the machine was connected as it was. */
  deployment?: string | undefined;
  name: string;
  /** Where its LiveKit answers: as its version said when it was enrolled, then as its reports say. */
  domain?: string;
  enrolledAt: number;
  /** SHA-256 of the key's secret, in hex. */
  keyHash: string;
  /** When its key ended. */
  retiredAt?: number;
  /** Another machine that used its key and waits for an answer. */
  request?: Machine & { at: number };
  /** Machines that people refused, newest last. */
  refused: Machine[];
  /** The newest last. */
  boots: Boot[];
  /** When an older boot reported beside the newest one. */
  duplicateAt?: number;
  report?: Report;
  reportAt?: number;
  /** How many reports may come at once, as counted at `at`. */
  bucket: { left: number; at: number };
  /** Newest first. */
  changes: Change[];
  silence?: Silence;
  /** When the silence before that began. */
  fellAt?: number;
  /** When its reports began to say that it is being updated. */
  updatingAt?: number;
  /** When its reports began to say that it is busy. */
  busyAt?: number;
  /** When reports without a new result of its doctor began. Missing where the last report has one. */
  uncheckedAt?: number;
  suspension?: Suspension;
  /** The end of its maintenance window, in which nothing is sent of it. */
  maintenanceUntil?: number;
  /** Missing before LiveKit's first figures. */
  day?: DayLine;
  /** What the team calls it beside its name, such as "eu-west". Missing without any. */
  labels?: readonly string[];
  /** The thresholds of the team's own that its last report exceeds. */
  exceeded?: readonly Exceeded[];
  /** Missing before two reports said what was sent. */
  traffic?: MonthTraffic;
  /** What was so once: a step of its setup that it showed stays done. */
  milestones?: Milestones;
  /** Which process of LiveKit was last reported, and when by the machine's clock. Missing in reports of an older release. */
  livekit?: { id: string; at: number };
  /** Restarts of LiveKit that the server's history has not taken yet. Missing without any. */
  restarts?: readonly Restart[];
  /** What was found from outside. Missing before its name led to it, or somebody asked for a check. */
  outside?: OutsideCheck;
  /** It is a trial's: there is no machine, and it is never probed. */
  isSimulated?: true;
};

/** In which order pages list the machines of a cluster. */
const roleOrder: Readonly<Record<Role, number>> = { edge: 0, media: 1, egress: 2 };

export const isRole = (role: string | undefined): role is Role =>
  role !== undefined && Object.hasOwn(roleOrder, role);

/** Machines of a cluster in the order of their roles. */
export const byRole = (one: { role?: Role | undefined }, other: { role?: Role | undefined }) =>
  (one.role ? roleOrder[one.role] : 0) - (other.role ? roleOrder[other.role] : 0);

/** The cluster of a server, by its deployment: servers of one deployment whose reports have a role are one. */
export const clusterIdOf = ({
  deployment,
  report,
}: Pick<ServerRecord, "deployment" | "report">): string | undefined =>
  report?.role ? deployment : undefined;

/** What a cluster is called: as its deployment, or else by its address. */
export const clusterName = (
  deployment: string | undefined,
  { domain }: Pick<ServerRecord, "domain">,
): string => deployment ?? domain ?? "The cluster";

/** What a server carries now, by its last report; `load` in % of all its processors. */
export function loadOf({ report }: Pick<ServerRecord, "report">) {
  const { load, cpus, metrics } = report ?? {};
  return {
    people: metrics?.participants,
    load: load === undefined || !cpus ? undefined : Math.round((load / cpus) * 100),
    cpus,
  };
}

/** What has the open incident of a server: its cluster, or itself. */
export const watchedOf = (record: Pick<ServerRecord, "id" | "deployment" | "report">): string =>
  clusterIdOf(record) ?? record.id;

/** What is counted or set for servers of one deployment alike is so for a server without one alone. */
export const groupOf = ({ id, deployment }: Pick<ServerRecord, "id" | "deployment">): string =>
  deployment ?? id;

/** When its doctor first found nothing critical, and when somebody was first in a call. */
export type Milestones = { doctorPassedAt?: number; callAt?: number };

/**
 * One report. Sizes are in KiB, traffic in bytes and processor time in a unit of the machine's since the boot, times in
 * milliseconds since 1970.
 */
export type Report = {
  seq: number;
  boot: string;
  machine: string;
  instance: string;
  /** By the machine's own clock, which orders nothing. */
  at: number;
  /** A hash of its files. */
  version: string;
  /** Where its LiveKit answers, by its files. Missing where they are older, or say no name of the internet. */
  domain?: string;
  /**
   * The version of a deployment that its files were made from, as they say, and whether they were changed since. Missing
   * where they do not say.
   */
  madeFrom?: { deployment: string; version: number; isChanged: boolean };
  /** What it is in its cluster. Missing where it is a server by itself. */
  role?: Role;
  /** How LiveKit runs there, where the machine was connected as it was. Missing where its files are of a deployment. */
  layout?: Layout;
  stages: { code: string; at: number }[];
  doctorAt?: number;
  findings: {
    code: string;
    severity: "warning" | "critical";
    subject: string;
    found: string;
    wanted: string;
  }[];
  services: { name: string; image: string; state: string; health: string }[];
  /** What runs behind tags that move, and programs that are no service. Files of before do not say it. */
  releases?: { name: string; version: string }[];
  /** Whether its TURN is on. Files of before do not say it. */
  turn?: boolean;
  /** The name of its TURN over TLS; null without one. Files of before do not say it. */
  turnName?: string | null;
  certificates: { name: string; ends: number }[];
  addresses: { family: 4 | 6; address: string }[];
  load?: number;
  cpus?: number;
  /** Of all processors together. Files of before do not say it. */
  cpu?: { busy: number; total: number };
  memory?: { used: number; total: number };
  disk?: { used: number; total: number };
  network?: { in: number; out: number };
  node?: { id: string; startedAt: number };
  metrics: Record<string, number>;
  backupAt?: number;
  /**
   * How many people must approve a version that it takes up by itself, and the fingerprints of the passkeys that it takes.
   * Missing where its files know no rollouts. `knowsWindows`: it begins a rollout in a window, if that has one.
   */
  approvals?: { needed: number; known: string[]; knowsWindows?: true };
  rebootPending: boolean;
  /** Its doctor cannot run, because something holds the lock. */
  isBusy?: true;
  going?: "reboot" | "update" | "stop";
  /** For so long it may still wait for calls before it goes. */
  drainMinutes?: number;
};

/** A name of the internet, as deployments have: no address, no port, nothing local. */
const hostName = z.string().check(z.maxLength(253), z.regex(/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i));
export const isHostName = (name: string | undefined): name is string =>
  hostName.safeParse(name).success;

/** A server as the database has it, so that lists show it while the servers Worker cannot be reached. */
export type SavedServer = Pick<
  ServerRecord,
  "id" | "deployment" | "name" | "enrolledAt" | "retiredAt"
>;
