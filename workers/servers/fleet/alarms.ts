import { logFailure } from "../log-failure";

const minute = 60_000;
/** How often a fleet looks at its servers while nothing else is due. */
export const lookEveryMs = 3 * minute;
const lateMs = minute;
/** Nothing is done again sooner. */
const leastMs = 1_000;

/**
 * The one alarm of a fleet. It is set before anything else is done, so that no failure loses it, and set earlier where
 * something is due before.
 */
export class Alarms {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  readonly #due: () => number;
  /** Null: none is set. Undefined: not known yet. */
  #at: number | null | undefined;

  /** `due`: when something is to be done next. */
  constructor(storage: DurableObjectStorage, now: () => number, due: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.#due = due;
  }

  forget(): void {
    this.#at = undefined;
  }

  /** Does what is due, each piece by itself: one that throws is logged and comes again. */
  async run(pieces: Readonly<Record<string, () => void | Promise<void>>>): Promise<void> {
    const next = this.#now() + lookEveryMs;
    await this.#set(next);
    for (const [name, piece] of Object.entries(pieces)) {
      try {
        await piece();
      } catch (error) {
        logFailure(`A fleet's alarm failed at its ${name}`, error);
      }
    }
    try {
      await this.#set(Math.max(this.#due(), this.#now() + leastMs));
    } catch (error) {
      logFailure("A fleet's next alarm was not found", error);
    }
  }

  /** Sets the alarm for what is due, where it is set later. */
  async arm(): Promise<void> {
    await this.notLaterThan(this.#due());
  }

  async notLaterThan(at: number): Promise<void> {
    const known = await this.#known();
    if (known === null || known > at || this.#isLate(known)) await this.#set(at);
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

  async #known(): Promise<number | null> {
    this.#at ??= await this.#storage.getAlarm();
    return this.#at;
  }

  async #set(at: number): Promise<void> {
    if (this.#at === at) return;
    this.#at = at;
    await this.#storage.setAlarm(at);
  }
}
