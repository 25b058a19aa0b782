import { createHash, createPublicKey, type JsonWebKey, randomUUID, verify } from "node:crypto";
import * as z from "zod";
import type { Database } from "./database/database.ts";
import type { GoogleAddress } from "./google-redirects.ts";
import { openSession } from "./open-session.ts";
import { refusal } from "./refusals.ts";

const grant = z.object({
  provider: z.string().default(""),
  id_token: z.string().default(""),
  nonce: z.string().default(""),
});
const claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  sub: z.string().min(1),
  exp: z.number(),
  email: z.string(),
  email_verified: z.boolean().default(false),
  nonce: z.string().default(""),
});
type Claims = z.output<typeof claims>;

/** An error of a grant has another form than all others: it has no code. */
const oauthError = (error: string, error_description: string) =>
  Response.json({ error, error_description }, { status: 400 });

/**
 * `POST /token?grant_type=id_token` for Google, which the embedded server lacks. As supabase/auth v2.196.0 does,
 * internal/api/token_oidc.go, read in November 2026: the token is checked by Google's keys, its audience by the client ids
 * of the project, and its nonce is the hash of the request's. Undefined if the request is for something else.
 */
export async function answerIdToken(
  request: Request,
  database: Database,
  google: GoogleAddress & { clientId: string },
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/auth/v1/token" || searchParams.get("grant_type") !== "id_token") return;
  const body = grant.safeParse(await request.clone().json());
  if (!body.success || !body.data.id_token) {
    return oauthError("invalid request", "id_token required");
  }
  const { provider, id_token, nonce } = body.data;
  if (provider !== "google") {
    return refusal(400, "validation_failed", `Custom OIDC provider "${provider}" not allowed`);
  }
  const token = await readToken(id_token, google);
  if (!token) return oauthError("invalid request", "Bad ID token");
  if (![token.aud].flat().includes(google.clientId)) {
    return oauthError("invalid request", `Unacceptable audience in id_token: [${token.aud}]`);
  }
  if (Boolean(token.nonce) !== Boolean(nonce)) {
    const message = "Passed nonce and nonce in id_token should either both exist or not.";
    return oauthError("invalid request", message);
  }
  if (nonce && createHash("sha256").update(nonce).digest("hex") !== token.nonce) {
    return oauthError("invalid nonce", "Nonces mismatch");
  }
  return openSession(request, database, handle, await personOf(database, token));
}

async function readToken(text: string, google: GoogleAddress): Promise<Claims | undefined> {
  const [header = "", payload = "", signature = ""] = text.split(".");
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  try {
    const { kid, alg } = z.object({ kid: z.string(), alg: z.literal("RS256") }).parse(read(header));
    const published = await fetch(`${google.serverUrl}/oauth2/v3/certs`);
    const { keys } = (await published.json()) as { keys: JsonWebKey[] };
    const key = keys.find((each) => each.kid === kid && each.alg === alg);
    if (!key) return;
    const signed = Buffer.from(`${header}.${payload}`);
    const publicKey = createPublicKey({ key, format: "jwk" });
    if (!verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url"))) return;
    const found = claims.parse(read(payload));
    const isGoogles = /^(https:\/\/)?accounts\.google\.com$/.test(found.iss);
    return isGoogles && found.exp * 1_000 > Date.now() ? found : undefined;
  } catch {
    return;
  }
}

/** Whose token it is: of an identity that is known, of an account with the proved address, or of a new account. */
async function personOf(database: Database, { sub, email, email_verified }: Claims) {
  const { rows: known } = await database.query<{ user_id: string }>(
    "select user_id from auth.identities where provider = 'google' and provider_id = $1",
    [sub],
  );
  if (known[0]) return known[0].user_id;
  const { rows: same } = await database.query<{ id: string }>(
    "select id from auth.users where email = lower($1) and email_confirmed_at is not null and not is_sso_user",
    [email],
  );
  const found = email_verified ? same[0]?.id : undefined;
  const id = found ?? randomUUID();
  if (!found) {
    await database.query(
      `insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
       values ($1, lower($2), case when $3 then now() end, $4, '{}')`,
      [id, email, email_verified, JSON.stringify({ provider: "google", providers: ["google"] })],
    );
  }
  await database.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data)
     values ($1, 'google', $2, $3, $4)`,
    [randomUUID(), sub, id, JSON.stringify({ sub, email, email_verified })],
  );
  return id;
}
