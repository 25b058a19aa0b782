import type { Principal } from "~/features/auth/session/principal.server";
import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import type { Done, Section } from "./account-outcome";

/** A request that the guard of actions allowed, and in whose name it is. */
export type ActionContext = {
  request: Request;
  context: AppContext;
  session: Session;
  principal: Principal;
};

/** The account page at one section, with good news. */
export function accountPage(section: Section, done: Done): string {
  return `/dashboard/account?done=${done}#${section}`;
}
