import { z } from "zod";
import { type Account, type Fault, noFault, release, subscriptionsOf } from "./account.ts";
import { realNow } from "./clock.ts";
import { advance } from "./flows/advance.ts";
import { closeDispute, dispute } from "./flows/dispute.ts";
import { replaceEveryCard } from "./flows/payment.ts";
import { makePurchase, purchasesBody } from "./flows/purchases.ts";
import { refund } from "./flows/refund.ts";
import { cancelAtPeriodEnd, type NotPossible, payOpenInvoice, renew } from "./flows/time.ts";
import { cardThatIs } from "./objects/cards.ts";
import { showHome } from "./pages/home-page.ts";
import { seeOther } from "./pages/page.ts";
import { cardBehaviours, now } from "./state.ts";

/** What a control did, for the JSON answer; or why it could not, with a status. */
type ControlResult = { done: object } | { status: number; error: string };

const yes = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const faultBody = z.strictObject({
  mode: z.enum([
    "none",
    "slow",
    "hold",
    "refuse",
    "error500",
    "lost",
    "garbage",
    "rate-limit",
    "lock-timeout",
  ]),
  delayMs: z.coerce.number().int().min(0).max(120_000).optional(),
  match: z.string().startsWith("/v1/").optional(),
  method: z.enum(["GET", "POST", "DELETE"]).optional(),
});

/**
 * The controls under `/_local`, which Stripe does not have. They need no key: the server
 * listens on the loopback only.
 */
export async function answerControl(account: Account, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, , kind = "", id = "", action = ""] = url.pathname.split("/");
  if (request.method === "GET" || request.method === "HEAD")
    return read(account, kind, url.searchParams);
  if (request.method !== "POST") return json({ error: "Only GET and POST." }, 405);
  if (isForeign(account, request)) return json({ error: "Not from another site." }, 403);
  const body = await readBody(request);
  const outcome = await control(account, kind, id, action, body.fields);
  if ("error" in outcome) return json({ error: outcome.error }, outcome.status);
  return body.isForm ? seeOther("/_local") : json(outcome.done);
}

/**
 * Whether the request comes from a page of another site, which must not change the fake of somebody who has it
 * running.
 */
function isForeign(account: Account, request: Request): boolean {
  const origin = request.headers.get("origin");
  return origin !== null && origin !== new URL(account.baseUrl).origin;
}

async function read(account: Account, kind: string, query: URLSearchParams): Promise<Response> {
  if (kind === "") return showHome(account);
  if (kind === "clock") return json({ now: now() });
  if (kind === "requests")
    return json(query.get("refused") === "true" ? account.refusedRequests : account.requests);
  if (kind === "events") {
    if (query.get("settled") === "true") await account.deliveries.settled();
    const { events, deliveries } = account.state;
    return json(
      Object.values(events).map((event) => ({
        ...event,
        deliveries: deliveries.filter((delivery) => delivery.event === event.id),
      })),
    );
  }
  return json({ error: "There is no such control." }, 404);
}

async function control(
  account: Account,
  kind: string,
  id: string,
  action: string,
  fields: unknown,
): Promise<ControlResult> {
  if (kind === "reset" && id === "") {
    account.reset();
    return { done: { reset: true } };
  }
  if (kind === "subscriptions") return moveSubscription(account, id, action);
  if (kind === "disputes" && (action === "won" || action === "lost"))
    return endDispute(account, id, action);
  if (kind === "purchases" && id === "") return buy(account, fields);
  if (kind === "customers" && action === "card") return changeCard(account, id, fields);
  if (kind === "webhooks" && id === "") return pauseDelivery(account, fields);
  if (kind === "events" && action === "deliver") return deliver(account, id);
  if (kind === "faults" && id === "") return setFault(account, fields);
  if (kind === "settings" && id === "") return setSettings(account, fields);
  if (kind === "clock" && id === "") return moveClock(account, fields);
  if (kind === "retries" && id === "") return setRetries(account, fields);
  return { status: 404, error: "There is no such control." };
}

function moveSubscription(account: Account, id: string, action: string): ControlResult {
  const subscription = account.state.subscriptions[id];
  if (!subscription) return { status: 404, error: `There is no subscription ${id}.` };
  let refused: NotPossible | undefined;
  if (action === "renew") refused = renew(account, subscription);
  else if (action === "pay") refused = payOpenInvoice(account, subscription);
  else if (action === "refund") refused = refund(account, subscription);
  else if (action === "dispute") {
    const made = dispute(account, subscription);
    return "notPossible" in made ? { status: 409, error: made.notPossible } : { done: made };
  } else if (action === "cancel") cancelAtPeriodEnd(account, subscription, true);
  else if (action === "keep") cancelAtPeriodEnd(account, subscription, false);
  else
    return {
      status: 404,
      error: "A subscription can renew, pay, refund, dispute, cancel or keep.",
    };
  return refused ? { status: 409, error: refused.notPossible } : { done: subscription };
}

