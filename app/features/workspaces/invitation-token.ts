import { dashed, fromBase64url, fromHex, toBase64url, toHex, undashed } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import type { Configuration } from "~/platform/env/configuration.server";

type Secrets = Pick<Configuration, "COOKIE_SECRET" | "FORMER_COOKIE_SECRETS">;

/** An invitation as its link names it: its id, a UUID, and by which of its mails, 1 to 5. Each mail ends the links before. */
export type NamedInvitation = { id: string; send: number };

const purpose = "invitations";
const idBytes = 16;
const namedBytes = idBytes + 1;

/**
 * What the link of an invitation names it by: its id, the number of the mail and a signature of both, 66 characters of
 * base64url. So nothing secret about an invitation is stored.
 */
export async function invitationToken(
  { id, send }: NamedInvitation,
  { COOKIE_SECRET }: Secrets,
): Promise<string> {
  const named = Uint8Array.from([...fromHex(undashed(id)), send]);
  const key = await signingKey(COOKIE_SECRET[0] ?? "", purpose);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, named));
  return toBase64url(Uint8Array.from([...named, ...signature]));
}

/** The invitation that a token names; undefined where the token was not made here: no query is needed to refuse it. */
export async function invitationIn(
  token: string,
  { COOKIE_SECRET, FORMER_COOKIE_SECRETS }: Secrets,
): Promise<NamedInvitation | undefined> {
  if (!/^[\w-]{66}$/.test(token)) return;
  const bytes = fromBase64url(token);
  const named = bytes.slice(0, namedBytes);
  for (const secret of [...COOKIE_SECRET, ...FORMER_COOKIE_SECRETS]) {
    const key = await signingKey(secret, purpose);
    if (await crypto.subtle.verify("HMAC", key, bytes.slice(namedBytes), named)) {
      return { id: dashed(toHex(named.subarray(0, idBytes))), send: named[idBytes] ?? 0 };
    }
  }
}
