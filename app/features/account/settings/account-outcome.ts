export const sections = [
  "email",
  "phone",
  "password",
  "identities",
  "second-factor",
  "sessions",
  "deletion",
] as const;
export type Section = (typeof sections)[number];

/**
 * A second factor that waits for its first code. Its secret is shown to the owner and is not stored here. The QR
 * code is only in the first answer, because it is too large for a form to send back.
 */
export type Enrolment = { factorId: string; secret: string; qr?: string };

/** A code that was texted for a second factor. `to`: the number, or only its end for somebody who has not given it yet. */
export type TextedCode = { factorId: string; challengeId: string; to: string };

/** What the account page shows after a post that was not answered with a redirect. It never holds a password. */
export type AccountOutcome = { section: Section; status: number } & (
  | {
      state: "failed";
      message: string;
      reasons?: readonly string[];
      value?: string;
      /** The field that the message is about, if it is about one. */
      field?: "current";
      /** After how many seconds another try may succeed, if that is not a minute. */
      retryAfter?: number;
    }
  | { state: "not-offered" }
  | { state: "enrolling"; enrolment: Enrolment; message?: string }
  | { state: "texted"; texted: TextedCode; message?: string }
  /** A code is on its way to a new phone number, or would be if the number were free. */
  | { state: "phone-texted"; phone: string; message?: string }
  /** New recovery codes, which are shown only in this answer: after the first factor, or to replace older ones. */
  | { state: "codes"; codes: readonly string[]; why: "added" | "renewed" }
);

/** What was done, as the key in the URL. The page has the words. */
export type Done =
  | "address-asked"
  | "phone-changed"
  | "password-saved"
  | "unlinked"
  | "linked"
  | "factor-added"
  | "factor-removed"
  | "factor-recovered"
  | "codes-kept"
  | "session-ended";
