import { dashed, fromBase64url, fromHex, toBase64url, toHex, undashed } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import { keySecrets } from "../ingest/credentials.server";
import { senderSettings } from "../sender-settings.server";

// A link in a message lets its recipient acknowledge without a sign-in. It names workspace, channel, incident
// and the second in which the message was made, and is signed here: one that was made up costs no object a call. What
// was done by it is noted at the incident, so that each act is done once by each link.

/** For so long after its message a link works. */
export const linkLivesMs = 72 * 3_600_000;
const contentBytes = 52;
const tagBytes = 12;
const linkForm = /^[A-Za-z0-9_-]{86}$/;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const allIncidents = "0".repeat(32);

/** `incident` undefined: every incident that paged when the message was made. `at` in milliseconds since 1970. */
export type LinkContent = {
  workspace: string;
  channel: string;
  incident: string | undefined;
  at: number;
};

/** The address of the page that acknowledges; undefined where this Worker is not set up for messages. */
export async function acknowledgeAddress(
  env: object,
  content: LinkContent,
): Promise<string | undefined> {
  const site = senderSettings(env)?.SITE_URL;
  const { workspace, channel, incident } = content;
  const ids = [workspace, channel, ...(incident === undefined ? [] : [incident])];
  if (!site || ids.some((id) => !uuidForm.test(id))) return;
  const [secret] = keySecrets(env);
  const bytes = bytesOf(content);
  const tag = await tagOf(secret ?? "", bytes);
  return `${site}/acknowledge?link=${toBase64url(new Uint8Array([...bytes, ...tag]))}`;
}

/** What a link says; undefined for one that was not made here. */
export async function readLink(env: object, text: string): Promise<LinkContent | undefined> {
  if (!linkForm.test(text)) return;
  const all = fromBase64url(text);
  const bytes = all.subarray(0, contentBytes);
  const tag = toHex(all.subarray(contentBytes));
  const tags = await Promise.all(keySecrets(env).map((secret) => tagOf(secret, bytes)));
  if (!tags.some((each) => toHex(each) === tag)) return;
  const digits = toHex(bytes);
  const incident = digits.slice(64, 96);
  return {
    workspace: dashed(digits.slice(0, 32)),
    channel: dashed(digits.slice(32, 64)),
    incident: incident === allIncidents ? undefined : dashed(incident),
    at: Number.parseInt(digits.slice(96), 16) * 1_000,
  };
}

function bytesOf({ workspace, channel, incident, at }: LinkContent): Uint8Array<ArrayBuffer> {
  const seconds = Math.floor(at / 1_000);
  const ids = [workspace, channel].map(undashed).join("");
  const named = incident === undefined ? allIncidents : undashed(incident);
  return fromHex(ids + named + seconds.toString(16).padStart(8, "0"));
}

async function tagOf(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await signingKey(secret, "links that acknowledge");
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes), 0, tagBytes);
}
