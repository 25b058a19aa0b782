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
