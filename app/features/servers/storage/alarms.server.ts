import { logFailure } from "../log-failure";

const minute = 60_000;
/** How often a fleet checks its servers while nothing else is due. */
export const checkEveryMs = 3 * minute;
const lateMs = minute;
/** Nothing is done again sooner. */
const minDelayMs = 1_000;

/** A piece of a fleet's work. `due`: when it is to be done next, infinite where it never is by itself. */
export type Piece = { due: () => number; run: () => void | Promise<void> };

/**
 * The one alarm of a fleet. It is set before anything else is done, so that no failure loses it, and set earlier where
 * something is due before.
 */
export class Alarms {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  readonly #pieces: readonly [string, Piece][];
  /** Until when each piece that failed waits, by its name. An object that starts anew tries at once. */
  readonly #waiting = new Map<string, number>();
  /** Null: none is set. Undefined: not known yet. */
  #at: number | null | undefined;

  /** The pieces keyed by name, in the order in which they are done. */
  constructor(
    storage: DurableObjectStorage,
    now: () => number,
    pieces: Readonly<Record<string, Piece>>,
  ) {
    this.#storage = storage;
    this.#now = now;
    this.#pieces = Object.entries(pieces);
  }

  forget(): void {
    this.#at = undefined;
    this.#waiting.clear();
  }

  /**
   * Does each piece by itself. One that throws is logged, and comes again after three minutes; what else is due before
   * is done in its time.
   */
  async run(): Promise<void> {
    const began = this.#now();
    const next = began + checkEveryMs;
    await this.#set(next);
    for (const [name, { run }] of this.#pieces) {
      if ((this.#waiting.get(name) ?? 0) > began) continue;
      try {
        await run();
        this.#waiting.delete(name);
      } catch (error) {
        this.#waiting.set(name, next);
        logFailure(`A fleet's alarm failed at its ${name}`, error);
      }
    }
    try {
      await this.#set(Math.max(this.#due(), this.#now() + minDelayMs));
    } catch (error) {
      logFailure("A fleet's next alarm was not found", error);
    }
  }

  #due(): number {
    const times = this.#pieces.map(([name, { due }]) =>
      Math.max(due(), this.#waiting.get(name) ?? 0),
    );
    return Math.min(...times);
  }

  /** Sets the alarm for what is due, where it is set later. */
  async arm(): Promise<void> {
    await this.notLaterThan(this.#due());
  }

  async notLaterThan(at: number): Promise<void> {
    const alarmAt = await this.#alarmAt();
    // What was due before comes at once: put off, it would come later with each report.
    if (alarmAt !== null && this.#isLate(alarmAt)) await this.#set(Math.min(at, this.#now()));
    else if (alarmAt === null || alarmAt > at) await this.#set(at);
  }

  /** Sets an alarm that was lost or is late, which is logged. */
  async heal(): Promise<void> {
    this.#at = await this.#storage.getAlarm();
    if (this.#at !== null && !this.#isLate(this.#at)) return;
    console.warn(JSON.stringify({ level: "warn", message: "A fleet's alarm was lost or late" }));
    await this.#set(this.#now());
  }

  #isLate(at: number): boolean {
    return at < this.#now() - lateMs;
  }

  async #alarmAt(): Promise<number | null> {
    this.#at ??= await this.#storage.getAlarm();
    return this.#at;
  }

  async #set(at: number): Promise<void> {
    if (this.#at === at) return;
    this.#at = at;
    await this.#storage.setAlarm(at);
  }
}
