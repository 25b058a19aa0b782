import type { Google } from "./google-api.server";

/** What one form came to. The same on the server and, as JSON, in the browser. */
export type Outcome =
  | {
      ok: true;
      message: typeof success;
      /** What was made, at Google. */
      link?: { href: string; words: string };
      /** What the tab's own result view shows; JSON. */
      result?: unknown;
    }
  | Refusal;

export type Refusal = {
  ok: false;
  /** 401 without `consent` is our own: whoever asks is no longer signed in. */
  status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503;
  /** A sentence for the person. */
  message: string;
  /** Fields by name, each with what is wrong about it. */
  fields?: Readonly<Record<string, string>>;
  /** Whether connecting Google again is the way on. */
  consent?: true;
  /** Seconds to wait. */
  retryAfter?: number;
  /** What the tab's own result view offers, so that the person can choose; JSON. */
  result?: unknown;
};

/** Does what one tab of a tool says. Reads `form` as anything: a browser may send what it likes. */
export type Operation = (form: URLSearchParams, google: Google) => Promise<Outcome>;

/** The operations of one tool, by the id of its tab. */
export type ToolOperations = Readonly<Record<string, Operation>>;

/** For what is not to be done twice: without an answer nobody knows whether it was done. */
export const unsure =
  "No answer came, so this may have been done or not. Look at Google before you try again.";

/** Specified. */
export const success = "Operation completed successfully!";
