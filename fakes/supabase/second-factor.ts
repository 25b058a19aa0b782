import { randomUUID } from "node:crypto";
import { encode } from "uqr";
import * as z from "zod";
import { type AccessClaims, claimsOf } from "./access-token.ts";
import { recordMethod } from "./assurance.ts";
import type { Database } from "./database/database.ts";
import { challengePhone, enrolPhone, isSentCode } from "./phones/phone-factor.ts";
import type { SendText } from "./phones/text-messages.ts";
import { refusal } from "./refusals.ts";
import { isTotpCode, newTotpSecret } from "./totp.ts";

type Handle = (request: Request) => Promise<Response>;
type Factor = {
  id: string;
  status: string;
  secret: string;
  friendly_name: string;
  factor_type: "totp" | "phone";
  phone: string;
  secondsSinceText: number;
};
type Asking = { request: Request; database: Database; address: string; sendText: SendText };

const challengeSeconds = 300;

const needsSecondFactor = (what: string) => refusal(403, "insufficient_aal", what);

/**
 * Supabase Auth's endpoints for second factors, which the embedded server lacks: one-time passwords from an app (TOTP),
 * and codes by text message. Answers undefined when the request is for something else.
 */
export async function answerSecondFactor(
  asking: Asking,
  handle: Handle,
): Promise<Response | undefined> {
  const { request, database } = asking;
  const { pathname } = new URL(request.url);
  const factors = /^\/auth\/v1\/factors(?:\/([0-9a-f-]{36})(?:\/(challenge|verify))?)?$/.exec(
    pathname,
  );
  const changesUser = request.method === "PUT" && pathname === "/auth/v1/user";
  if (!factors && !changesUser) return;

  const userAnswer = await handle(
    new Request(new URL("/auth/v1/user", request.url), { headers: authorization(request) }),
  );
  if (!userAnswer.ok) return userAnswer;
  const claims = claimsOf(request.headers.get("authorization")?.slice("Bearer ".length) ?? "");
  if (!claims) return refusal(401, "bad_jwt", "invalid JWT");
  const { rows } = await database.query<Factor>(
    `select id, status, secret, friendly_name, factor_type, phone,
       coalesce(extract(epoch from now() - last_challenged_at), 1e9)::float as "secondsSinceText"
     from auth.mfa_factors where user_id = $1`,
    [claims.sub],
  );
  const enrolled = rows.some(({ status }) => status === "verified");
  const secure = claims.aal === "aal2" || !enrolled;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => ({}));

  if (changesUser) {
    const secured = z.object({ email: z.unknown(), password: z.unknown(), phone: z.unknown() });
    return secure || Object.keys(secured.partial().parse(body)).length === 0
      ? undefined
      : needsSecondFactor(
          "AAL2 session is required to update email or password when MFA is enabled.",
        );
  }
  const [, id, act] = factors ?? [];
  if (!id) {
    if (request.method !== "POST") return refusal(405, "bad_request", "Not allowed");
    if (!secure) return needsSecondFactor("AAL2 required to enroll a new factor");
    return enrol(database, claims.sub, rows, body);
  }
  const factor = rows.find((each) => each.id === id);
  if (!factor) return refusal(404, "mfa_factor_not_found", "Factor not found");
  if (act === "challenge") return challenge(asking, factor, body);
  if (act === "verify") return verify(asking, handle, claims, factor, body);
  if (request.method !== "DELETE") return refusal(405, "bad_request", "Not allowed");
  if (factor.status === "verified" && !secure) {
    return needsSecondFactor("AAL2 required to unenroll verified factor");
  }
  await removeFactor(database, factor.id);
  return Response.json({ id });
}

/** Removes a factor. The sessions in which it was given go back to aal1. */
export async function removeFactor(database: Database, id: string): Promise<void> {
  await database.query(
    `delete from auth.mfa_amr_claims where authentication_method in ('totp', 'mfa/phone')
       and session_id in (select id from auth.sessions where factor_id = $1)`,
    [id],
  );
  await database.query(
    "update auth.sessions set aal = 'aal1', factor_id = null where factor_id = $1",
    [id],
  );
  await database.query("delete from auth.mfa_factors where id = $1", [id]);
}

function authorization(request: Request): Headers {
  const headers = new Headers();
  for (const name of ["authorization", "apikey"]) {
    const value = request.headers.get(name);
    if (value) headers.set(name, value);
  }
  return headers;
}

async function enrol(database: Database, userId: string, factors: Factor[], body: unknown) {
  const wish = z
    .object({
      factor_type: z.enum(["totp", "phone"]),
      friendly_name: z.string().default(""),
      issuer: z.string().default("localhost"),
      phone: z.string().default(""),
    })
    .safeParse(body);
  if (!wish.success) {
    const message = "factor_type needs to be totp, phone, or webauthn";
    return refusal(400, "validation_failed", message);
  }
  const { friendly_name, issuer } = wish.data;
  if (factors.some((factor) => factor.friendly_name === friendly_name)) {
    return refusal(422, "mfa_factor_name_conflict", "A factor with this name already exists");
  }
  if (wish.data.factor_type === "phone") return enrolPhone(database, userId, wish.data);
  const { rows } = await database.query<{ email: string }>(
    "select email from auth.users where id = $1",
    [userId],
  );
  const [id, secret] = [randomUUID(), newTotpSecret()];
  await database.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, status, secret)
     values ($1, $2, $3, 'unverified', $4)`,
    [id, userId, friendly_name, secret],
  );
  const name = encodeURIComponent(`${issuer}:${rows[0]?.email ?? ""}`.slice(0, 90));
  const uri = `otpauth://totp/${name}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
  return Response.json({
    id,
    type: "totp",
    friendly_name,
    totp: { qr_code: qrCode(uri), secret, uri },
  });
}

