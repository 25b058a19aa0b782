// Enrolment tokens are `lkd_e_<fleet>_<secret>_<tag>`, keys `lkd_s_<fleet>_<server>_<secret>_<tag>`. The secret has 43
// letters and digits, which are 256 bits. The tag is made with a secret of this Worker: one that was made up is
// refused by arithmetic, before any object is asked. Only the object knows which of the others still hold.

const tagLength = 16;
const tokenForm = /^lkd_e_([0-9a-f]{32})_([A-Za-z0-9]{43})_([0-9a-f]{16})$/;
const keyForm = /^lkd_s_([0-9a-f]{32})_([0-9a-f]{32})_([A-Za-z0-9]{43})_([0-9a-f]{16})$/;

export type Token = { workspace: string; tokenHash: string };
export type Key = { workspace: string; server: string; keyHash: string };

/** A new token of a workspace, and the hash that its object keeps. */
export async function newToken(
  secrets: readonly string[],
  workspace: string,
): Promise<{ token: string; hash: string }> {
  const fleet = withoutDashes(workspace);
  const secret = randomSecret();
  const hash = await sha256(secret);
  const tag = await tagOf(secrets[0], ["e", fleet, "", hash]);
  return { token: `lkd_e_${fleet}_${secret}_${tag}`, hash };
}

/** What a machine puts around its own secret, of which we know the hash alone. */
export async function keyAround(
  secrets: readonly string[],
  { workspace, server, keyHash }: Key,
): Promise<{ prefix: string; tag: string }> {
  const [fleet, id] = [withoutDashes(workspace), withoutDashes(server)];
  return {
    prefix: `lkd_s_${fleet}_${id}_`,
    tag: await tagOf(secrets[0], ["s", fleet, id, keyHash]),
  };
}

/** The token of a request; undefined for one that was not made here. */
export async function tokenOf(
  request: Request,
  secrets: readonly string[],
): Promise<Token | undefined> {
  const [, fleet, secret, tag] = tokenForm.exec(bearer(request)) ?? [];
  if (!fleet || !secret || !tag) return;
  const tokenHash = await sha256(secret);
  if (!(await isOurs(secrets, ["e", fleet, "", tokenHash], tag))) return;
  return { workspace: withDashes(fleet), tokenHash };
}

/** The key of a request; undefined for one that was not made here. */
export async function keyOf(
  request: Request,
  secrets: readonly string[],
): Promise<Key | undefined> {
  const [, fleet, id, secret, tag] = keyForm.exec(bearer(request)) ?? [];
  if (!fleet || !id || !secret || !tag) return;
  const keyHash = await sha256(secret);
  if (!(await isOurs(secrets, ["s", fleet, id, keyHash], tag))) return;
  return { workspace: withDashes(fleet), server: withDashes(id), keyHash };
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
  return tags.some((each) => isEqual(each, tag));
}

async function tagOf(secret: string | undefined, parts: readonly string[]): Promise<string> {
  const bytes = Uint8Array.from(atob(secret ?? ""), (character) => character.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(
    "HMAC",
    key,
    new TextEncoder().encode(parts.join("\n")),
  );
  return hex(signature).slice(0, tagLength);
}

async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares in a time that says nothing of where they differ. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  }
  return difference === 0;
}

const withoutDashes = (id: string): string => id.replaceAll("-", "");

const withDashes = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
