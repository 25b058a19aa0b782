import { isIP } from "node:net";
import { claimsOf } from "./access-token.ts";
import type { Database } from "./database/database.ts";

/**
 * The address by which a request of the auth server is counted: the one that the site forwards, which Supabase
 * accepts only with the secret key, or else the one that connected.
 */
export function addressOf(request: Request, secretKey: string, peer: string | undefined): string {
  const [forwarded = ""] = (request.headers.get("sb-forwarded-for") ?? "").split(",");
  const believed = request.headers.get("apikey") === secretKey && isAddress(forwarded.trim());
  return believed ? forwarded.trim() : (peer ?? "127.0.0.1");
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/**
 * Records in a session who asked for its newest tokens, from which address, and when it was refreshed. Supabase Auth
 * does this; the embedded server does not.
 */
export async function recordSession(
  request: Request,
  address: string,
  token: string,
  database: Database,
): Promise<void> {
  const claims = claimsOf(token);
  if (!claims) return;
  const isRefresh = new URL(request.url).searchParams.get("grant_type") === "refresh_token";
  await database.query(
    `update auth.sessions
     set user_agent = $2, ip = $3::inet, updated_at = now(),
       refreshed_at = case when $4 then now() at time zone 'utc' else refreshed_at end
     where id = $1`,
    [claims.session_id, request.headers.get("user-agent"), address, isRefresh],
  );
}
