import { toBase64url } from "~/http/encodings";

/** What `sudo livekit-deploy credentials` shows. It never leaves the page that it is typed into. */
export type Credentials = { key: string; secret: string };

/** What a participant of a test may do in its one room; LiveKit's words. */
export type TestGrant = {
  canPublish: boolean;
  canSubscribe: boolean;
  canPublishData?: boolean;
  hidden?: boolean;
};

type Participant = {
  identity: string;
  room: string;
  grant: TestGrant;
  /** By default long enough for a test, and short enough that a copied token is soon worth nothing. */
  validSeconds?: number;
};

/** An access token for one participant of one room, signed with the secret (JWT, HS256). */
export async function accessToken(
  { key, secret }: Credentials,
  { identity, room, grant, validSeconds = 600 }: Participant,
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: key,
    sub: identity,
    name: identity,
    exp: seconds + validSeconds,
    video: { roomJoin: true, room, ...grant },
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
