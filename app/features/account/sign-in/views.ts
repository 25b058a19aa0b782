/** The six views of the sign-in form, each with the anchor that shows it. */
export const viewAnchors = {
  sign_in: "auth-sign-in",
  sign_up: "auth-sign-up",
  forgotten_password: "auth-forgot-password",
  magic_link: "auth-magic-link",
  update_password: "auth-update-password",
  verify_otp: "auth-verify-otp",
} as const;

export type View = keyof typeof viewAnchors;

export const views = Object.keys(viewAnchors) as View[];

/** The view that a fragment such as `#auth-sign-up` asks for. */
export function viewOfHash(hash: string): View | undefined {
  return views.find((view) => hash === `#${viewAnchors[view]}`);
}

/** What was done before the sign-in page is shown, as the key in the URL. */
export type SignInNews = "password-updated" | "address-confirmed";

/** The address of one view of the sign-in page. `next` is where the sign-in leads; `done` is what was just done. */
export function viewAddress(view: View, next: string, done?: SignInNews): string {
  const query = new URLSearchParams();
  if (next !== "/dashboard") query.set("next", next);
  if (done) query.set("done", done);
  return `/signin${query.size > 0 ? `?${query}` : ""}#${viewAnchors[view]}`;
}

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
