import * as z from "zod/mini";
import { dashed, toHex, undashed } from "~/http/encodings";
import { sha256Hex, signingKey } from "~/http/hashes";
import { networkKeys } from "~/http/network";

// Enrolment tokens are `lkd_e_<fleet>_<secret>_<tag>`, keys `lkd_s_<fleet>_<server>_<secret>_<tag>`. The secret has 43
// letters and digits, which are 256 bits. The tag is made with a secret of this Worker: one that was made up is
// refused by arithmetic, before any object is called. Only the object has the list of those that are valid.

const tagBytes = 8;
const tokenForm = /^lkd_e_([0-9a-f]{32})_([A-Za-z0-9]{43})_([0-9a-f]{16})$/;
const pagerForm = /^lkd_p_([0-9a-f]{32})_([0-9a-f]{32})_([0-9a-f]{16})$/;
const keyForm = /^lkd_s_([0-9a-f]{32})_([0-9a-f]{32})_([A-Za-z0-9]{43})_([0-9a-f]{16})$/;

/** `text`: the token itself. */
export type EnrolmentToken = { workspace: string; tokenHash: string; text: string };
export type Key = { workspace: string; server: string; keyHash: string };

/** A new token of a workspace, and the hash that its object stores. */
export async function newToken(
  secrets: readonly string[],
  workspace: string,
): Promise<{ token: string; hash: string }> {
  const fleet = undashed(workspace);
  const secret = randomSecret();
  const hash = await sha256Hex(secret);
  const tag = await tagOf(secrets[0], ["e", fleet, "", hash]);
  return { token: `lkd_e_${fleet}_${secret}_${tag}`, hash };
}

/** What a machine puts around its own secret, of which we know the hash alone. */
export async function keyAround(
  secrets: readonly string[],
  { workspace, server, keyHash }: Key,
): Promise<{ prefix: string; tag: string }> {
  const [fleet, id] = [undashed(workspace), undashed(server)];
  return {
    prefix: `lkd_s_${fleet}_${id}_`,
    tag: await tagOf(secrets[0], ["s", fleet, id, keyHash]),
  };
}

/** The token of a request; undefined for one that was not made here. */
export async function tokenOf(
  request: Request,
  secrets: readonly string[],
): Promise<EnrolmentToken | undefined> {
  const [text = "", fleet, secret, tag] = tokenForm.exec(bearer(request)) ?? [];
  if (!fleet || !secret || !tag) return;
  const tokenHash = await sha256Hex(secret);
  if (!(await isOurs(secrets, ["e", fleet, "", tokenHash], tag))) return;
  return { workspace: dashed(fleet), tokenHash, text };
}

/** The key of a request; undefined for one that was not made here. */
export async function keyOf(
  request: Request,
  secrets: readonly string[],
): Promise<Key | undefined> {
  const [, fleet, id, secret, tag] = keyForm.exec(bearer(request)) ?? [];
  if (!fleet || !id || !secret || !tag) return;
  const keyHash = await sha256Hex(secret);
  if (!(await isOurs(secrets, ["s", fleet, id, keyHash], tag))) return;
  return { workspace: dashed(fleet), server: dashed(id), keyHash };
}

/** A channel to PagerDuty, as the address to which PagerDuty's webhooks go names it. */
export type PagerChannel = { workspace: string; channel: string };

/** The last part of that address. It is no secret: what comes there is signed by PagerDuty. */
export async function pagerAddress(
  secrets: readonly string[],
  { workspace, channel }: PagerChannel,
): Promise<string> {
  const [fleet, id] = [undashed(workspace), undashed(channel)];
  return `lkd_p_${fleet}_${id}_${await tagOf(secrets[0], ["p", fleet, id, ""])}`;
}

/** The channel of such an address; undefined for one that was not made here. */
export async function pagerChannelOf(
  text: string,
  secrets: readonly string[],
): Promise<PagerChannel | undefined> {
  const [, fleet, id, tag] = pagerForm.exec(text) ?? [];
  if (!fleet || !id || !tag || !(await isOurs(secrets, ["p", fleet, id, ""], tag))) return;
  return { workspace: dashed(fleet), channel: dashed(id) };
}

function bearer(request: Request): string {
  return /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 43 letters and digits, each as likely as the others. */
function randomSecret(): string {
  let secret = "";
  while (secret.length < 43) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // Of 256 values 248 divide evenly among 62 characters.
      if (byte < 248 && secret.length < 43) secret += alphabet[byte % alphabet.length];
    }
  }
  return secret;
}

async function isOurs(
  secrets: readonly string[],
  parts: readonly string[],
  tag: string,
): Promise<boolean> {
  const tags = await Promise.all(secrets.map((secret) => tagOf(secret, parts)));
  return tags.includes(tag);
}

async function tagOf(secret: string | undefined, parts: readonly string[]): Promise<string> {
  const key = await tagKey(secret ?? "");
  const text = new TextEncoder().encode(parts.join("\n"));
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, text), 0, tagBytes);
  return toHex(bytes);
}

const tagKeys = new Map<string, CryptoKey>();

/** Made once in an isolate: deriving it takes longer than all else of a tag, and every report has one. */
async function tagKey(secret: string): Promise<CryptoKey> {
  const made = tagKeys.get(secret) ?? (await signingKey(secret, "credentials of machines"));
  tagKeys.set(secret, made);
  return made;
}

const variables = z.object({ SERVER_KEY_SECRET: z.string().check(z.minLength(1)) });

/**
 * The secrets that sign machines' tokens and keys, each 32 bytes in base64: the first signs, all verify. Throws where
 * SERVER_KEY_SECRET is not set: docs/operations.md says how.
 */
export function keySecrets(env: object): readonly string[] {
  const { data } = variables.safeParse(env);
  if (data) return data.SERVER_KEY_SECRET.split(",").map((secret) => secret.trim());
  throw new Error("SERVER_KEY_SECRET of the servers Worker is not set");
}

/** Who calls: a machine, a page that asks for its socket, or PagerDuty. They do not use up each other's calls. */
type CallerKind = "machine" | "page" | "pager";

/** Counts a call by the network that it comes from, whatever is in it. Returns whether it is within the limit. */
export async function withinNetworkLimit(
  request: Request,
  env: ServersEnv,
  caller: CallerKind,
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  // A call that is refused for its /64 must not use up the limit of its /48.
  for (const key of networkKeys(address)) {
    const { success } = await env.MACHINE_LIMIT.limit({ key: `${caller} ${key}` });
    if (!success) return false;
  }
  return true;
}

/**
 * Counts a call by who it names, wherever it comes from: a server, a token, a session or a link's channel, which we have found to be of
 * our making. Returns whether it is within the limit, so that what is sent in bulk costs no object anything.
 */
export async function withinCredentialLimit(
  env: ServersEnv,
  caller: `${"server" | "token" | "session" | "link"} ${string}`,
): Promise<boolean> {
  const { success } = await env.CREDENTIAL_LIMIT.limit({ key: caller });
  return success;
}
