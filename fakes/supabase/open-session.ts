import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "./database/database.ts";

/**
 * Opens a session for a person, as the auth server does after a proof that the embedded server does not know, and
 * answers its tokens. It asks
 * with the key of the request.
 */
export async function openSession(
  request: Request,
  database: Database,
  handle: (request: Request) => Promise<Response>,
  userId: string,
): Promise<Response> {
  const session = randomUUID();
  const token = randomBytes(9).toString("base64url");
  await database.query("insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal1')", [
    session,
    userId,
  ]);
  await database.query(
    "insert into auth.refresh_tokens (id, token, user_id, session_id) values ($1, $2, $3, $4)",
    [randomUUID(), token, userId, session],
  );
  await database.query("update auth.users set last_sign_in_at = now() where id = $1", [userId]);
  return handle(
    new Request(new URL("/auth/v1/token?grant_type=refresh_token", request.url), {
      method: "POST",
      headers: {
        apikey: request.headers.get("apikey") ?? "",
        "content-type": "application/json",
      },
      body: JSON.stringify({ refresh_token: token }),
    }),
  );
}
