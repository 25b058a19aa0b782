import { apiError } from "~/request/api-answers";
import { notSignedIn, signInUnavailable } from "./sign-in-problems";

/** The JSON answer to somebody who is not signed in, and when the auth server cannot say who asks. */
export function apiRefusal(state: "signed-out" | "unavailable"): Response {
  return state === "signed-out" ? apiError(401, notSignedIn) : apiError(503, signInUnavailable);
}
