import { createHmac } from "node:crypto";
import { request } from "node:http";
import { z } from "zod";

/** The events that PagerDuty received, and its incidents by their deduplication key. */
export type PagerEvent = z.infer<typeof pagerEvent>;

/** https://developer.pagerduty.com/docs/events-api-v2/trigger-events/ */
const pagerEvent = z
  .object({
    routing_key: z.string(),
    event_action: z.enum(["trigger", "acknowledge", "resolve"]),
    dedup_key: z.string().max(255).optional(),
    payload: z
      .object({
        summary: z.string().min(1).max(1_024),
        source: z.string().min(1),
        severity: z.enum(["critical", "error", "warning", "info"]),
        timestamp: z.iso.datetime().optional(),
        component: z.string().optional(),
        group: z.string().optional(),
        class: z.string().optional(),
        custom_details: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
    links: z.array(z.object({ href: z.url(), text: z.string().optional() })).optional(),
    client: z.string().optional(),
    client_url: z.url().optional(),
  })
  .refine((event) => event.event_action !== "trigger" || event.payload !== undefined, {
    path: ["payload"],
    message: "'payload' is missing or blank",
  })
  .refine((event) => event.event_action === "trigger" || event.dedup_key !== undefined, {
    path: ["dedup_key"],
    message: "'dedup_key' is missing or blank",
  });

/** A routing key that no service has, as one that was deleted. */
const unknownRoutingKey = "0".repeat(32);

/** Answers `POST /v2/enqueue` as PagerDuty does, and keeps the event. */
export async function answerPagerDuty(request: Request, events: PagerEvent[]): Promise<Response> {
  const parsed = pagerEvent.safeParse(await request.json().catch(() => undefined));
  if (!parsed.success) {
    return invalid(
      parsed.error.issues.map(({ path, message }) => `'${path.join(".")}' ${message}`),
    );
  }
  const { routing_key, dedup_key = crypto.randomUUID() } = parsed.data;
  if (routing_key.length !== 32) {
    return invalid(["Length of 'routing_key' is incorrect (should be 32 characters)"]);
  }
  if (routing_key === unknownRoutingKey) return invalid(["'routing_key' is invalid"]);
  events.push({ ...parsed.data, dedup_key });
  return Response.json(
    { status: "success", message: "Event processed", dedup_key },
    { status: 202 },
  );
}

function invalid(errors: string[]): Response {
  return Response.json(
    { status: "invalid event", message: "Event object is invalid", errors },
    { status: 400 },
  );
}

/** What somebody does at PagerDuty with one of our incidents, and where a webhook subscription sends it. */
export const pagerAct = z.strictObject({
  event_type: z.enum(["incident.acknowledged", "incident.unacknowledged", "incident.resolved"]),
  dedup_key: z.string(),
  /** The name of the user. */
  agent: z.string(),
  url: z.url(),
  /** It signs; two while it is changed. */
  secrets: z.array(z.string()),
  occurred_at: z.iso.datetime().optional(),
});

/**
 * Sends a webhook of version 3 as PagerDuty documents it: the payload of
 * https://developer.pagerduty.com/docs/webhooks-overview and the signatures of
 * https://developer.pagerduty.com/docs/verifying-webhook-signatures, both read on 28 November 2026. Answers with the status
 * that it got.
 */
export async function sendPagerWebhook(act: z.infer<typeof pagerAct>): Promise<number> {
  const { event_type, dedup_key, agent, url, secrets } = act;
  const reference = (id: string, type: string, summary: string) => ({
    html_url: `https://acme.pagerduty.com/${type}s/${id}`,
    ...{ id, self: `https://api.pagerduty.com/${type}s/${id}`, summary },
    type: `${type}_reference`,
  });
  const [, status = ""] = event_type.split(".");
  const body = JSON.stringify({
    event: {
      ...{ id: crypto.randomUUID(), event_type, resource_type: "incident" },
      occurred_at: act.occurred_at ?? new Date().toISOString(),
      agent: reference("PLH1HKV", "user", agent),
      client: { name: "PagerDuty" },
      data: {
        ...{ id: "PGR0VU2", type: "incident", number: 2 },
        self: "https://api.pagerduty.com/incidents/PGR0VU2",
        html_url: "https://acme.pagerduty.com/incidents/PGR0VU2",
        status: status === "unacknowledged" ? "triggered" : status,
        incident_key: dedup_key,
        created_at: "2026-11-28T03:12:00Z",
        title: "A server is down – livekit",
        service: reference("PF9KMXH", "service", "LiveKit"),
        assignees: [reference("PLH1HKV", "user", agent)],
        escalation_policy: reference("PUS0KTE", "escalation_policy", "Default"),
        ...{ teams: [], priority: null, urgency: "high" },
        ...{ conference_bridge: null, resolve_reason: null },
      },
    },
  });
  const signatures = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(body).digest("hex")}`,
  );
  return post(new URL(url), body, {
    "content-type": "application/json",
    "user-agent": "PagerDuty-Webhook/V3.0",
    "x-pagerduty-signature": signatures.join(","),
    "x-webhook-id": crypto.randomUUID(),
  });
}

/** To this machine, whatever the name: the servers Worker has one below localhost, which not every system resolves. */
function post({ host, port, pathname }: URL, body: string, headers: Record<string, string>) {
  return new Promise<number>((resolve, reject) => {
    const sent = request({
      ...{ hostname: "127.0.0.1", port, path: pathname, method: "POST", agent: false },
      headers: { ...headers, host },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}
