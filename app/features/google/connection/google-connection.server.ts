import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { siteCookies } from "~/http/cookies";
import { sealedCookie } from "~/http/cookies.server";
import { revokeToken } from "./token-facts.server";

const shape = z.object({
  token: z.string(),
  /** Short names: without https://www.googleapis.com/auth/. */
  scopes: z.array(z.string()),
  /** Whose connection it is at our site. */
  userId: z.string(),
  /** The connected Google account. */
  email: z.string(),
});

export type GoogleConnection = z.output<typeof shape>;

/** The sealed cookie is the only place where Google's token is kept. */
function connectionCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "google-connection", shape);
}

/** The Set-Cookie header that keeps a connection for as many seconds as its token is still valid. */
export function keepConnection(
  context: Pick<AppContext, "configuration">,
  connection: GoogleConnection,
  seconds: number,
): Promise<string> {
  return connectionCookie(context).keep(
    connection,
    Math.min(seconds, siteCookies["google-connection"]),
  );
}

/** Revokes the connection of a browser at Google, after the answer was sent. The caller removes the cookie. */
export async function endConnection(context: AppContext, request: Request): Promise<void> {
  const connection = await connectionCookie(context).read(request);
  if (connection) context.waitUntil(revokeToken(context, connection.token));
}

/** The connection of this customer. One that another customer left in the browser does not count. */
export async function readConnection(
  context: Pick<AppContext, "configuration">,
  request: Request,
  userId: string,
): Promise<GoogleConnection | undefined> {
  const connection = await connectionCookie(context).read(request);
  return connection?.userId === userId ? connection : undefined;
}

export type GoogleToken =
  | { state: "connected"; connection: GoogleConnection }
  | { state: "missing" | "scopes-missing"; needed: readonly string[] };

/** The connection for a tool, if its token has every scope that the tool needs. */
export async function googleToken(
  context: AppContext,
  request: Request,
  { userId, scopes }: { userId: string; scopes: readonly string[] },
): Promise<GoogleToken> {
  const connection = await readConnection(context, request, userId);
  if (!connection) return { state: "missing", needed: scopes };
  const needed = scopes.filter((scope) => !connection.scopes.includes(scope));
  return needed.length > 0
    ? { state: "scopes-missing", needed }
    : { state: "connected", connection };
}
