import type { View } from "../views";

/** What the sign-in form shows after a post that did not lead elsewhere. Never a password. */
export type SignInOutcome = {
  view: View;
  typed: { email: string; phone: string };
} & (
  | { state: "failed"; status: number; message: string; reasons?: readonly string[] }
  /** A mail or text went out; `code` says what its code is for. */
  | { state: "sent"; status: 200; message: string; code: "email" | "recovery" | "phone" }
);
