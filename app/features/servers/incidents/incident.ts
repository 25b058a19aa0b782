// What an incident is. docs/decisions/0055 says when one opens, closes and is told.

/** `pages` wakes somebody at once; `tells` waits for the digest of the day. */
export type Severity = "pages" | "tells";

/**
 * One reason for an incident: `down`, `silent`, `twice` or the code of a finding of the doctor's, and what it is about
 * (a name, a path) or nothing.
 */
export type Cause = {
  code: string;
  subject: string;
  severity: Severity;
  since: number;
  /** When it was no longer so; it stays listed until the incident closes. */
  endedAt?: number;
};

/** What happened to an incident that people are told of. */
export type IncidentEvent = "opened" | "worse" | "closed" | "reopened";

/** Everything that is wrong with one server, from the first cause to five good minutes. Times in milliseconds since 1970. */
export type Incident = {
  id: string;
  server: string;
  openedAt: number;
  closedAt?: number;
  /** The worst of the causes that last, or while none does of those that ended last. */
  severity: Severity;
  /** Worst first. */
  causes: readonly Cause[];
  /** Since when no cause has lasted. */
  goodSince?: number;
  /** The member who said that they see to it, by the id of their account. */
  acknowledged?: { by: string; at: number };
  /** Until when nothing is said of it. */
  snoozedUntil?: number;
  /** How many of its events were told at once; after four only an hourly sum is. */
  told: number;
  /** How many events have happened since the last that was told, and when the last sum was. */
  untold: number;
  summedAt?: number;
};
