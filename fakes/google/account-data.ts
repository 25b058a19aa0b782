import { randomBytes } from "node:crypto";

export interface StoredEvent {
  id: string;
  summary: string;
  location?: string;
  description?: string;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  timeZone: string;
  transparent: boolean;
}

export interface StoredTask {
  id: string;
  title: string;
  notes?: string;
  /** The day, as Google answers it: `2026-11-24T00:00:00.000Z`. */
  due?: string;
  completed?: string;
  /** True for tasks that were completed in Google's own apps. */
  hidden: boolean;
  updated: string;
}

export interface StoredDocument {
  id: string;
  title: string;
  /** The body; it always ends with a newline. */
  text: string;
  revision: number;
  /** Milliseconds since 1970. */
  modified: number;
}

/** What one Google account holds in Calendar, Tasks and Docs. */
export interface AccountData {
  events: StoredEvent[];
  /** In the order of the list. */
  tasks: StoredTask[];
  documents: StoredDocument[];
}

/** The data of all accounts, by address. */
export class Accounts {
  readonly #byEmail = new Map<string, AccountData>();

  of(email: string): AccountData {
    const found = this.#byEmail.get(email) ?? { events: [], tasks: [], documents: [] };
    this.#byEmail.set(email, found);
    return found;
  }

  clear(): void {
    this.#byEmail.clear();
  }
}

/** An id of the given number of characters, as Google makes them. */
export function newId(length: number): string {
  return randomBytes(length).toString("base64url").slice(0, length);
}
