import { problemOfQuery, type SignInProblem } from "~/auth/sign-in-problems";
import { connectingFailures } from "~/content/account";
import { accountPage } from "./asked.server";

/** Where somebody who connects a provider to an account comes back to. */
export const identitiesSection = "/dashboard/account#identities";

/** Where a successful way back from a provider leads; a connected one is told of only then. */
export function arrivalAt(next: string, wasSignedIn: boolean): string {
  return wasSignedIn && next === identitiesSection ? accountPage("identities", "linked") : next;
}

/** Where a failed one leads somebody who is signed in. The key travels in the URL, the words do not. */
export function connectingFailedPage(problem: SignInProblem): string {
  return `/dashboard/account?problem=${problem}#identities`;
}

/** Why connecting a provider failed, in words; undefined when the query tells of no failure. */
export function connectingFailure(query: URLSearchParams): string | undefined {
  switch (problemOfQuery(query)) {
    case undefined:
      return;
    case "cancelled":
      return connectingFailures.cancelled;
    case "identity-taken":
      return connectingFailures.taken;
    default:
      return connectingFailures.other;
  }
}
