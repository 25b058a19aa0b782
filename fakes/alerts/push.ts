import { createPublicKey, verify } from "node:crypto";
import type { ServiceMode } from "./services.ts";

/** A message as it came to the push service for a subscription; its body in base64url, which the browser alone can read. */
export type Pushed = { subscription: string; headers: Record<string, string>; body: string };

/** The least that a push service must take. */
const maxBytes = 4_096;

/** Answers `POST /push/SUBSCRIPTION` as a push service does: RFC 8030, and RFC 8292 of who sends. */
export async function answerPush(
  request: Request,
  mode: ServiceMode,
  pushed: Pushed[],
): Promise<Response | undefined> {
  const { pathname, origin } = new URL(request.url);
  const [, subscription] = /^\/push\/([\w-]+)$/.exec(pathname) ?? [];
  if (request.method !== "POST" || !subscription) return;
  if (mode === "gone")
    return new Response("push subscription has unsubscribed or expired.", { status: 410 });
  if (mode === "limited")
    return new Response("", { status: 429, headers: { "retry-after": "30" } });
  if (mode === "down") return new Response("", { status: 500 });
  const headers = Object.fromEntries(request.headers);
  if (!/^\d+$/.test(headers.ttl ?? "")) return new Response("TTL missing", { status: 400 });
  if (headers["content-encoding"] !== "aes128gcm") return new Response("", { status: 400 });
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(headers.topic)) {
    return new Response("bad topic", { status: 400 });
  }
  if (!isSigned(headers.authorization ?? "", origin)) return new Response("", { status: 403 });
  const body = Buffer.from(await request.arrayBuffer());
  if (body.byteLength > maxBytes) return new Response("", { status: 413 });
  pushed.push({ subscription, headers, body: body.toString("base64url") });
  const location = `${origin}/message/${crypto.randomUUID()}`;
  return new Response(null, { status: 201, headers: { location } });
}

/** Whether it is signed by the key that it names, for this push service, and for a day at most. */
function isSigned(authorization: string, origin: string): boolean {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.byteLength !== 65) return false;
  const half = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: half(1), y: half(33) };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString() || "{}");
  const left = exp - Date.now() / 1_000;
  return (
    verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    ) &&
    aud === origin &&
    left > 0 &&
    left <= 24 * 3_600 &&
    /^(mailto:|https:)/.test(sub)
  );
}
