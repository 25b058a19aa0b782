import { saveSetting, settingIn } from "../storage/tables.server";
import type { Threshold } from "./threshold";
import { maxThresholds } from "./thresholds";

const setting = "thresholds";

/** The thresholds of a fleet. They are held in memory, so that a report reads none. */
export class Thresholds {
  readonly #sql: SqlStorage;
  #all: readonly Threshold[] | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get all(): readonly Threshold[] {
    this.#all ??= settingIn<readonly Threshold[]>(this.#sql, setting) ?? [];
    return this.#all;
  }

  /** It takes the place of one of the same servers, measure and severity. False where there are too many. */
  set(threshold: Omit<Threshold, "id">): boolean {
    const isSame = (other: Threshold) =>
      other.deployment === threshold.deployment &&
      other.measure === threshold.measure &&
      other.severity === threshold.severity;
    const others = this.all.filter((each) => !isSame(each));
    if (others.length >= maxThresholds) return false;
    this.#save([...others, { id: crypto.randomUUID(), ...threshold }]);
    return true;
  }

  /** Whether there was such a one. */
  remove(id: string): boolean {
    const others = this.all.filter((each) => each.id !== id);
    if (others.length === this.all.length) return false;
    this.#save(others);
    return true;
  }

  forget(): void {
    this.#all = undefined;
  }

  #save(all: readonly Threshold[]): void {
    saveSetting(this.#sql, setting, all);
    this.#all = all;
  }
}
