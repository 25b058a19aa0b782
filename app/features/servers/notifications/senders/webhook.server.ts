import { checkName } from "~/features/deployments/bundle/names";
import { isOfSite, type NameTarget, targetOf } from "~/features/deployments/public-name.server";
import { plainCauseWords } from "~/features/servers/incidents/cause-words";
import type { Acknowledgement } from "~/features/servers/incidents/incident";
import { isoOf } from "~/features/servers/iso-of";
import type {
  Channel,
  Message,
  MessageIncident,
  Sent,
} from "~/features/servers/notifications/channel";
import { helpAddress, serverAddress } from "~/features/servers/notifications/message-words";
import { fromBase64, toBase64 } from "~/http/encodings";
import type { SenderSettings } from "../../sender-settings.server";
import { post } from "./post.server";

type Webhook = Extract<Channel, { kind: "webhook" }>;

/**
 * Sends a message to a customer's own address, signed by Standard Webhooks. Where its name leads is looked at right
 * before, so that a name which was changed since then does not lead into a private network.
 */
export async function sendWebhook(
  settings: SenderSettings,
  { url, secret }: Webhook,
  message: Message,
): Promise<Sent> {
  const { SITE_URL, WEBHOOK_TEST_ORIGIN } = settings;
  const rules = { siteUrl: SITE_URL, testOrigin: WEBHOOK_TEST_ORIGIN };
  const checked = checkWebhookAddress(url, rules);
  if ("refusal" in checked) return { ok: false, retry: false, reason: checked.refusal };
  const { hostname, origin } = new URL(checked.url);
  if (origin !== WEBHOOK_TEST_ORIGIN) {
    const refused = await refusedName(settings, hostname);
    if (refused) return refused;
  }
  const body = webhookBody(message);
  const headers = await signatureHeaders(secret, { id: message.id, at: Date.now(), body });
  const answer = await post(checked.url, headers, body);
  if ("ok" in answer) return answer;
  const { status } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  if (status === 410) {
    const reason = "It answered 410: it wants no more messages.";
    return { ok: false, retry: false, isOver: true, reason };
  }
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}.`;
  return { ok: false, retry: true, reason };
}

/** Standard Webhooks wants less than 20 kB. */
const maxBytes = 20_000;
const maxNames = 200;

const types = {
  opened: "incident.opened",
  worse: "incident.worse",
  reopened: "incident.reopened",
  repeated: "incident.repeated",
  acknowledged: "incident.acknowledged",
  closed: "incident.closed",
  rollup: "incidents.changed",
  digest: "incidents.digest",
  test: "test",
  disconnected: "server.disconnected",
  paused: "servers.paused",
  "channel-failed": "channel.failed",
} as const satisfies Record<Message["event"], string>;

/** A message as a webhook says it: JSON with type, timestamp and data. What does not fit is counted in `left_out`. */
export function webhookBody(message: Message): string {
  const { event, at, incidents, failed, server, paused, workspace, acknowledgeAddress } = message;
  const bodyOf = (listed: readonly object[]) =>
    JSON.stringify({
      type: types[event],
      timestamp: isoOf(at),
      data: {
        workspace: workspace.name,
        url: workspace.address,
        ...(acknowledgeAddress ? { acknowledge_url: acknowledgeAddress } : {}),
        incidents: listed,
        ...(listed.length < incidents.length ? { left_out: incidents.length - listed.length } : {}),
        ...(failed ? { channel: failed } : {}),
        ...(server ? { server } : {}),
        ...(paused
          ? { paused: paused.names.slice(0, maxNames), paused_count: paused.names.length }
          : {}),
      },
    });
  // The bytes of the body around the incidents, and of a comma for each.
  let left = maxBytes - 1 - bytes(bodyOf([]));
  const listed: object[] = [];
  for (const incident of incidents) {
    const each = webhookIncident(incident, workspace.address);
    left -= bytes(JSON.stringify(each)) + 1;
    if (left < 0) break;
    listed.push(each);
  }
  return bodyOf(listed);
}

const bytes = (text: string) => new TextEncoder().encode(text).byteLength;

function webhookIncident(incident: MessageIncident, base: string) {
  const { id, server, severity, openedAt, closedAt, causes, changes, acknowledged } = incident;
  const { place = {} } = incident;
  return {
    id,
    server,
    url: serverAddress(base, incident),
    severity: severity === "page" ? "critical" : "warning",
    opened_at: isoOf(openedAt),
    closed_at: isoOf(closedAt) ?? null,
    ...(incident.acknowledgeAddress ? { acknowledge_url: incident.acknowledgeAddress } : {}),
    ...(acknowledged ? { acknowledged: acknowledgement(acknowledged) } : {}),
    ...(changes === undefined ? {} : { changes }),
    deployment: place.deployment ?? null,
    domain: place.domain ?? null,
    address: place.address ?? null,
    provider: place.provider?.name ?? null,
    /** At the last report. */
    participants: place.people ?? null,
    log_in: place.login ?? null,
    causes: causes.slice(0, 12).map((cause) => {
      const { title, next } = plainCauseWords(cause);
      const { code, subject, found = "", since, endedAt } = cause;
      return {
        ...{ code, subject, found, title, next, help: helpAddress(cause, base) ?? null },
        since: isoOf(since),
        ended_at: isoOf(endedAt) ?? null,
      };
    }),
  };
}

const acknowledgement = ({ at, who, note }: Acknowledgement) => ({
  ...{ at: isoOf(at), by: who ?? null, note: note ?? null },
});

const prefix = "whsec_";

/** A new secret of a webhook: 32 bytes, written as Standard Webhooks does. */
export function newWebhookSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The headers that prove who sent a body and when, by Standard Webhooks 1.0: HMAC-SHA-256 over id, time and body. `at`
 * is in milliseconds since 1970. The id of a message is the same at each try.
 */
export async function signatureHeaders(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const seconds = Math.floor(at / 1_000);
  const bytes = fromBase64(secret.slice(prefix.length));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${toBase64(signature)}`,
  };
}

