import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { livePath } from "./protocol";

/** What a page needs to be told of changes: the address of the socket, and the ticket that opens it. */
export type Live = { url: string; ticket: string };

/** Who looks at a page, as a ticket names them; undefined where nobody knows. */
export async function viewerOf(context: Readonly<RouterContextProvider>) {
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
