import { toBase64url } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import { networkOf } from "~/http/network";
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
  const key = await signingKey(COOKIE_SECRET[0] ?? "", "contact senders");
  const network = networkOf(request.headers.get("cf-connecting-ip") ?? "unknown");
  const counted = new TextEncoder().encode(`${isoDayOf(now)} ${network}`);
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, counted), 0, 16));
}
