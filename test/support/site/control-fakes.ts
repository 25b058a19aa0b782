import type Stripe from "stripe";
import { fakeAddresses } from "../../../fakes/addresses.ts";
import { portBase } from "./own-site.ts";

/** Where the fakes of this run listen. */
export function fakes() {
  return fakeAddresses(portBase);
}

/**
 * Empties all fakes: nobody has an account, a plan or mail. Webhooks that are under way are
 * waited for: one that ends later would record the past.
 */
export async function resetFakes(): Promise<void> {
  await settledStripeEvents();
  await post(`${fakes().mail.url}/_local/reset-all`);
}

/** Runs SQL as the owner of the database, past every right. */
export async function runSql<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await post(`${fakes().supabase.url}/_local/sql`, { sql, parameters })) as Row[];
}

/** From now on access tokens are signed with a published key, as at a hosted project, until a reset. */
export function signWithKeyPair(): Promise<unknown> {
  return post(`${fakes().supabase.url}/_local/key-pair`);
}

/** The next request to this path of the auth server is refused like this; see fakes/supabase/refusals.ts. */
export function refuseAtAuthServer(refusal: {
  path: string;
  method?: string;
  status: number;
  error_code: string;
  msg: string;
  times?: number;
}): Promise<unknown> {
  return post(`${fakes().supabase.url}/_local/refuse`, refusal);
}

/** Whether the auth server counts requests by address, also after a reset: put it back. */
export function countAtAuthServer(on: boolean): Promise<unknown> {
  return post(`${fakes().supabase.url}/_local/rate-limits`, { on });
}

/** The auth server's limits of mails from now on, until a reset; see fakes/supabase/mail-limits.ts. */
export function limitMails(limit: { left?: number; seconds?: number }): Promise<unknown> {
  return post(`${fakes().supabase.url}/_local/mail-limit`, limit);
}

/** Somebody does something at PagerDuty, whose webhook goes to `url`. Answers with the status that it gets. */
export async function actAtPagerDuty(act: {
  event_type: "incident.acknowledged" | "incident.unacknowledged" | "incident.resolved";
  dedup_key: string;
  agent: string;
  url: string;
  secrets: readonly string[];
  occurred_at?: string;
}): Promise<number> {
  const sent = await post(`${fakes().alerts.url}/_local/pagerduty/webhook`, act);
  return (sent as { status: number }).status;
}

/** Uses a control of the Stripe fake. */
export function stripeControl(path: string, body: object = {}): Promise<unknown> {
  return post(`${fakes().stripe.url}/_local/${path}`, body);
}

/** The requests to the Stripe fake that it has refused since the last reset, the newest 500. */
export async function requestsRefused(): Promise<
  { method: string; path: string; status: number; refusal: string }[]
> {
  return (await fetch(`${fakes().stripe.url}/_local/requests?refused=true`)).json();
}

/** The events at the Stripe fake, once each was delivered or refused at least once. */
export async function settledStripeEvents(): Promise<Stripe.Event[]> {
  const response = await fetch(`${fakes().stripe.url}/_local/events?settled=true`);
  return (await response.json()) as Stripe.Event[];
}

/** Sets what the fake internet's resolver and customers' servers answer; see fakes/internet/fake.ts. */
export function steerInternet(control: object): Promise<unknown> {
  return post(`${fakes().internet.url}/_local/control`, control);
}

/** A customer's domain leads to a server on the internet, which answers so. */
export async function steerServer(domain: string, answers: string): Promise<void> {
  await steerInternet({ name: domain, A: ["198.41.0.4"] });
  await steerInternet({ server: domain, answers });
}

/** The machine at this address answers connections so: `fakes/internet/machines.ts` has what can be said of it. */
export function steerMachine(machine: string, answers: object = {}): Promise<unknown> {
  return steerInternet({ machine, ...answers });
}

/** What was asked of the fake of the internet since the last reset: path and query. */
export async function resolverRequests(): Promise<string[]> {
  return (await (await fetch(`${fakes().internet.url}/_local/asked`)).json()) as string[];
}

/** Sets how the fake of PagerDuty and webhooks answers; see fakes/alerts/fake.ts. */
export function steerAlerts(control: object): Promise<unknown> {
  return post(`${fakes().alerts.url}/_local/control`, control);
}

/** Sets how the fake of Resend answers; see fakes/mail/fake.ts. */
export function steerMail(control: object): Promise<unknown> {
  return post(`${fakes().mail.url}/_local/control`, control);
}

async function post(url: string, body: object = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