async function challenge(
  { database, address, sendText }: Asking,
  factor: Factor,
  body: unknown,
): Promise<Response> {
  const expiresAt = Math.floor(Date.now() / 1_000) + challengeSeconds;
  if (factor.factor_type === "phone") {
    return challengePhone(database, factor, { body, address, expiresAt }, sendText);
  }
  const id = randomUUID();
  await database.query(
    "insert into auth.mfa_challenges (id, factor_id, ip_address) values ($1, $2, $3)",
    [id, factor.id, address],
  );
  return Response.json({ id, type: "totp", expires_at: expiresAt });
}

/** As `verifyTOTPFactor` and `verifyPhoneFactor` in internal/api/mfa.go of supabase/auth v2.196.0. */
async function verify(
  { request, database, address }: Asking,
  handle: Handle,
  { sub, session_id }: AccessClaims,
  factor: Factor,
  body: unknown,
): Promise<Response> {
  const answer = z.object({ challenge_id: z.string(), code: z.string() }).safeParse(body);
  const { rows } = await database.query<{ fresh: boolean; here: boolean; otp_code: string | null }>(
    `select created_at > now() - interval '${challengeSeconds} seconds' as fresh,
       verified_at is null and (ip_address is null or ip_address = $3::inet) as here, otp_code
     from auth.mfa_challenges where id::text = $1 and factor_id = $2`,
    [answer.data?.challenge_id ?? "", factor.id, address],
  );
  if (!answer.success || !rows[0]) {
    return refusal(
      422,
      "mfa_factor_not_found",
      "MFA factor with the provided challenge ID not found",
    );
  }
  if (!rows[0].here) {
    const message = "Challenge and verify IP addresses mismatch.";
    return refusal(422, "mfa_ip_address_mismatch", message);
  }
  if (!rows[0].fresh) return refusal(422, "mfa_challenge_expired", "MFA challenge has expired");
  const byPhone = factor.factor_type === "phone";
  const right = byPhone
    ? isSentCode(rows[0].otp_code, answer.data.code)
    : isTotpCode(factor.secret, answer.data.code);
  if (!right) {
    const message = `Invalid ${byPhone ? "MFA Phone" : "TOTP"} code entered`;
    return refusal(422, "mfa_verification_failed", message);
  }
  await database.query("update auth.mfa_challenges set verified_at = now() where id::text = $1", [
    answer.data.challenge_id,
  ]);
  await database.query(
    "update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1",
    [factor.id],
  );
  await database.query("update auth.sessions set aal = 'aal2', factor_id = $2 where id = $1", [
    session_id,
    factor.id,
  ]);
  await recordMethod(database, session_id, byPhone ? "mfa/phone" : "totp");
  if (factor.status === "unverified") {
    await database.query(
      "delete from auth.sessions where user_id = $1 and coalesce(aal, 'aal1') <> 'aal2'",
      [sub],
    );
    await database.query(
      `delete from auth.mfa_factors
       where user_id = $1 and status = 'unverified' and factor_type = $2`,
      [sub, factor.factor_type],
    );
  }
  const { rows: tokens } = await database.query<{ token: string }>(
    `select token from auth.refresh_tokens
     where session_id = $1 and not revoked order by created_at desc limit 1`,
    [session_id],
  );
  return handle(
    new Request(new URL("/auth/v1/token?grant_type=refresh_token", request.url), {
      method: "POST",
      headers: {
        ...Object.fromEntries(authorization(request)),
        "content-type": "application/json",
      },
      body: JSON.stringify({ refresh_token: tokens[0]?.token ?? "" }),
    }),
  );
}

const moduleSide = 3;

/**
 * A text as a QR code, drawn as SVG as Supabase Auth draws it: each module is a rectangle, so it has hundreds of
 * kilobytes. Tests notice if the site passes it on.
 */
function qrCode(text: string): string {
  const { data, size } = encode(text, { border: 4 });
  const rects = data.flatMap((line, row) =>
    line.map((dark, column) => {
      const fill = dark ? "black" : "white";
      return `<rect x="${column * moduleSide}" y="${row * moduleSide}" width="${moduleSide}" height="${moduleSide}" style="fill:${fill};stroke:none" />\n`;
    }),
  );
  const side = size * moduleSide;
  return `<?xml version="1.0"?>\n<svg width="${side}" height="${side}"\n     xmlns="http://www.w3.org/2000/svg"\n     xmlns:xlink="http://www.w3.org/1999/xlink">\n${rects.join("")}</svg>\n`;
}
