import type { View } from "../views";

/** What the sign-in form shows after a post that was not answered with a redirect. It never holds a password. */
export type SignInOutcome = {
  view: View;
  values: { email: string; phone: string };
} & (
  | { state: "failed"; status: number; message: string; reasons?: readonly string[] }
  /**
   * The answer after sending a mail or text message, also if there was no account to send it to. `code`: what its
   * code is for.
   */
  | { state: "sent"; status: 200; message: string; code: "email" | "recovery" | "phone" }
);
