import * as z from "zod/mini";
import { fromBase64, fromBase64url, fromHex, toBase64, toBase64url, toHex } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import { bytesAsText, importKey, isClientData, isOfVerifiedPerson, type Passkey } from "./passkey";
import type { RelyingParty } from "./relying-party";

/** What a browser sends of a new passkey, each part in base64url. */
export const registration = z.object({
  clientData: bytesAsText(4_000),
  authenticatorData: bytesAsText(2_000),
});
type Registration = z.infer<typeof registration>;

/** Of the data's flags: whether it has a new key. */
const attested = 0x40;

/** Twice as long would be of no more use: nobody can make a key for one of these. */
const fingerprintLetters = 32;

async function fingerprintOf(key: string): Promise<string> {
  return toHex(await sha256(fromBase64(key))).slice(0, fingerprintLetters);
}

/** An ES256 key as COSE has it in CTAP2's one form: kty 2, alg -7, crv 1, then x and y. */
const coseStart = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] as const;
const coseMiddle = [0x22, 0x58, 0x20] as const;
const coseBytes = coseStart.length + 32 + coseMiddle.length + 32;

/** What stands before the point of a P-256 key in its SubjectPublicKeyInfo. */
const spkiStart = "3059301306072a8648ce3d020106082a8648ce3d03010703420004";

function pointOf(cose: Uint8Array): Uint8Array | undefined {
  const y = coseStart.length + 32;
  const isKnown =
    cose.length >= coseBytes &&
    coseStart.every((byte, at) => cose[at] === byte) &&
    coseMiddle.every((byte, at) => cose[y + at] === byte);
  if (!isKnown) return;
  const x = cose.subarray(coseStart.length, y);
  return new Uint8Array([...x, ...cose.subarray(y + coseMiddle.length, coseBytes)]);
}

/** The passkey that a browser has just made for this challenge; undefined where anything of it is not right. */
export async function readRegistration(
  sent: Registration,
  challenge: Uint8Array,
  site: RelyingParty,
): Promise<Passkey | undefined> {
  const { origin } = site;
  if (!isClientData(sent.clientData, { type: "webauthn.create", challenge, origin })) return;
  const data = fromBase64url(sent.authenticatorData);
  if (!(await isOfVerifiedPerson(data, site))) return;
  if (((data[32] ?? 0) & attested) === 0) return;
  // After the hash, the flags and the counter come 16 bytes that name the authenticator's kind.
  const length = ((data[53] ?? 0) << 8) | (data[54] ?? 0);
  const credential = data.subarray(55, 55 + length);
  if (length === 0 || length > 1_023 || credential.length !== length) return;
  const point = pointOf(data.subarray(55 + length));
  if (!point) return;
  const key = toBase64(new Uint8Array([...fromHex(spkiStart), ...point]));
  if (!(await importKey(key))) return;
  return { credential: toBase64url(credential), key, fingerprint: await fingerprintOf(key) };
}
