import { randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import { refusal } from "../refusals.ts";
import type { SendText } from "./text-messages.ts";

/** As the auth server has it where the project sets nothing else: MFA_PHONE_MAX_FREQUENCY, MFA_PHONE_OTP_LENGTH. */
const secondsBetweenTexts = 60;
const codeLength = 6;

export type PhoneFactor = { id: string; status: string; phone: string; secondsSinceText: number };

/** A number as the auth server stores it: of E.164, without the plus sign. Undefined for another text. */
export function storedPhone(typed: string): string | undefined {
  const phone = typed.replace(/^\+/, "").replaceAll(" ", "");
  return /^[1-9]\d{1,14}$/.test(phone) ? phone : undefined;
}

/**
 * Enrols a telephone as second factor; nothing is sent yet. As supabase/auth v2.196.0 does, `enrollPhoneFactor` in
 * internal/api/mfa.go, read in November 2026.
 */
export async function enrolPhone(
  database: Database,
  userId: string,
  wish: { friendly_name: string; phone: string },
): Promise<Response> {
  if (!wish.phone) {
    return refusal(400, "validation_failed", "Phone number required to enroll Phone factor");
  }
  const phone = storedPhone(wish.phone);
  if (!phone) {
    const message = "Invalid phone number format (E.164 required)";
    return refusal(400, "validation_failed", message);
  }
  const { rows } = await database.query<{ id: string; status: string }>(
    "select id, status from auth.mfa_factors where user_id = $1 and phone = $2",
    [userId, phone],
  );
  if (rows.some(({ status }) => status === "verified")) {
    const message =
      "A verified phone factor already exists, unenroll the existing factor to continue";
    return refusal(422, "mfa_verified_factor_exists", message);
  }
  for (const { id } of rows) {
    await database.query("delete from auth.mfa_factors where id = $1", [id]);
  }
  const id = randomUUID();
  await database.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, phone)
     values ($1, $2, $3, 'phone', 'unverified', $4)`,
    [id, userId, wish.friendly_name, phone],
  );
  return Response.json({ id, type: "phone", friendly_name: wish.friendly_name, phone: wish.phone });
}

/**
 * Sends a code to a factor's telephone, as `challengePhoneFactor` there does. Whatever the provider of text messages
 * refuses is a 500 without a code of its own: a test asks for it by `/_local/refuse`.
 */
export async function challengePhone(
  database: Database,
  factor: PhoneFactor,
  { body, address, expiresAt }: { body: unknown; address: string; expiresAt: number },
  sendText: SendText,
): Promise<Response> {
  const { channel } = z
    .object({ channel: z.string().default("sms") })
    .catch({ channel: "sms" })
    .parse(body);
  if (!["sms", "whatsapp"].includes(channel)) {
    const message = "Invalid channel, supported values are 'sms' or 'whatsapp'";
    return refusal(400, "validation_failed", message);
  }
  const wait = secondsBetweenTexts - Math.floor(factor.secondsSinceText);
  if (wait > 0) {
    const message = `For security purposes, you can only request this after ${wait} seconds.`;
    return refusal(429, "over_sms_send_rate_limit", message);
  }
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  const id = randomUUID();
  await database.query(
    "insert into auth.mfa_challenges (id, factor_id, otp_code, ip_address) values ($1, $2, $3, $4)",
    [id, factor.id, code, address],
  );
  await database.query("update auth.mfa_factors set last_challenged_at = now() where id = $1", [
    factor.id,
  ]);
  await sendText(factor.phone, `Your code is ${code}`);
  return Response.json({ id, type: "phone", expires_at: expiresAt });
}

/** Whether a code is the one that was sent for this challenge. */
export function isSentCode(sent: string | null, typed: string): boolean {
  const [right, given] = [Buffer.from(sent ?? ""), Buffer.from(typed)];
  return right.length > 0 && right.length === given.length && timingSafeEqual(right, given);
}
