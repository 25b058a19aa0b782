import type { Google } from "./google-api.server";

/** How one call of an operation ended. */
export type OperationResult =
  | {
      ok: true;
      message: typeof success;
      /** A link to what was made at Google. */
      link?: { href: string; words: string };
      /** The data that the result view of the tab shows. */
      result?: unknown;
    }
  | Refusal;

export type Refusal = {
  ok: false;
  /** 401 without `consent` means that the person is no longer signed in to our site. */
  status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503;
  /** A sentence for the person. */
  message: string;
  /** Fields by name, each with what is wrong about it. */
  fields?: Readonly<Record<string, string>>;
  /** Set if the person must connect Google again. */
  consent?: true;
  /** How many seconds to wait before the next try. */
  retryAfter?: number;
  /** The choices that the result view of the tab offers. */
  result?: unknown;
};

/** The operation of one tab. It must check `form`, which may contain anything. */
export type Operation = (form: URLSearchParams, google: Google) => Promise<OperationResult>;

/** The operations of one tool, by the id of its tab. */
export type ToolOperations = Readonly<Record<string, Operation>>;

/** The sentence for a call that must not be made twice and got no answer. */
export const unsure =
  "No answer came, so this may have been done or not. Look at Google before you try again.";

/** The product specification prescribes these words. */
export const success = "Operation completed successfully!";
