export const sections = [
  "email",
  "password",
  "identities",
  "second-factor",
  "sessions",
  "deletion",
] as const;
export type Section = (typeof sections)[number];

/**
 * A second factor that waits for its first code. The secret is shown to its owner, and kept nowhere here.
 * The picture of it is shown once: it is too large for a form to send back.
 */
export type Enrolment = { factorId: string; secret: string; qr?: string };

/** What the account page shows after a post that did not lead elsewhere. Never a password. */
export type AccountOutcome = { section: Section; status: number } & (
  | {
      state: "failed";
      message: string;
      reasons?: readonly string[];
      typed?: string;
      /** The field that it is said at, where it is about one. */
      field?: "current";
      /** In how many seconds it is worth another try, where that is not a minute. */
      retryAfter?: number;
    }
  | { state: "not-offered" }
  | { state: "enrolling"; enrolment: Enrolment; message?: string }
  /** Recovery codes, shown this once: after the first second factor, or instead of older codes. */
  | { state: "codes"; codes: readonly string[]; why: "added" | "renewed" }
);

/** What was done, as it travels in the URL. The words are the page's. */
export type Done =
  | "address-asked"
  | "password-saved"
  | "unlinked"
  | "linked"
  | "factor-added"
  | "factor-removed"
  | "factor-recovered"
  | "codes-kept"
  | "session-ended";
