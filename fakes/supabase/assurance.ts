import { claimsOf } from "./access-token.ts";
import type { Database } from "./database/database.ts";
import { recordSession } from "./session-record.ts";

/** The columns of a factor that its owner may read: not its secret. */
export const factorColumns =
  "id, friendly_name, factor_type, phone, status, created_at, updated_at, last_challenged_at";

/** Records that somebody has just proved who they are by this method. */
export async function recordMethod(
  database: Database,
  sessionId: string,
  method: string,
): Promise<void> {
  await database.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)
     on conflict (session_id, authentication_method) do update set created_at = now()`,
    [sessionId, method],
  );
}

const methods: Record<string, string> = {
  "/token?grant_type=password": "password",
  "/token?grant_type=pkce": "oauth",
  "/token?grant_type=id_token": "oauth",
  "/signup": "password",
  "/verify": "otp",
};

function methodOf(request: Request): string | undefined {
  const { pathname, searchParams } = new URL(request.url);
  const grant = searchParams.get("grant_type");
  return methods[`${pathname.replace("/auth/v1", "")}${grant ? `?grant_type=${grant}` : ""}`];
}

/**
 * Adds what the embedded server leaves out of its answers: the claims `aal` and `amr` of an access token, and a
 * person's factors. Records in the session that `address` asked for the token.
 */
export async function withAssurance(
  request: Request,
  response: Response,
  database: Database,
  sign: (claims: object) => string,
  address: string,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const json = response.headers.get("content-type")?.includes("application/json");
  if (!/^\/auth\/v1\/(user|token|verify|signup|factors\/.+)$/.test(pathname)) return response;
  if (!response.ok || !json) return response;
  const body = (await response.json()) as Record<string, unknown>;
  const { access_token, user } = body;
  if (typeof access_token === "string") {
    await recordSession(request, address, access_token, database);
    body.access_token = await assuredToken(request, access_token, database, sign);
  }
  for (const person of [user, body]) {
    if (!isPerson(person)) continue;
    const { rows } = await database.query<object>(
      `select ${factorColumns} from auth.mfa_factors where user_id = $1 order by created_at`,
      [person.id],
    );
    if (rows.length > 0) person.factors = rows;
    const { rows: pending } = await database.query<{ phone_change: string | null }>(
      "select phone_change from auth.users where id = $1",
      [person.id],
    );
    if (pending[0]?.phone_change) person.new_phone = pending[0].phone_change;
    if (await isAnonymous(database, person.id)) person.is_anonymous = true;
  }
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

/** The embedded server says of everybody that they are not. */
async function isAnonymous(database: Database, person: string): Promise<boolean> {
  const { rows } = await database.query<{ is_anonymous: boolean }>(
    "select is_anonymous from auth.users where id = $1",
    [person],
  );
  return rows[0]?.is_anonymous ?? false;
}

async function cameBySso(database: Database, person: string): Promise<boolean> {
  const { rows } = await database.query("select from auth.users where id = $1 and is_sso_user", [
    person,
  ]);
  return rows.length > 0;
}

function isPerson(
  value: unknown,
): value is { id: string; factors?: object[]; new_phone?: string; is_anonymous?: boolean } {
  return typeof value === "object" && value !== null && "id" in value && "app_metadata" in value;
}

async function assuredToken(
  request: Request,
  token: string,
  database: Database,
  sign: (claims: object) => string,
) {
  const claims = claimsOf(token);
  if (!claims) return token;
  const is_anonymous = await isAnonymous(database, claims.sub);
  const named = methodOf(request);
  const bySso = named === "oauth" && (await cameBySso(database, claims.sub));
  const method = named && is_anonymous ? "anonymous" : bySso ? "sso/saml" : named;
  if (method) await recordMethod(database, claims.session_id, method);
  const { rows: sessions } = await database.query<{ aal: string | null }>(
    "select aal from auth.sessions where id = $1",
    [claims.session_id],
  );
  const { rows: amr } = await database.query<object>(
    `select authentication_method as method, extract(epoch from created_at)::int as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`,
    [claims.session_id],
  );
  return sign({ ...claims, aal: sessions[0]?.aal ?? "aal1", amr, is_anonymous });
}
