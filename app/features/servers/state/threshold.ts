/**
 * What a team sets a threshold for: people in calls, load in hundredths of all processors, memory and disk in hundredths
 * of what there is, and GB sent in the calendar month of UTC.
 */
export const measures = ["participants", "load", "memory", "disk", "traffic"] as const;
export type Measure = (typeof measures)[number];

/** From `value` on somebody is notified, at once or by the digest of the day. Without a deployment it is for all servers. */
export type Threshold = {
  id: string;
  deployment?: string;
  measure: Measure;
  value: number;
  severity: "page" | "notify";
};

/** A threshold that a server is at or above, since when, and what was measured then. */
export type Exceeded = Omit<Threshold, "deployment"> & { since: number; measured: number };

/** What a server sent and received in a calendar month of UTC, in bytes. */
export type MonthTraffic = { month: string; in: number; out: number };
