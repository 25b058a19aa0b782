import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { Change } from "../state/server-record";

/** `page`: the first channels are notified at once. `notify`: it waits for the digest of the day. */
export type Severity = "page" | "notify";

/**
 * Something that is wrong with a server: `down`, `silent`, `twice` or the code of a finding of the doctor's, and what it
 * is about (a name, a path) or nothing. Times are in milliseconds since 1970.
 */
export type Cause = {
  code: string;
  subject: string;
  severity: Severity;
  since: number;
  /** What the doctor found at the first bad minute, in its words. */
  found?: string;
  /** What there should be instead, by the last doctor run, such as the DNS record to set. */
  wanted?: string;
  /** In a cluster: the machine that has it. Missing where a server is watched by itself. */
  machine?: ClusterMachine;
  /** When it was no longer so; it stays listed until the incident closes. */
  endedAt?: number;
};

/** A server of a cluster, as lines of its incident name it. */
export type ClusterMachine = { id: string; name: string; role: Role };

/** What is wrong with a server at a moment; none of it has ended. */
export type Wrong = Omit<Cause, "endedAt">;

// What an incident is. docs/decisions/0055 says when one opens and closes, and what is sent.

/**
 * An event of an incident that is sent at once. `closed`: no cause with the severity page lasts any more, though one
 * with notify may. `worse`: a further cause with page.
 */
export type IncidentEvent = "opened" | "worse" | "closed" | "reopened";

/** Somebody sees to an incident. */
export type Acknowledgement = {
  /** The member, by the id of their account; or the channel through which somebody did who is not known. */
  by: string;
  at: number;
  /** What the others read: an address, a name at PagerDuty. A Worker of before did not store it. */
  who?: string;
  note?: string;
};

/** What a server was like when its incident began to be what it is: to page, or else to be there. */
export type Opening = {
  /** How many were in calls, by the last reports before. Incidents of before do not say it. */
  participants?: number;
  /** What changed on the server in the hour before, newest first. */
  changesBefore?: readonly Change[];
};

/**
 * Everything that is wrong with one server or one cluster, from the first cause to five good minutes. Times in
 * milliseconds since 1970.
 */
export type Incident = Opening & {
  id: string;
  /** Of a cluster it is its deployment: `watchedOf`. */
  server: string;
  isCluster?: true;
  openedAt: number;
  closedAt?: number;
  /**
   * Why it closed without five good minutes; `outage`: the silence was our own fault; `moved`: the server is in a cluster now,
   * or no more, and what is wrong is in another incident.
   */
  closedAs?: "disconnected" | "paused" | "outage" | "moved";
  /** How long the server was down in it, but for the last time, by the month of UTC as "2026-11". */
  formerDownMs?: Readonly<Record<string, number>>;
  /** The same of each machine of a cluster, by its id. */
  formerDownOf?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** When it began to page, the last time: causes with the severity notify may have lasted for months before. */
  pagesSince?: number;
  /** It rises with the first cause that pages, and falls after five minutes without one. */
  severity: Severity;
  /** Those that last first, the worst of them first. */
  causes: readonly Cause[];
  /** When the last cause ended, and when the last that pages. */
  goodSince?: number;
  calmSince?: number;
  /** It ends with the last cause that pages. */
  acknowledged?: Acknowledgement;
  /** The last acknowledgement that has ended. */
  formerAcknowledgement?: Acknowledgement;
  /** How often it was repeated because nobody acknowledged it, and the last time. */
  repeats?: { count: number; at: number };
  /** What was done by links in messages, each by channel, time of the message and act. */
  usedLinks?: readonly string[];
  /** Until when nothing is sent of it but its end. */
  snoozedUntil?: number;
  /** How many notifications were sent at once; after four there is only an hourly rollup. */
  notifiedCount: number;
  /** How many events have happened since the last notification, when that was, and whether it was sent as a page. */
  pendingCount: number;
  notifiedAt?: number;
  pageSent?: boolean;
  /**
   * Of each channel that was notified, or may have been, other than by a digest, by its id: whether its last notification
   * was a page, so that it has not learnt of an end yet.
   */
  notifiedChannels?: Readonly<Record<string, boolean>>;
  /** Its causes that were in a digest, each by `causeKey`. */
  digested?: readonly string[];
};

/** The same for a cause while it lasts, and another one where it comes back. */
export const causeKey = ({ code, subject, since, machine }: Cause): string =>
  [code, subject, since, ...(machine ? [machine.id] : [])].join(" ");

/** Whether both are one fault, of one machine where it is a cluster's. */
export const isSameCause = (one: CauseOf, other: CauseOf): boolean =>
  one.code === other.code && one.subject === other.subject && one.machine?.id === other.machine?.id;

type CauseOf = Pick<Cause, "code" | "subject" | "machine">;

/** Whether it is one that wakes somebody now. */
export const isPaging = ({ closedAt, severity }: Incident): boolean =>
  closedAt === undefined && severity === "page";

/** The open incident of a server. */
export type IncidentSummary = {
  id: string;
  openedAt: number;
  severity: Severity;
  /** Worst first; those that lasted and ended are among them until the incident closes. */
  causes: readonly Cause[];
  acknowledged: Acknowledgement | undefined;
  snoozedUntil: number | undefined;
};

// What people do with an incident. One that is closed stays as it is.

/** An acknowledged incident is not repeated, and not sent to second channels. The first who acknowledges stays. */
export function acknowledged(incident: Incident, by: Acknowledgement): Incident {
  if (incident.closedAt !== undefined || incident.acknowledged) return incident;
  return { ...incident, acknowledged: by };
}

/** Nobody sees to it any more, so that it is repeated again. */
export function unacknowledged(incident: Incident): Incident {
  if (incident.closedAt !== undefined || !incident.acknowledged) return incident;
  const { acknowledged: _, ...rest } = incident;
  return rest;
}

/** Until then only its end is sent. A time that has passed ends the snooze. */
export function snoozed(incident: Incident, until: number): Incident {
  return incident.closedAt === undefined ? { ...incident, snoozedUntil: until } : incident;
}

/** Everything that lasts was in a digest. */
export function digested(incident: Incident): Incident {
  const lasting = incident.causes.filter(({ endedAt }) => endedAt === undefined);
  return { ...incident, digested: lasting.map(causeKey) };
}

/** What is wrong with one server in an incident: of a cluster's its own causes; undefined where it has none. */
export function incidentOf(incident: Incident, server: string): Incident | undefined {
  if (!incident.isCluster) return incident;
  const causes = incident.causes.filter(({ machine }) => machine?.id === server);
  if (causes.length === 0) return;
  const pages = causes.some(({ severity, endedAt }) => severity === "page" && !endedAt);
  const isOpen = incident.closedAt === undefined;
  return { ...incident, causes, severity: isOpen && !pages ? "notify" : incident.severity };
}

/** What a list and a page of servers show of the open incident. */
export function summaryOf({
  id,
  openedAt,
  severity,
  causes,
  acknowledged,
  snoozedUntil,
}: Incident): IncidentSummary {
  return { id, openedAt, severity, causes, acknowledged, snoozedUntil };
}
