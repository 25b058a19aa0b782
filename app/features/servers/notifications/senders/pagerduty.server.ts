import { brand } from "~/content/chrome";
import { plainCauseWords } from "~/features/servers/incidents/cause-words";
import type {
  Channel,
  Message,
  MessageIncident,
  Sent,
} from "~/features/servers/notifications/channel";
import {
  helpAddress,
  messageAddress,
  messageTitle,
  placedName,
  serverAddress,
  worstCause,
} from "~/features/servers/notifications/message-words";
import type { SenderSettings } from "../../sender-settings.server";
import { post } from "./post.server";

type Pager = Extract<Channel, { kind: "pagerduty" }>;

/** Fields of PagerDuty's Events API v2. It has names of servers and what is wrong with them, and nothing of people. */
type PagerEvent = {
  event_action: "trigger" | "acknowledge" | "resolve";
  dedup_key: string;
  payload?: {
    summary: string;
    source: string;
    severity: "critical" | "warning" | "info";
    timestamp: string;
    /** What failed, and what it belongs to. */
    component?: string;
    group?: string;
    custom_details?: Record<string, string>;
  };
  links?: { href: string; text: string }[];
};

/**
 * Sends a message to PagerDuty. An incident has the same id there, so a message that arrives twice changes nothing.
 * What waits for the digest wakes nobody, so PagerDuty gets no digest.
 */
export async function sendToPager(
  { PAGERDUTY_API_URL }: SenderSettings,
  { routingKey }: Pager,
  message: Message,
): Promise<Sent> {
  for (const event of pagerEvents(message)) {
    const body = { routing_key: routingKey, client: brand, client_url: messageAddress(message) };
    const answer = await post(
      `${PAGERDUTY_API_URL}/v2/enqueue`,
      {},
      JSON.stringify({ ...body, ...event }),
    );
    if ("ok" in answer) return answer;
    if (answer.status === 202) continue;
    return refusal(answer.status);
  }
  return { ok: true };
}

function refusal(status: number): Sent {
  if (status === 400) {
    const reason = "PagerDuty does not take the routing key, or what was sent with it.";
    return { ok: false, retry: false, reason };
  }
  const reason =
    status === 429 ? "PagerDuty takes no more for now." : `PagerDuty answered ${status}.`;
  return { ok: false, retry: true, reason };
}

/** The events that a message is, in their order. */
export function pagerEvents(message: Message): PagerEvent[] {
  const { id, at, event, incidents, server } = message;
  switch (event) {
    case "opened":
    case "worse":
    case "reopened":
    case "repeated":
    case "acknowledged":
    case "closed":
    case "rollup":
      return incidents.map((incident) => incidentEvent(incident, message));
    case "digest":
    case "connection-test":
      return [];
    case "test":
    case "disconnected":
    case "paused":
    case "channel-failed": {
      const trigger: PagerEvent = {
        event_action: "trigger",
        dedup_key: id,
        payload: {
          summary: messageTitle(message),
          source: brand,
          severity: event === "test" ? "info" : "warning",
          timestamp: new Date(at).toISOString(),
        },
        links: server
          ? [{ href: messageAddress(message), text: server.name }]
          : [{ href: messageAddress(message), text: event === "paused" ? "Servers" : "Alerts" }],
      };
      // A test leaves nothing open.
      return event === "test" ? [trigger, { event_action: "resolve", dedup_key: id }] : [trigger];
    }
  }
}

function incidentEvent(incident: MessageIncident, message: Message): PagerEvent {
  const { id, server, severity, causes, closedAt, acknowledgeAddress, place = {} } = incident;
  if (message.event === "acknowledged") return { event_action: "acknowledge", dedup_key: id };
  const { address: base } = message.workspace;
  if (message.event === "closed" || closedAt !== undefined) {
    return { event_action: "resolve", dedup_key: id };
  }
  const details = causes.slice(0, 12).map((cause) => {
    const { title, next } = plainCauseWords(cause);
    const found = cause.found ? `; found then: ${cause.found}` : "";
    return [title, `since ${new Date(cause.since).toISOString()}${found}; what to do: ${next}`];
  });
  const facts: [name: string, value: string | undefined][] = [
    ["Address", place.address],
    ["In calls at its last report", place.people?.toString()],
    ["Log in", place.login],
  ];
  const known = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const cause = worstCause(incident);
  const help = cause && helpAddress(cause, base);
  return {
    event_action: "trigger",
    dedup_key: id,
    payload: {
      summary: messageTitle({ ...message, incidents: [incident] }).slice(0, 1_024),
      source: placedName(incident),
      ...(place.domain ? { component: place.domain } : {}),
      ...(place.deployment ? { group: place.deployment } : {}),
      severity: severity === "page" ? "critical" : "warning",
      timestamp: new Date(message.at).toISOString(),
      custom_details: Object.fromEntries([...details, ...known]),
    },
    links: [
      { href: serverAddress(base, incident), text: server.name },
      ...(acknowledgeAddress ? [{ href: acknowledgeAddress, text: "Acknowledge" }] : []),
      ...(place.provider
        ? [{ href: place.provider.console, text: `The machine at ${place.provider.name}` }]
        : []),
      ...(help ? [{ href: help, text: "More about it" }] : []),
    ],
  };
}
