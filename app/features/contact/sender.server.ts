import { fromBase64, toBase64url } from "~/http/encodings/base64";
import { networkOf } from "~/http/limits/rate-limit.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { isoDayOf } from "~/ui/dates";

/**
 * A key under which the messages of one network on one day (UTC) are counted. It is a keyed hash: the address
 * cannot be found from it without our secret, and it is different on each day.
 */
export async function senderOf(
  request: Request,
  { COOKIE_SECRET }: Pick<Configuration, "COOKIE_SECRET">,
  now: Date,
): Promise<string> {
  const secret = fromBase64(COOKIE_SECRET[0] ?? "");
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const encoder = new TextEncoder();
  const key = await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode("contact senders"),
    },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign"],
  );
  const network = networkOf(request.headers.get("cf-connecting-ip") ?? "unknown");
  const counted = encoder.encode(`${isoDayOf(now)} ${network}`);
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, counted), 0, 16));
}
