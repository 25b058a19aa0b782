import { apiError } from "~/http/answers";
import { readFailure } from "~/http/read";
import type { Visitor } from "./session.server";
import {
  nothingReadable,
  notSignedIn,
  secondFactorDue,
  signInUnavailable,
} from "./sign-in-problems";

type Refused = Exclude<Visitor["state"], "signed-in">;

const refusals = {
  "signed-out": { status: 401, message: notSignedIn },
  "second-factor-due": { status: 403, message: secondFactorDue },
  unavailable: { status: 503, message: signInUnavailable },
} as const;

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
