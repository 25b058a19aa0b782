import * as z from "zod/mini";
import { fromBase64, toBase64 } from "~/http/encodings";

const prefix = "whsec_";

const four = "(?:[A-Za-z0-9+/]{4})";
/** One byte, or two, after the last three; what is left of their last character is zero, as strict readers want it. */
const [one, two] = ["[A-Za-z0-9+/][AQgw]==", "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]="];

/** The secret of a webhook by Standard Webhooks: 24 to 64 bytes in base64. */
export const webhookSecret = z
  .string()
  .check(
    z.regex(new RegExp(`^${prefix}(?:${four}{8,20}(?:${one}|${two})?|${four}{21}(?:${one})?)$`)),
  );

/** A new one of 32 bytes. */
export function newWebhookSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

/** The bytes that sign. */
export const webhookKey = (secret: string): Uint8Array<ArrayBuffer> =>
  fromBase64(secret.slice(prefix.length));
