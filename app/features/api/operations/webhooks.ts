import * as z from "zod/mini";
import { webhookSecret } from "~/features/servers/notifications/webhook-secret";
import type { DeliveryView, EventGroup, WebhookView } from "~/features/webhooks/webhook";
import { eventGroupNames } from "~/features/webhooks/webhook";
import type { ApiCall, Records, Sources } from "../call";
import { notFound, type Problem, unavailable } from "../problem";
import { notAudited } from "./audited";
import { described, iso, isoOrNull, named, type Outcome, operation, time, uuid } from "./operation";

const eventList = described(
  "What it gets: which parts of the audit log.",
  z.array(z.enum(eventGroupNames)).check(z.minLength(1), z.maxLength(eventGroupNames.length)),
);

const webhook = named(
  "Webhook",
  "Where events of the audit log are sent. It says no secret, and of its address the host.",
  z.object({
    id: uuid,
    host: z.string(),
    events: eventList,
    added_at: time,
    state: described(
      "`failing` where nothing arrives at the moment, `off` where nothing is sent.",
      z.enum(["on", "failing", "off"]),
    ),
    off: z.nullable(
      z.object({ since: time, reason: z.enum(["person", "failing", "gone", "full"]) }),
    ),
    failing: z.nullable(z.object({ since: time, reason: z.string() })),
    former_secret_until: described("Until then the former secret signs too.", z.nullable(time)),
    waiting: described("Events that wait.", z.int()),
  }),
);

const delivery = named(
  "WebhookDelivery",
  "An event on its way to a webhook, or there.",
  z.object({
    id: described("The `webhook-id` with which it is sent.", z.string()),
    type: z.string(),
    at: time,
    state: z.enum(["waiting", "delivered", "failed"]),
    tries: z.int(),
    tried_at: z.nullable(time),
    reason: z.nullable(z.string()),
  }),
);

const url = z.string().check(z.maxLength(500));
const secret = described(
  "Made by you: `whsec_` and 24 to 64 random bytes in base64. It is not shown again.",
  webhookSecret,
);
const request = named(
  "WebhookRequest",
  "A webhook to be added.",
  z.strictObject({ url, events: eventList, secret }),
);
const change = named(
  "WebhookChange",
  "What it gets from now on, whether anything is sent, and where to if that changes.",
  z.strictObject({ url: z.optional(url), events: eventList, enabled: z.boolean() }),
);
const newSecret = named(
  "WebhookSecret",
  "Another secret. For 24 hours the former one signs as well.",
  z.strictObject({ secret }),
);
const nothing = named("Nothing", "No choices.", z.strictObject({}));

function webhookView(view: WebhookView) {
  const { id, host, groups, madeAt, off, failing, formerUntil, waiting } = view;
  return {
    ...{ id, host, events: [...groups], added_at: iso(madeAt), waiting },
    state: off ? "off" : failing ? "failing" : "on",
    off: off ? { since: iso(off.at), reason: off.why } : null,
    failing: failing ? { since: iso(failing.since), reason: failing.reason } : null,
    former_secret_until: isoOrNull(formerUntil),
  };
}

const deliveryView = ({ id, type, at, state, tries, triedAt, reason }: DeliveryView) => ({
  ...{ id, type, at: iso(at), state, tries, tried_at: isoOrNull(triedAt), reason: reason ?? null },
});

const ofOne = { webhook: uuid };
const eventId = z.string().check(z.regex(/^(audit|test)_[0-9a-f-]{1,40}$/));
const base = {
  ...({ tag: "Webhooks", status: 200, query: {}, problems: [] } as const),
  scope: "webhooks:write",
} as const;
const noWebhook = notFound("webhook");
const noEvent = notFound("event that does not wait already");

type Parts = { call: ApiCall; sources: Sources };

async function webhookIn({ call, sources: { fleets } }: Parts, id: string) {
  const all = await fleets.webhooks(call.token.workspace);
  return all.find((each) => each.id === id);
}

/** Why a change may not be made, where it was not noted. */
async function noteRefusal(
  { records }: Sources,
  line: Parameters<Records["noteWebhook"]>[0],
): Promise<Problem | undefined> {
  const noted = await records.noteWebhook(line);
  if (noted === "noted") return;
  return noted === "unavailable"
    ? unavailable
    : notAudited({ ok: false, status: 403, message: "" });
}

function refusalProblem(
  refused: { refused: "too-many" } | { refused: "address"; says: string },
): Problem {
  if (refused.refused === "too-many") {
    return { problem: "full", detail: "A workspace has at most five webhooks. Remove one first." };
  }
  return {
    ...{ problem: "invalid-body", detail: "The body is not right: see `errors`." },
    errors: [{ pointer: "#/url", detail: refused.says }],
  };
}

const listOf = (groups: readonly EventGroup[]) => ({ events: groups.join(", ") });
const about = ({ id, host }: WebhookView) => ({ target: host, targetId: id });

