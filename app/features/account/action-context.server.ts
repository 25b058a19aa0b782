import type { Principal } from "~/features/auth/session/principal.server";
import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import type { Done, Section } from "./account-outcome";

/** A request that the guard has allowed, with the person who made it. */
export type ActionContext = {
  request: Request;
  context: AppContext;
  session: Session;
  principal: Principal;
};

/** The address of one section of the account page, with the key of what was done. */
export function accountPage(section: Section, done: Done): string {
  return `/dashboard/account?done=${done}#${section}`;
}
