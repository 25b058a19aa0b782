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
 * The picture of it is shown once: some auth servers draw one that is too large for a form to send back.
 */
export type Enrolment = { factorId: string; secret: string; qr?: string };

/** What the account page shows after a post that did not lead elsewhere. Never a password. */
export type AccountOutcome = { section: Section; status: number } & (
  | { state: "failed"; message: string; reasons?: readonly string[]; typed?: string }
  | { state: "not-offered" }
  | { state: "enrolling"; enrolment: Enrolment; message?: string }
);

/** What was done, as it travels in the URL. The words are the page's. */
export type Done =
  | "address-asked"
  | "password-saved"
  | "unlinked"
  | "linked"
  | "factor-added"
  | "factor-removed";
