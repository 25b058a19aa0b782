import { createHash, randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import type { SupabaseMail } from "../email-change.ts";
import { notifications } from "../mail-templates.ts";
import { openSession } from "../open-session.ts";
import { refusal } from "../refusals.ts";
import { storedPhone } from "./phone-factor.ts";
import type { SendText } from "./text-messages.ts";

/** As the auth server has them where the project sets nothing else: SMS_MAX_FREQUENCY, SMS_OTP_EXP, SMS_OTP_LENGTH. */
const secondsBetweenTexts = 60;
const codeSeconds = 60;
const codeLength = 6;

type Handle = (request: Request) => Promise<Response>;
type Asking = {
  request: Request;
  database: Database;
  siteUrl: string;
  sendText: SendText;
  sendMail: (mail: SupabaseMail) => void | Promise<void>;
};
type Person = { id: string; email: string | null; phone: string | null; wait: number };

const hashOf = (phone: string, code: string) =>
  createHash("sha224")
    .update(phone + code)
    .digest("hex");

const change = z.object({ phone: z.string().min(1) });
const verification = z.object({
  type: z.literal("phone_change"),
  phone: z.string(),
  token: z.string(),
});

/**
 * The change of a phone number, which the embedded server lacks: `PUT /user` with a phone texts a code to it, and
 * `POST /verify` of the type phone_change takes the code, opens one more session, and has the owner told by mail. As
 * supabase/auth v2.196.0 does, internal/api/user.go and verify.go, read in November 2026. Undefined if the request is
 * about something else.
 */
export async function changePhone(asking: Asking, handle: Handle): Promise<Response | undefined> {
  const { request } = asking;
  const path = `${request.method} ${new URL(request.url).pathname}`;
  if (path !== "PUT /auth/v1/user" && path !== "POST /auth/v1/verify") return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (path === "PUT /auth/v1/user") {
    const wish = change.safeParse(body);
    return wish.success ? textCode(asking, handle, wish.data.phone) : undefined;
  }
  const given = verification.safeParse(body);
  return given.success ? takeCode(asking, handle, given.data) : undefined;
}

async function textCode(
  { request, database, sendText }: Asking,
  handle: Handle,
  typed: string,
): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const userAnswer = await handle(new Request(new URL("/auth/v1/user", request.url), { headers }));
  if (!userAnswer.ok) return userAnswer;
  const user = (await userAnswer.json()) as { id: string; is_sso_user?: boolean };
  const phone = storedPhone(typed);
  if (!phone) {
    return refusal(400, "validation_failed", "Invalid phone number format (E.164 required)");
  }
  const { rows } = await database.query<Person>(
    `select id, email, phone,
       ${secondsBetweenTexts} - coalesce(extract(epoch from now() - phone_change_sent_at), 1e9)::int as wait
     from auth.users where id = $1 or phone = $2`,
    [user.id, phone],
  );
  if (rows.some((row) => row.phone === phone && row.id !== user.id)) {
    const message = "A user with this phone number has already been registered";
    return refusal(422, "phone_exists", message);
  }
  const person = rows.find(({ id }) => id === user.id);
  if (!person || person.phone === phone) return Response.json(user);
  if (person.wait > 0) {
    const message = `For security purposes, you can only request this after ${person.wait} seconds.`;
    return refusal(429, "over_sms_send_rate_limit", message);
  }
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  await database.query(
    `update auth.users
     set phone_change = $2, phone_change_token = $3, phone_change_sent_at = now() where id = $1`,
    [user.id, phone, hashOf(phone, code)],
  );
  await sendText(phone, `Your code is ${code}`);
  return Response.json({ ...user, new_phone: phone });
}

async function takeCode(
  { request, database, siteUrl, sendMail }: Asking,
  handle: Handle,
  { phone: typed, token }: z.output<typeof verification>,
): Promise<Response> {
  const phone = storedPhone(typed) ?? "";
  const { rows } = await database.query<Person>(
    `select id, email, phone, 0 as wait from auth.users
     where phone_change = $1 and phone_change_token = $2
       and phone_change_sent_at > now() - interval '${codeSeconds} seconds'`,
    [phone, hashOf(phone, token)],
  );
  const [person] = rows;
  if (!phone || !person) return refusal(403, "otp_expired", "Token has expired or is invalid");
  await database.query(
    `update auth.users set phone = $2, phone_confirmed_at = now(), phone_change = '',
       phone_change_token = null, phone_change_sent_at = null where id = $1`,
    [person.id, phone],
  );
  const data = { sub: person.id, phone, phone_verified: true };
  await database.query("delete from auth.identities where user_id = $1 and provider = 'phone'", [
    person.id,
  ]);
  await database.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data)
     values ($1, 'phone', $2::text, $2::uuid, $3)`,
    [randomUUID(), person.id, JSON.stringify(data)],
  );
  if (person.email) {
    // A first number is no change: the auth server then tells of a new way to sign in.
    const { subject, content_path } =
      notifications[person.phone ? "phone_changed" : "identity_linked"];
    const html = readFileSync(content_path, "utf8")
      .replaceAll("{{ .Phone }}", phone)
      .replaceAll("{{ .Provider }}", "phone")
      .replaceAll("{{ .SiteURL }}", siteUrl);
    await sendMail({ to: person.email, subject, html });
  }
  return openSession(request, database, handle, person.id);
}
