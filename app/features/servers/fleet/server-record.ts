import type { DayLine } from "./day-line";
import type { Report } from "./report";

/** The machine that a key belongs to. */
export type Machine = { machine: string; instance: string };

/** Something that changed on a server: what it was and what it became, in the machine's words. */
export type Change = {
  at: number;
  code: "boot" | "version" | "node" | "address" | "certificate" | "service" | "finding" | "machine";
  subject: string;
  from: string;
  to: string;
};

/** A boot that reported: the last sequence number that was taken of it, and when its first report arrived. */
export type Boot = { id: string; seq: number; firstAt: number };

/** What the alarm has noted of a silence; the next report ends it. */
export type Silence = {
  /** When the alarm found it. */
  foundAt: number;
  /** Whether LiveKit answered at the server's domain when we last asked there. */
  probe?: { at: number; answers: boolean };
};

/** Why a server's reports do not count now, or seldom. Its machine runs as before. */
export type Pause = {
  /** `plan-limit`: others stay. `plan-ended`: once a day they count. `history-over`: what was reported is deleted. */
  why: "plan-limit" | "plan-ended" | "history-over";
  /** How many servers the plan has. */
  allowed: number;
  since: number;
  /** When the machine should have reported again, where the pause ends. */
  until?: number;
};

/** Everything that is kept of a server, but for its figures over time. Times are those at which something arrived here. */
export type ServerRecord = Machine & {
  id: string;
  deployment: string;
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
  twiceAt?: number;
  report?: Report;
  reportAt?: number;
  /** How many reports may come at once, as counted at `at`. */
  bucket: { left: number; at: number };
  /** Newest first. */
  changes: Change[];
  silence?: Silence;
  /** When the silence before that began. */
  fellAt?: number;
  /** Since when its reports say that it is being updated. */
  updatingAt?: number;
  /** Since when its reports say that it is busy. */
  busyAt?: number;
  /** Since when it reports without a new answer of its doctor's. Missing where the last report has one. */
  unlookedAt?: number;
  paused?: Pause;
  /** Until when nothing is said of it, because people work on it. */
  maintenanceUntil?: number;
  /** Missing before LiveKit's first figures. */
  day?: DayLine;
};
