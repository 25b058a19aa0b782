import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { livePath } from "./protocol";

/** What a page opens its socket with: the address, and a ticket. */
export type Live = { url: string; ticket: string };

/** The session that reads a page, for the page's ticket; undefined without one. */
export async function pageSessionOf(context: Readonly<RouterContextProvider>) {
  const visitor = await context.get(sessionContext).visitor();
  if (visitor.state !== "signed-in") return;
  return { person: visitor.userId, session: visitor.sessionId };
}

/** Undefined where there is no ticket, or no hostname of the servers Worker. */
export function liveWith(
  { configuration: { SERVERS_URL } }: Pick<AppContext, "configuration">,
  ticket: string | undefined,
): Live | undefined {
  if (!SERVERS_URL || !ticket) return;
  return { url: `${SERVERS_URL.replace(/^http/, "ws")}${livePath}`, ticket };
}