export const webhookOperations = [
  operation({
    ...{ ...base, method: "GET", path: "/webhooks", id: "listWebhooks", scope: "webhooks:read" },
    ...{ summary: "The webhooks of the workspace", params: {} },
    answer: named("WebhookList", "All webhooks.", z.object({ items: z.array(webhook) })),
    async run({ call, sources: { fleets } }): Promise<Outcome> {
      const all = await fleets.webhooks(call.token.workspace);
      return { value: { items: all.map(webhookView) } };
    },
  }),
  operation({
    ...{ ...base, method: "POST", path: "/webhooks", id: "addWebhook", status: 201 },
    summary: "Adds a webhook, with a secret of your making",
    ...{ params: {}, body: request, answer: webhook, problems: ["full"] },
    async run({ body: { url, events, secret }, call, sources }): Promise<Outcome> {
      const { workspace } = call.token;
      const { fleets } = sources;
      const checked = await fleets.checkWebhook(workspace, url, true);
      if ("refused" in checked) return refusalProblem(checked);
      const line = { action: "webhook.added", target: checked.host } as const;
      const refusal = await noteRefusal(sources, { ...line, after: listOf(events) });
      if (refusal) return refusal;
      const added = await fleets.addWebhook(workspace, { url, groups: events, secret });
      if ("refused" in added) return refusalProblem(added);
      return {
        value: webhookView(added.webhook),
        headers: { location: `/api/v1/webhooks/${added.webhook.id}` },
      };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/webhooks/{webhook}", id: "getWebhook" },
    ...{ scope: "webhooks:read", summary: "One webhook", params: ofOne, answer: webhook },
    async run({ params, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      return found ? { value: webhookView(found) } : noWebhook;
    },
  }),
  operation({
    ...{ ...base, method: "PUT", path: "/webhooks/{webhook}", id: "changeWebhook" },
    summary: "Changes what a webhook gets, where it is, and whether it is on",
    ...{ params: ofOne, body: change, answer: webhook },
    async run({ params, body: { url, events, enabled }, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      if (!found) return noWebhook;
      const { call, sources } = parts;
      const { workspace } = call.token;
      const { fleets } = sources;
      const checked =
        url === undefined ? { host: found.host } : await fleets.checkWebhook(workspace, url, false);
      if ("refused" in checked) return refusalProblem(checked);
      const refusal = await noteRefusal(sources, {
        ...{ action: "webhook.changed", ...about(found) },
        before: { ...listOf(found.groups), on: String(!found.off), address: found.host },
        after: { ...listOf(events), on: String(enabled), address: checked.host },
      });
      if (refusal) return refusal;
      const changed = await fleets.changeWebhook(workspace, found.id, { url, groups: events });
      if (!changed) return noWebhook;
      if ("refused" in changed) return refusalProblem(changed);
      if (enabled && found.off) await fleets.enableWebhook(workspace, found.id);
      if (!enabled && !found.off) await fleets.disableWebhook(workspace, found.id);
      const after = await webhookIn(parts, found.id);
      return after ? { value: webhookView(after) } : noWebhook;
    },
  }),
  operation({
    ...{ ...base, method: "PUT", path: "/webhooks/{webhook}/secret", id: "changeWebhookSecret" },
    summary: "Sets another secret, beside which the former one signs for 24 hours",
    ...{ params: ofOne, body: newSecret, answer: webhook },
    async run({ params, body, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      if (!found) return noWebhook;
      const line = { action: "webhook.secret-changed", ...about(found) } as const;
      const refusal = await noteRefusal(parts.sources, line);
      if (refusal) return refusal;
      const { workspace } = parts.call.token;
      await parts.sources.fleets.rotateWebhook(workspace, found.id, body.secret);
      const after = await webhookIn(parts, found.id);
      return after ? { value: webhookView(after) } : noWebhook;
    },
  }),
  operation({
    ...{ ...base, method: "POST", path: "/webhooks/{webhook}/tests", id: "testWebhook" },
    summary: "Sends a test now, once, and answers what became of it",
    ...{ params: ofOne, body: nothing, answer: delivery },
    async run({ params, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      if (!found) return noWebhook;
      const line = { action: "webhook.tested", ...about(found) } as const;
      const refusal = await noteRefusal(parts.sources, line);
      if (refusal) return refusal;
      const tried = await parts.sources.fleets.testWebhook(parts.call.token.workspace, found.id);
      return tried ? { value: deliveryView(tried.delivery) } : noWebhook;
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/webhooks/{webhook}/deliveries" },
    ...{ id: "listWebhookDeliveries", scope: "webhooks:read", params: ofOne },
    summary: "The last 50 events of a webhook, the newest first",
    answer: named(
      "WebhookDeliveryList",
      "The last events of a webhook.",
      z.object({ items: z.array(delivery) }),
    ),
    async run({ params, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      return found ? { value: { items: found.deliveries.map(deliveryView) } } : noWebhook;
    },
  }),
  operation({
    ...{ ...base, method: "POST", path: "/webhooks/{webhook}/deliveries/{event}/repeats" },
    ...{ id: "repeatWebhookEvent", params: { ...ofOne, event: eventId } },
    summary: "Sends an event once more, with the id that it had",
    ...{ body: nothing, answer: delivery },
    async run({ params, ...parts }): Promise<Outcome> {
      const found = await webhookIn(parts, params.webhook);
      const known = found?.deliveries.find(({ id }) => id === params.event);
      if (!found) return noWebhook;
      if (!known || known.state === "waiting") return noEvent;
      const refusal = await noteRefusal(parts.sources, {
        ...{ action: "webhook.event-repeated", ...about(found), after: { event: known.id } },
      });
      if (refusal) return refusal;
      const { workspace } = parts.call.token;
      const isDue = await parts.sources.fleets.sendEventAgain(workspace, found.id, known.id);
      return isDue ? { value: deliveryView({ ...known, state: "waiting", tries: 0 }) } : noEvent;
    },
  }),
];
