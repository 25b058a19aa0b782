import * as z from "zod/mini";
import { fromBase64, fromBase64url, toBase64url, toHex } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import type { RelyingParty } from "./relying-party";

// Passkeys of approvers, as WebAuthn (level 3) has them, with ES256 alone: a machine verifies that with openssl. What a
// machine takes its own script decides (approval.py); here the same is found out before anything is sent to it.

/** `key`: the public key as SubjectPublicKeyInfo, in base64. `credential` in base64url. */
export type Passkey = { credential: string; key: string; fingerprint: string };

/** Base64url of at most so many letters. */
export const bytesAsText = (max: number) =>
  z.string().check(
    z.regex(/^[A-Za-z0-9_-]+$/),
    z.maxLength(max),
    // Of four letters one alone encodes nothing.
    z.refine((value) => value.length % 4 !== 1),
  );

export const assertion = z.object({
  credential: bytesAsText(1_400),
  authenticatorData: bytesAsText(1_000),
  clientData: bytesAsText(4_000),
  signature: bytesAsText(200),
});

type SentAssertion = z.infer<typeof assertion>;

const flag = { present: 0x01, verified: 0x04 } as const;

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => toHex(one) === toHex(other);

/** A challenge as the browser writes it into what is signed. */
const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.optional(z.boolean()),
});

export function isClientData(
  sent: string,
  wanted: { type: "webauthn.create" | "webauthn.get"; challenge: Uint8Array; origin: string },
): boolean {
  const said = clientData.safeParse(parsed(new TextDecoder().decode(fromBase64url(sent)))).data;
  return (
    said?.type === wanted.type &&
    said.challenge === toBase64url(wanted.challenge) &&
    said.origin === wanted.origin &&
    said.crossOrigin !== true
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return;
  }
}

/** Whether an authenticator's data is of this site, and of a person who was there and whom it verified. */
export async function isOfVerifiedPerson(data: Uint8Array, { id }: RelyingParty): Promise<boolean> {
  const flags = data[32] ?? 0;
  return (
    data.length >= 37 &&
    isEqual(data.subarray(0, 32), await sha256(id)) &&
    (flags & flag.present) !== 0 &&
    (flags & flag.verified) !== 0
  );
}

/** Undefined for a point that is not on the curve. */
export async function importKey(key: string): Promise<CryptoKey | undefined> {
  try {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    return await crypto.subtle.importKey("spki", fromBase64(key), algorithm, false, ["verify"]);
  } catch {
    return;
  }
}

/** Whether this passkey signed this text, for this site, by a person whom the authenticator verified. */
export async function isApprovalOf(
  signed: string,
  sent: SentAssertion,
  { key }: Passkey,
  site: RelyingParty,
): Promise<boolean> {
  const challenge = await sha256(signed);
  const { origin } = site;
  if (!isClientData(sent.clientData, { type: "webauthn.get", challenge, origin })) return false;
  const data = fromBase64url(sent.authenticatorData);
  if (!(await isOfVerifiedPerson(data, site))) return false;
  const signature = rawSignature(fromBase64url(sent.signature));
  const imported = await importKey(key);
  if (!signature || !imported) return false;
  const hashed = await sha256(fromBase64url(sent.clientData));
  const content = new Uint8Array([...data, ...hashed]);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, imported, signature, content);
}

/** The two numbers of a signature, which WebAuthn has as DER and WebCrypto as 64 bytes. */
function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der[2] !== 0x02) return;
  const first = der[3] ?? 0;
  if (der[4 + first] !== 0x02) return;
  const second = der[5 + first] ?? 0;
  if (6 + first + second !== der.length) return;
  const numbers = [der.subarray(4, 4 + first), der.subarray(6 + first)];
  const raw = new Uint8Array(64);
  for (const [at, number] of numbers.entries()) {
    const digits = number.subarray(Math.max(0, number.length - 32));
    if (number.length > 33) return;
    raw.set(digits, (at + 1) * 32 - digits.length);
  }
  return raw;
}
