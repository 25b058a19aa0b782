import { plainCauseWords } from "~/features/servers/incidents/cause-words";
import { isoOf } from "~/features/servers/iso-of";
import type { Message, ToldIncident } from "~/features/servers/notifications/channel";
import { serverAddress } from "~/features/servers/notifications/message-words";

/** Standard Webhooks wants less than 20 kB. */
const mostBytes = 20_000;

const types = {
  opened: "incident.opened",
  worse: "incident.worse",
  reopened: "incident.reopened",
  closed: "incident.closed",
  sum: "incidents.changed",
  digest: "incidents.digest",
  test: "test",
  "channel-failed": "channel.failed",
} as const satisfies Record<Message["event"], string>;

/** A message as a webhook says it: JSON with type, timestamp and data. What does not fit is counted in `left_out`. */
export function webhookBody(message: Message): string {
  const { event, at, incidents, failed, workspace } = message;
  const bodyOf = (told: readonly object[]) =>
    JSON.stringify({
      type: types[event],
      timestamp: isoOf(at),
      data: {
        workspace: workspace.name,
        url: workspace.address,
        incidents: told,
        ...(told.length < incidents.length ? { left_out: incidents.length - told.length } : {}),
        ...(failed ? { channel: failed } : {}),
      },
    });
  // The bytes of the body around the incidents, and of a comma for each.
  let left = mostBytes - 1 - bytes(bodyOf([]));
  const told: object[] = [];
  for (const incident of incidents) {
    const each = toldIncident(incident, workspace.address);
    left -= bytes(JSON.stringify(each)) + 1;
    if (left < 0) break;
    told.push(each);
  }
  return bodyOf(told);
}

const bytes = (text: string) => new TextEncoder().encode(text).byteLength;

function toldIncident(incident: ToldIncident, base: string) {
  const { id, server, severity, openedAt, closedAt, causes, changes } = incident;
  return {
    id,
    server,
    url: serverAddress(base, incident),
    severity: severity === "pages" ? "critical" : "warning",
    opened_at: isoOf(openedAt),
    closed_at: isoOf(closedAt) ?? null,
    ...(changes === undefined ? {} : { changes }),
    causes: causes.slice(0, 12).map((cause) => {
      const { title, next } = plainCauseWords(cause);
      const { code, subject, found = "", since, endedAt } = cause;
      return {
        ...{ code, subject, found, title, next },
        since: isoOf(since),
        ended_at: isoOf(endedAt) ?? null,
      };
    }),
  };
}
