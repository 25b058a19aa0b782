import type { AppContext } from "~/http/app-context";
import { fromBase64url, toBase64url } from "~/http/encodings";
import { signingKey } from "~/http/hashes";

const purpose = "challenge of a passkey for rollouts";
const validMs = 15 * 60_000;
const timeBytes = 8;

type Whose = { person: string; workspace: string };

/** What a browser signs with a new passkey: of this person, workspace and time alone. Nothing of it is stored. */
export async function newChallenge(
  { configuration }: Pick<AppContext, "configuration">,
  whose: Whose,
): Promise<string> {
  const time = new Uint8Array(timeBytes);
  new DataView(time.buffer).setBigUint64(0, BigInt(Date.now()));
  const key = await signingKey(configuration.COOKIE_SECRET[0] ?? "", purpose);
  const tag = await crypto.subtle.sign("HMAC", key, contentOf(time, whose));
  return toBase64url(new Uint8Array([...time, ...new Uint8Array(tag)]));
}

/** Whether such a challenge was given to them a short while ago. */
export async function isChallenge(
  { configuration }: Pick<AppContext, "configuration">,
  text: string,
  whose: Whose,
): Promise<boolean> {
  if (!/^[A-Za-z0-9_-]{54}$/.test(text)) return false;
  const bytes = fromBase64url(text);
  const [time, tag] = [bytes.slice(0, timeBytes), bytes.slice(timeBytes)];
  const at = Number(new DataView(time.buffer).getBigUint64(0));
  if (at > Date.now() || at < Date.now() - validMs) return false;
  const checks = configuration.COOKIE_SECRET.map(async (secret) =>
    crypto.subtle.verify("HMAC", await signingKey(secret, purpose), tag, contentOf(time, whose)),
  );
  return (await Promise.all(checks)).includes(true);
}

function contentOf(time: Uint8Array, { person, workspace }: Whose): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...time, ...new TextEncoder().encode(`${person} ${workspace}`)]);
}
