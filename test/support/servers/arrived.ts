import { fakes } from "../site/control-fakes.ts";

/** An event as PagerDuty received it. */
export type PagerEvent = { routing_key: string; event_action: string; dedup_key: string };

/** A message as a webhook received it, as far as tests look at it. */
export type WebhookBody = {
  type: string;
  timestamp: string;
  data: { incidents: { id: string; closed_at: string | null; changes?: number }[] };
};

/** A message as it came to the webhook of this name, and how webhooks behaved then. */
type WebhookMessage = { name: string; headers: Record<string, string>; body: string; mode: string };

/** What has arrived at the fake of PagerDuty for a routing key, the oldest first. */
export async function pagerEvents(routingKey: string): Promise<PagerEvent[]> {
  const all = await arrived<PagerEvent>("pagerduty");
  return all.filter((event) => event.routing_key === routingKey);
}

/** Where the fake takes the messages to a webhook of this name. */
export const webhookAddress = (name: string): string => `${fakes().alerts.url}/webhooks/${name}`;

/** What has arrived there, the oldest first. */
export async function webhookBodies(name: string): Promise<WebhookBody[]> {
  const all = await webhookMessages();
  return all.filter((each) => each.name === name).map(({ body }) => JSON.parse(body));
}

/** What has arrived at any webhook, the oldest first. */
export const webhookMessages = () => arrived<WebhookMessage>("webhooks");

/** What has arrived at the services, the oldest first. */
export const serviceRequests = () =>
  arrived<{ service: string; path: string; body: unknown }>("services");

/** What has arrived at the push service, the oldest first. */
export const pushedMessages = () => arrived<{ subscription: string; body: string }>("push");

async function arrived<Item>(path: string): Promise<Item[]> {
  return (await fetch(`${fakes().alerts.url}/_local/${path}`)).json();
}
