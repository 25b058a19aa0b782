/** `pages` wakes somebody at once; `tells` waits for the digest of the day. */
export type Severity = "pages" | "tells";

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
  /** What there should be instead, as the doctor said last, such as the DNS record to set. */
  wanted?: string;
  /** When it was no longer so; it stays listed until the incident closes. */
  endedAt?: number;
};
