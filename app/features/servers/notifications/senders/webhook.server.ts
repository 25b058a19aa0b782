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
import { webhookKey } from "~/features/servers/notifications/webhook-secret";
import { toBase64 } from "~/http/encodings";
import type { SenderSettings } from "../../sender-settings.server";
import { addressRules, checkCustomerAddress, refusedNow } from "./customer-address.server";
import { post } from "./post.server";

type Webhook = Extract<Channel, { kind: "webhook" }>;

/** Sends a message to a customer's own address, signed by Standard Webhooks. */
export async function sendWebhook(
  settings: SenderSettings,
  { url, secret }: Webhook,
  message: Message,
): Promise<Sent> {
  const { id } = message;
  const body = webhookBody(message);
  return (await sendSigned(settings, { url, secrets: [secret] }, { id, body })).sent;
}

/** `status`: what the address answered, where it did. */
export type SignedSent = { sent: Sent; status?: number };

/** One try to send a body to a customer's own address, with a signature by each secret. */
export async function sendSigned(
  settings: SenderSettings,
  { url, secrets }: { url: string; secrets: readonly string[] },
  { id, body }: { id: string; body: string },
): Promise<SignedSent> {
  const checked = checkCustomerAddress(url, addressRules(settings));
  if ("refusal" in checked) {
    return { sent: { ok: false, retry: false, reason: checked.refusal } };
  }
  const refused = await refusedNow(settings, checked.url);
  if (refused) return { sent: refused };
  const headers = await signatureHeaders(secrets, { id, at: Date.now(), body });
  const answer = await post(checked.url, headers, body);
  if ("ok" in answer) return { sent: answer };
  const { status, waitMs } = answer;
  if (status >= 200 && status < 300) return { sent: { ok: true }, status };
  if (status === 410) {
    const reason = "It answered 410: it wants no more messages.";
    return { sent: { ok: false, retry: false, isOver: true, reason }, status };
  }
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}.`;
  const wait = waitMs === undefined ? {} : { waitMs };
  return { sent: { ok: false, retry: true, reason, ...wait }, status };
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
  "connection-test": "connection.tested",
  "channel-failed": "channel.failed",
} as const satisfies Record<Message["event"], string>;

/** A message as a webhook says it: JSON with type, timestamp and data. What does not fit is counted in `left_out`. */
export function webhookBody(message: Message): string {
  const { event, at, incidents, failed, server, paused, workspace, acknowledgeAddress } = message;
  const { connectionTest } = message;
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
        ...(connectionTest ? { connection_test: connectionTest } : {}),
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
    server: { id: server.id, name: server.name },
    ...(server.isCluster ? { is_cluster: true } : {}),
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
      const { code, subject, found = "", since, endedAt, machine } = cause;
      return {
        ...(machine ? { machine } : {}),
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

/**
 * The headers that prove who sent a body and when, by Standard Webhooks 1.0: HMAC-SHA-256 over id, time and body. `at`
 * is in milliseconds since 1970. The id of a message is the same at each try. While a secret gives way to another one
 * there is a signature by each, and a receiver takes the one that it can check.
 */
export async function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const seconds = Math.floor(at / 1_000);
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => signature(secret, signed)));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}

async function signature(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", webhookKey(secret), algorithm, false, ["sign"]);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`;
}
