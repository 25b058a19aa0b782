import { fromBase64, toBase64 } from "~/http/encodings";

const prefix = "whsec_";

/** A new secret of a webhook: 32 bytes, written as Standard Webhooks does. */
export function newWebhookSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The headers that prove who sent a body and when, by Standard Webhooks 1.0: HMAC-SHA-256 over id, time and body. `at`
 * is in milliseconds since 1970. The id of a message is the same at each try.
 */
export async function signatureHeaders(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const seconds = Math.floor(at / 1_000);
  const bytes = fromBase64(secret.slice(prefix.length));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${toBase64(signature)}`,
  };
}