/** Why nothing is sent to a name now; undefined for one that leads to the internet alone. */
async function refusedName(
  settings: SenderSettings,
  name: string,
): Promise<Extract<Sent, { ok: false }> | undefined> {
  const reason = refusals[await targetOf(settings, name)];
  return reason === undefined ? undefined : { ok: false, retry: true, reason };
}

const refusals: Record<NameTarget, string | undefined> = {
  public: undefined,
  ours: "This is an address of ours.",
  private: "Its name leads to an address that is not of the public internet.",
  none: "Its name has no address in DNS.",
  unknown: "Its name could not be resolved: no answer of DNS.",
};

export type WebhookAddress = { url: string } | { refusal: string };

/** Whom webhooks must not reach: the site with its hostnames. `testOrigin` is the one of a fake, which they may. */
export type WebhookRules = { siteUrl: string; testOrigin?: string | undefined };

/**
 * The address of a webhook as it is kept, or a sentence why it cannot be one. It is a name on the internet at the port
 * of https; where that name leads is looked at before each message.
 */
export function checkWebhookAddress(
  input: string,
  { siteUrl, testOrigin }: WebhookRules,
): WebhookAddress {
  const refused = (refusal: string) => ({ refusal });
  if (input.length > 500) return refused("An address has at most 500 characters here.");
  const url = URL.parse(input.trim());
  if (!url) return refused("Write a whole address such as https://hooks.example.com/livekit.");
  if (testOrigin && url.origin === testOrigin) return { url: url.href };
  if (url.protocol !== "https:") return refused("The address must begin with https://.");
  if (url.username || url.password) return refused("Write the address without a user name.");
  if (url.port) return refused("Only the usual port of https works here. Leave the port out.");
  if (url.hash) return refused("Write the address without a part that begins with #.");
  const checked = checkName(url.hostname);
  if ("refusal" in checked) return refused(checked.refusal);
  if (isOfSite(checked.name, siteUrl)) return refused("This is an address of ours.");
  return { url: url.href };
}
