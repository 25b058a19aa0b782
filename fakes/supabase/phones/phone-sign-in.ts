import { createHash, randomInt } from "node:crypto";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import { openSession } from "../open-session.ts";
import { refusal } from "../refusals.ts";
import { storedPhone } from "./phone-factor.ts";
import type { SendText } from "./text-messages.ts";

/** As the auth server has them where the project sets nothing else: SMS_MAX_FREQUENCY, SMS_OTP_EXP, SMS_OTP_LENGTH. */
const secondsBetweenTexts = 60;
const codeSeconds = 60;
const codeLength = 6;

type Handle = (request: Request) => Promise<Response>;
type Asking = { request: Request; database: Database; sendText: SendText };

const wish = z.object({ phone: z.string().min(1), create_user: z.boolean().default(true) });
const verification = z.object({ type: z.literal("sms"), phone: z.string(), token: z.string() });

const hashOf = (phone: string, code: string) =>
  createHash("sha224")
    .update(phone + code)
    .digest("hex");

/**
 * The sign-in by a texted code, which the embedded server lacks: `POST /otp` with a phone, and `POST /verify` of the type
 * sms. As supabase/auth v2.196.0 does, internal/api/otp.go and verify.go, read in November 2026; but it makes no account,
 * for which the site never asks. Undefined if the request is about something else.
 */
export async function signInByPhone(asking: Asking, handle: Handle): Promise<Response | undefined> {
  const { request } = asking;
  const path = `${request.method} ${new URL(request.url).pathname}`;
  if (path !== "POST /auth/v1/otp" && path !== "POST /auth/v1/verify") return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (path === "POST /auth/v1/otp") {
    const parsed = wish.safeParse(body);
    return parsed.success ? textCode(asking, parsed.data) : undefined;
  }
  const given = verification.safeParse(body);
  return given.success ? takeCode(asking, handle, given.data) : undefined;
}

async function textCode(
  { database, sendText }: Asking,
  { phone: typed, create_user }: z.output<typeof wish>,
): Promise<Response> {
  const phone = storedPhone(typed);
  if (!phone) {
    return refusal(400, "validation_failed", "Invalid phone number format (E.164 required)");
  }
  const { rows } = await database.query<{ id: string; wait: number }>(
    `select id, ${secondsBetweenTexts} - coalesce(extract(epoch from now() - confirmation_sent_at), 1e9)::int as wait
     from auth.users where phone = $1 and phone_confirmed_at is not null`,
    [phone],
  );
  const [person] = rows;
  if (!person) {
    if (create_user) throw new Error("The local auth server makes no account by a texted code");
    return refusal(422, "otp_disabled", "Signups not allowed for otp");
  }
  if (person.wait > 0) {
    const message = `For security purposes, you can only request this after ${person.wait} seconds.`;
    return refusal(429, "over_sms_send_rate_limit", message);
  }
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  await database.query(
    "update auth.users set confirmation_token = $2, confirmation_sent_at = now() where id = $1",
    [person.id, hashOf(phone, code)],
  );
  await sendText(phone, `Your code is ${code}`);
  return Response.json({ message_id: "" });
}

async function takeCode(
  { request, database }: Asking,
  handle: Handle,
  { phone: typed, token }: z.output<typeof verification>,
): Promise<Response> {
  const phone = storedPhone(typed) ?? "";
  const { rows } = await database.query<{ id: string }>(
    `update auth.users set confirmation_token = '', confirmation_sent_at = null
     where phone = $1 and confirmation_token = $2
       and confirmation_sent_at > now() - interval '${codeSeconds} seconds'
     returning id`,
    [phone, hashOf(phone, token)],
  );
  const [person] = rows;
  if (!phone || !person) return refusal(403, "otp_expired", "Token has expired or is invalid");
  return openSession(request, database, handle, person.id);
}
