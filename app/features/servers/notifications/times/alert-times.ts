import type { Absence, Rota } from "./rota";

/** The time zone by whose clocks a workspace reads hours and days, and its rota if it has one. */
export type AlertTimes = { zone: string; rota?: Rota };

export type AlertTimesChange =
  | { zone: string }
  /** The first of the people is first from the last handover on; `weekday` 0 is Sunday. Null: no rota any more. */
  | { rota: { people: readonly string[]; weekday: number; hour: number } | null }
  /** `isOver`: it is removed. */
  | { absence: Absence; isOver?: true };