function endDispute(account: Account, id: string, outcome: "won" | "lost"): ControlResult {
  const made = account.state.disputes[id];
  if (!made) return { status: 404, error: `There is no dispute ${id}.` };
  const refused = closeDispute(account, made, outcome);
  return refused ? { status: 409, error: refused.notPossible } : { done: made };
}

function buy(account: Account, fields: unknown): ControlResult {
  const body = purchasesBody.safeParse(fields);
  if (!body.success) return { status: 400, error: z.prettifyError(body.error) };
  return { done: body.data.purchases.map((each) => makePurchase(account, each)) };
}

function changeCard(account: Account, id: string, fields: unknown): ControlResult {
  const body = z.strictObject({ behaviour: z.enum(cardBehaviours) }).safeParse(fields);
  if (!body.success)
    return { status: 400, error: "behaviour must be good, failing or authenticating." };
  const customer = account.state.customers[id];
  if (!customer || customer.deleted) return { status: 404, error: `There is no customer ${id}.` };
  const card = replaceEveryCard(account, customer, cardThatIs(body.data.behaviour));
  return { done: { card, subscriptions: subscriptionsOf(account, id) } };
}

function pauseDelivery(account: Account, fields: unknown): ControlResult {
  const body = z.strictObject({ paused: yes }).safeParse(fields);
  if (!body.success) return { status: 400, error: "paused must be true or false." };
  account.deliveries.pause(body.data.paused);
  return { done: { paused: body.data.paused } };
}

async function deliver(account: Account, id: string): Promise<ControlResult> {
  if (!account.state.events[id]) return { status: 404, error: `There is no event ${id}.` };
  return { done: { attempts: await account.deliveries.deliverNow(id) } };
}

const settingsBody = z.strictObject({
  hasTerms: yes.optional(),
  hasPortal: yes.optional(),
  canFinalize: yes.optional(),
});

function setSettings(account: Account, fields: unknown): ControlResult {
  const body = settingsBody.safeParse(fields);
  if (!body.success) return { status: 400, error: z.prettifyError(body.error) };
  const { hasTerms, hasPortal, canFinalize } = body.data;
  if (hasTerms !== undefined) account.settings.hasTerms = hasTerms;
  if (hasPortal !== undefined) account.settings.hasPortal = hasPortal;
  if (canFinalize !== undefined) account.settings.canFinalize = canFinalize;
  return { done: account.settings };
}

const clockBody = z.union([
  z.strictObject({ advanceTo: z.coerce.number().int() }),
  z.strictObject({ startAt: z.coerce.number().int() }),
]);

/**
 * Moves the account's clock; times are in seconds since 1970. Everything that is due until `advanceTo` happens before
 * the answer. An account in which nothing has happened may start at any time, also in the past.
 */
function moveClock(account: Account, fields: unknown): ControlResult {
  const body = clockBody.safeParse(fields);
  if (!body.success)
    return { status: 400, error: "advanceTo or startAt must be a time in seconds." };
  if ("startAt" in body.data) {
    const { startAt } = body.data;
    if (Object.keys(account.state.customers).length > 0)
      return { status: 409, error: "The account has customers already." };
    account.state.clockAhead = startAt - realNow();
    return { done: { now: startAt } };
  }
  const moved = advance(account, body.data.advanceTo);
  return "notPossible" in moved
    ? { status: 409, error: moved.notPossible }
    : { done: { now: body.data.advanceTo, ...moved } };
}

/**
 * Sets what becomes of a subscription after the last failed try to charge it, as the settings of a Stripe account do.
 */
function setRetries(account: Account, fields: unknown): ControlResult {
  const ends = z.enum(["cancel", "unpaid", "past_due"]);
  const body = z.strictObject({ end: ends }).safeParse(fields);
  if (!body.success) return { status: 400, error: "end must be cancel, unpaid or past_due." };
  account.state.afterRetries = body.data.end;
  return { done: body.data };
}

function setFault(account: Account, fields: unknown): ControlResult {
  const body = faultBody.safeParse(fields);
  if (!body.success)
    return {
      status: 400,
      error: "mode must be none, slow, hold, refuse, error500 or garbage; match starts with /v1/.",
    };
  const { mode, delayMs = 3_000, match = noFault.match, method } = body.data;
  const fault: Fault = { mode, delayMs, match, method };
  account.fault = fault;
  release(account);
  return { done: fault };
}

async function readBody(request: Request): Promise<{ fields: unknown; isForm: boolean }> {
  const text = await request.text();
  const isForm = (request.headers.get("content-type") ?? "").startsWith(
    "application/x-www-form-urlencoded",
  );
  if (isForm) return { fields: Object.fromEntries(new URLSearchParams(text)), isForm };
  try {
    return { fields: text === "" ? {} : JSON.parse(text), isForm };
  } catch {
    return { fields: null, isForm };
  }
}

function json(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
