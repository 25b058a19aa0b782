import { apiError } from "~/http/answers";
import { readFailure } from "~/http/read";

export const notSignedIn = "Sign in to continue.";
export const addressUnconfirmed =
  "Confirm your e-mail address first, with the link that we mailed to you. Then try again.";
export const secondFactorDue = "Give the code of your second factor first, then try again.";
/** The answer to a post that was refused. */
export const signInUnavailable =
  "Sign-in is not available right now. Nothing was changed. Please try again in a moment.";
/** The answer to a reading: it may follow a post, and what that changed is changed. */
export const nothingReadable =
  "Sign-in is not available right now, so this cannot be shown. Please try again in a moment.";

const refusals = {
  "signed-out": { status: 401, message: notSignedIn },
  "second-factor-due": { status: 403, message: secondFactorDue },
  unavailable: { status: 503, message: signInUnavailable },
} as const;

type Refused = keyof typeof refusals;

/** The JSON answer to a visitor who is not signed in, and when the auth server does not answer. */
export function apiRefusal(state: Refused): Response {
  const { status, message } = refusals[state];
  return apiError(status, message);
}

/** The same as the answer of a loader that a fetcher reads. */
export function readRefusal(state: Refused) {
  const { status, message } = refusals[state];
  return readFailure(status, state === "unavailable" ? nothingReadable : message);
}
