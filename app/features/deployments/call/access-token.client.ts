import { toBase64url } from "~/http/encodings";

/** What `sudo livekit-deploy credentials` shows. It never leaves the page that it is typed into. */
export type Credentials = { key: string; secret: string };

type Grant = { identity: string; room: string; canPublish: boolean };

/** Long enough for a test, and short enough that a token which somebody copies is soon worth nothing. */
const validSeconds = 600;

/** An access token for one participant of one room, signed with the secret (JWT, HS256). */
export async function accessToken(
  { key, secret }: Credentials,
  { identity, room, canPublish }: Grant,
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: key,
    sub: identity,
    name: identity,
    exp: seconds + validSeconds,
    video: { roomJoin: true, room, canPublish, canSubscribe: true },
  };
  const body = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    toBase64url(new TextEncoder().encode(JSON.stringify(part))),
  );
  const signed = body.join(".");
  const signingKey = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signature = await crypto.subtle.sign("HMAC", signingKey, new TextEncoder().encode(signed));
  return `${signed}.${toBase64url(new Uint8Array(signature))}`;
}
