import { fromBase64url, toBase64url } from "~/http/encodings";

// How a message is sealed for one browser (RFC 8291, in the coding aes128gcm of RFC 8188), and how a push service knows
// who sends it (RFC 8292). Bytes of keys are uncompressed points of P-256 in base64url, as browsers write them.

type Bytes = Uint8Array<ArrayBuffer>;

/** Of a subscription: the browser's public key, and the secret that the push service does not have. */
export type Recipient = { p256dh: string; auth: string };

/** A message is one record, which push services take up to this size. */
const recordSize = 4_096;
const saltBytes = 16;
const pointBytes = 65;
/** Beside what a record says: the salt, the size, our key with its length, the end of the padding and the tag. */
export const maxPlaintext = recordSize - (saltBytes + 4 + 1 + pointBytes) - 1 - 16;

const ecdh = { name: "ECDH", namedCurve: "P-256" } as const;
const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

/** The body of a request to a push service. `fixed` is for the vectors of RFC 8291: else key and salt are new each time. */
export async function sealed(
  plaintext: string,
  { p256dh, auth }: Recipient,
  fixed?: { keys: CryptoKeyPair; salt: Bytes },
): Promise<Bytes> {
  const recipient = fromBase64url(p256dh);
  const keys =
    fixed?.keys ??
    ((await crypto.subtle.generateKey(ecdh, false, ["deriveBits"])) as CryptoKeyPair);
  const salt = fixed?.salt ?? crypto.getRandomValues(new Uint8Array(saltBytes));
  const sender = new Uint8Array(
    (await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer,
  );
  const theirs = await crypto.subtle.importKey("raw", recipient, ecdh, false, []);
  const shared = await crypto.subtle.deriveBits(
    { name: "ECDH", public: theirs } as SubtleCryptoDeriveKeyAlgorithm,
    keys.privateKey,
    256,
  );
  const info = joined(bytesOf("WebPush: info\0"), recipient, sender);
  const secret = await expanded(new Uint8Array(shared), fromBase64url(auth), info, 32);
  const key = await expanded(secret, salt, bytesOf("Content-Encoding: aes128gcm\0"), 16);
  const iv = await expanded(secret, salt, bytesOf("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  // The last record ends with this byte, and padding of none.
  const record = joined(bytesOf(plaintext), new Uint8Array([2]));
  const body = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, aes, record);
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, recordSize);
  return joined(salt, size, new Uint8Array([pointBytes]), sender, new Uint8Array(body));
}

/** HKDF with SHA-256, RFC 5869. */
async function expanded(secret: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** Our key pair by which push services know us: both halves in base64url, the private one as the number alone. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** A push service takes no longer time than a day. */
const validForSeconds = 12 * 3_600;

/** The header that says who sends. `contact`: whom the push service may write to; `now` in milliseconds since 1970. */
export async function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, contact, now }: { endpoint: string; contact: string; now: number },
): Promise<string> {
  const exp = Math.floor(now / 1_000) + validForSeconds;
  const claims = { aud: new URL(endpoint).origin, exp, sub: `mailto:${contact}` };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => toBase64url(bytesOf(JSON.stringify(part))))
    .join(".");
  const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
  const key = await crypto.subtle.importKey(
    "jwk",
    jwkOf({ publicKey, privateKey }),
    algorithm,
    false,
    ["sign"],
  );
  const by = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(by, key, bytesOf(signed));
  return `vapid t=${signed}.${toBase64url(new Uint8Array(signature))}, k=${publicKey}`;
}

export function jwkOf({ publicKey, privateKey }: VapidKeys): JsonWebKey {
  const point = fromBase64url(publicKey);
  const half = (from: number) => toBase64url(point.subarray(from, from + 32));
  return { kty: "EC", crv: "P-256", x: half(1), y: half(33), d: privateKey };
}
