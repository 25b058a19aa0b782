import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "./database/database.ts";
import type { RateLimits } from "./rate-limits.ts";

const tokenSeconds = 3_600;

/** What the fake needs to make an anonymous user. */
interface Maker {
  database: Database;
  rateLimits: RateLimits;
  /** The address by which the request is counted. */
  address: string;
  sign: (claims: object) => string;
}

/** Whether a request is a sign-up without an address and a number, which makes an anonymous user. */
export async function isAnonymousSignUp(request: Request): Promise<boolean> {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/auth/v1/signup")
    return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null) return false;
  return !("email" in body && body.email) && !("phone" in body && body.phone);
}

/**
 * Makes an anonymous user, who is in at once; the embedded server always refuses that. Supabase Auth counts it by address,
 * apart from other sign-ups (internal/api/api.go and anonymous.go of supabase/auth, read on 28 November 2026). A project
 * where it is switched off answers 422 anonymous_provider_disabled, and one that asks for a captcha 400 captcha_failed:
 * tests ask for these by `POST /_local/refuse`.
 */
export async function signUpAnonymously({
  database,
  rateLimits,
  address,
  sign,
}: Maker): Promise<Response> {
  const limited = rateLimits.anonymous(address);
  if (limited) return limited;
  const [id, session, refreshToken] = [randomUUID(), randomUUID(), randomBytes(9).toString("hex")];
  await database.query(
    `with made as (
       insert into auth.users
         (id, aud, role, is_anonymous, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, last_sign_in_at)
       values ($1, 'authenticated', 'authenticated', true, '{}', '{}', now(), now(), now())
       returning id
     ), opened as (
       insert into auth.sessions (id, user_id, aal) select $2::uuid, id, 'aal1' from made returning id, user_id
     )
     insert into auth.refresh_tokens (id, token, user_id, session_id)
     select $3::text, $3::text, user_id, id from opened`,
    [id, session, refreshToken],
  );
  const now = Math.floor(Date.now() / 1_000);
  const ends = now + tokenSeconds;
  const role = { aud: "authenticated", role: "authenticated" };
  const metadata = { app_metadata: {}, user_metadata: {} };
  const claims = { sub: id, ...role, email: "", phone: "", ...metadata, session_id: session };
  const at = new Date(now * 1_000).toISOString();
  return Response.json({
    access_token: sign({ ...claims, iat: now, exp: ends }),
    ...{ token_type: "bearer", expires_in: tokenSeconds, expires_at: ends },
    refresh_token: refreshToken,
    user: {
      ...{ id, ...role, email: "", phone: "", ...metadata, identities: [], is_anonymous: true },
      ...{ created_at: at, updated_at: at, last_sign_in_at: at },
    },
  });
}
