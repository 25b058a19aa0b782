import { apiError } from "~/http/api-answers";
import type { Visitor } from "./session.server";
import { notSignedIn, secondFactorDue, signInUnavailable } from "./sign-in-problems";

/** The JSON answer to whoever may not read here, and when nobody can say who asks. */
export function apiRefusal(state: Exclude<Visitor["state"], "signed-in">): Response {
  switch (state) {
    case "signed-out":
      return apiError(401, notSignedIn);
    case "second-factor-due":
      return apiError(403, secondFactorDue);
    case "unavailable":
      return apiError(503, signInUnavailable);
  }
}
