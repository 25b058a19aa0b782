import * as z from "zod/mini";
import { readBody } from "~/http/body.server";
import { fromHex } from "~/http/encodings";
import type { Monitor } from "../incidents/monitor.server";
import {
  keySecrets,
  pagerChannelOf,
  withinCredentialLimit,
  withinNetworkLimit,
} from "../ingest/credentials.server";
import { logFailure } from "../log-failure";
import { saveAnswer } from "./answers.server";
import { channelsIn, saveChannel } from "./channels.server";

// What people do at PagerDuty comes by its webhooks of version 3:
// https://developer.pagerduty.com/docs/webhooks-overview, verifying-webhook-signatures and webhooks-behavior (read on 28
// November 2026). It waits five seconds for a status of 2xx, tries again after 429 and 5xx, and after three others in a
// row sends nothing for a day: so what is signed is answered well, though nothing follows from it.

const prefix = "/v1/pagerduty/";
export const isPagerPath = (request: Request): boolean =>
  new URL(request.url).pathname.startsWith(prefix);

/** PagerDuty sends no more than 256 KB, and promises its order up to 55. */
const maxBytes = 256 * 1024;
/** Tries go on for about 20 minutes. What is older was sent again by somebody else. */
const maxAgeMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

const webhook = z.object({
  event: z.object({
    event_type: z.string(),
    occurred_at: z.string(),
    agent: z.nullish(z.object({ summary: z.nullish(z.string()) })),
    // The deduplication key that we gave: the id of the incident.
    data: z.nullish(z.object({ incident_key: z.nullish(z.string()) })),
  }),
});

export type PagerWebhook = { channel: string; body: string; signatures: string };

/** `unknown`: there is no such channel, or nobody has set its secret. */
export type PagerAnswer = "taken" | "unsigned" | "unknown";

const statuses: Record<PagerAnswer, number> = { taken: 202, unsigned: 401, unknown: 404 };

/** Answers PagerDuty. Where that fails it tries again. */
export async function answerPagerDuty(request: Request, env: ServersEnv): Promise<Response> {
  if (request.method !== "POST") return answer(404);
  try {
    if (!(await withinNetworkLimit(request, env, "pager"))) return answer(429);
    return await takeIn(request, env);
  } catch (error) {
    logFailure("PagerDuty was not answered", error);
    return answer(503);
  }
}

async function takeIn(request: Request, env: ServersEnv): Promise<Response> {
  const text = new URL(request.url).pathname.slice(prefix.length);
  const found = await pagerChannelOf(text, keySecrets(env));
  if (!found) return answer(404);
  if (!(await withinCredentialLimit(env, `link ${found.channel}`))) return answer(429);
  const body = await readBody(request, maxBytes);
  if (body === undefined) return answer(413);
  const signatures = request.headers.get("x-pagerduty-signature") ?? "";
  const fleet = env.FLEETS.getByName(found.workspace);
  const { channel } = found;
  return answer(statuses[await fleet.takePagerWebhook({ channel, body, signatures })]);
}

const answer = (status: number): Response => new Response(null, { status });

/** Does in a fleet what somebody did at PagerDuty. */
export async function takePagerWebhook(
  sql: SqlStorage,
  monitor: Monitor,
  { channel: id, body, signatures }: PagerWebhook,
  now: number,
): Promise<PagerAnswer> {
  const channel = channelsIn(sql).find((each) => each.id === id);
  if (channel?.kind !== "pagerduty" || !channel.webhookSecret) return "unknown";
  if (!(await isSigned(channel.webhookSecret, body, signatures))) return "unsigned";
  if (now - (channel.heardAt ?? 0) > dayMs) saveChannel(sql, { ...channel, heardAt: now });
  const read = webhook.safeParse(parsed(body));
  if (!read.success) return "taken";
  const { event_type: type, occurred_at: at, agent, data } = read.data.event;
  const incident = data?.incident_key ? monitor.incident(data.incident_key) : undefined;
  if (!incident || !(now - Date.parse(at) < maxAgeMs)) return "taken";
  const who = `${agent?.summary?.slice(0, 100) || "somebody"} at PagerDuty`;
  if (type === "incident.acknowledged" && !incident.acknowledged) {
    if (monitor.acknowledge(incident.id, { by: id, who, at: now })) {
      saveAnswer(sql, [incident], { action: type, who, at: now });
    }
  }
  // There an acknowledgement ends by itself after a while. What somebody said here stays.
  if (type === "incident.unacknowledged" && incident.acknowledged?.by === id) {
    if (monitor.unacknowledge(incident.id)) {
      saveAnswer(sql, [incident], { action: type, who, at: now });
    }
  }
  return "taken";
}

/** Whether one of the signatures is that of the body: there are two while the secret is changed. */
async function isSigned(secret: string, body: string, signatures: string): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "verify",
  ]);
  for (const each of signatures.split(",").slice(0, 8)) {
    const [, digits] = /^v1=([0-9a-f]{64})$/.exec(each.trim()) ?? [];
    if (!digits) continue;
    if (await crypto.subtle.verify("HMAC", key, fromHex(digits), encoder.encode(body))) return true;
  }
  return false;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return;
  }
}
