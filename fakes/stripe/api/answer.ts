import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Account, LoggedRequest } from "../account.ts";
import { StripeRefusal, unknownRoute } from "../errors.ts";
import { apiVersion } from "../events.ts";
import { expanded } from "../expansion.ts";
import { type FormGroup, parseForm } from "../parameters.ts";
import { isRecording, recordExchange } from "../recording.ts";
import { refusalOf } from "../rules/rules.ts";
import { newId, now, type StoredAnswer } from "../state.ts";
import { priceEndpoints, productEndpoints } from "./catalogue.ts";
import { checkoutEndpoints } from "./checkout.ts";
import { creditEndpoints } from "./credit.ts";
import { customerEndpoints } from "./customers.ts";
import { discountEndpoints } from "./discounts.ts";
import { type Endpoint, findEndpoint } from "./endpoint.ts";
import { previewEndpoints } from "./invoice-preview.ts";
import { invoiceEndpoints, paymentMethodEndpoints } from "./invoices.ts";
import { paymentEndpoints } from "./payments.ts";
import { portalEndpoints } from "./portal.ts";
import { scheduleEndpoints } from "./schedules.ts";
import { subscriptionEndpoints } from "./subscriptions.ts";
import { eventEndpoints, webhookEndpoints } from "./webhooks.ts";

/** Every endpoint that the fake has. */
export const endpoints: Endpoint[] = [
  ...customerEndpoints,
  ...productEndpoints,
  ...priceEndpoints,
  ...checkoutEndpoints,
  ...subscriptionEndpoints,
  ...scheduleEndpoints,
  ...previewEndpoints,
  ...invoiceEndpoints,
  ...paymentMethodEndpoints,
  ...discountEndpoints,
  ...creditEndpoints,
  ...paymentEndpoints,
  ...portalEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
];

/** A header by which the server around the account drops the connection instead of answering. */
export const refusedConnection = "fake-refused-connection";

const loggedRequests = 500;
const keyLifetime = 24 * 60 * 60;
const maxKeyLength = 255;
type Given = { path: string; params: FormGroup; key: string | null; version: string };

/** Answers a request to `/v1/…` as Stripe's API would, or with the fault that a test has set. */
export async function answerApi(account: Account, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = request.method === "GET" ? "" : await request.text();
  const given: Given = {
    path: url.pathname,
    params: parseForm([url.search.slice(1), body].filter(Boolean).join("&")),
    key: request.headers.get("idempotency-key"),
    version: request.headers.get("stripe-version") ?? apiVersion,
  };
  const entry: LoggedRequest = {
    id: newId("req", 14),
    at: Date.now(),
    method: request.method,
    path: given.path,
    params: given.params,
    idempotencyKey: given.key,
    status: null,
  };
  account.requests.push(entry);
  if (account.requests.length > loggedRequests) account.requests.shift();

  const response = await answerUnlessInUse(account, request.method, given, entry.id, answered);
  if (!response.headers.has(refusedConnection)) entry.status = response.status;
  if (response.status >= 400) {
    account.refusedRequests.push({ ...entry, refusal: await response.clone().text() });
    if (account.refusedRequests.length > loggedRequests) account.refusedRequests.shift();
  }
  if (isRecording)
    recordExchange({
      method: request.method,
      pattern: findEndpoint(endpoints, request.method, given.path)?.endpoint.path ?? given.path,
      url: url.pathname + url.search,
      body,
      version: request.headers.get("stripe-version"),
      status: entry.status,
      text: await response.clone().text(),
    });
  return response;

  function answered(): Response {
    try {
      checkKey(account, request.headers.get("authorization"));
      if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(given.version))
        throw refusalOf("version-that-is-none", { version: given.version });
      return answerOnce(account, request.method, given, entry.id);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return refused(error, entry.id, given.key);
    }
  }
}

/** Refuses a request while another one with the same idempotency key is under way. */
async function answerUnlessInUse(
  account: Account,
  method: string,
  { key, path }: Given,
  id: string,
  answered: () => Response,
): Promise<Response> {
  const claim = method === "POST" ? key : null;
  if (claim !== null && account.keysInUse.has(claim))
    return refused(refusalOf("key-in-use", { key: claim }), id, claim);
  if (claim !== null) account.keysInUse.add(claim);
  try {
    return (await misbehaviour(account, method, path, { id, answered })) ?? answered();
  } finally {
    if (claim !== null) account.keysInUse.delete(claim);
  }
}

async function misbehaviour(
  account: Account,
  method: string,
  path: string,
  { id: requestId, answered }: { id: string; answered: () => Response },
): Promise<Response | undefined> {
  const { mode, delayMs, match, method: only = method } = account.fault;
  if (mode === "none" || method !== only || !path.startsWith(match)) return undefined;
  if (mode === "refuse") return new Response(null, { headers: { [refusedConnection]: "yes" } });
  if (mode === "rate-limit" || mode === "lock-timeout") return refused(refusalOf(mode), requestId);
  if (mode === "garbage") return json("<html>502 Bad Gateway", 200, requestId, null);
  if (mode === "lost") answered();
  if (mode === "error500" || mode === "lost") {
    const message = "An unknown error occurred. The fake was told to fail.";
    return json(JSON.stringify({ error: { type: "api_error", message } }), 500, requestId, null);
  }
  // Closing the fake ends the wait; there is nobody left to answer then.
  const waiting =
    mode === "hold"
      ? once(AbortSignal.any([account.signal, account.held.signal]), "abort")
      : wait(delayMs, undefined, { signal: account.signal });
  await waiting.catch(() => undefined);
  return undefined;
}

function checkKey(account: Account, authorization: string | null): void {
  const [scheme = "", credentials = ""] = (authorization ?? "").split(" ");
  const key =
    scheme.toLowerCase() === "basic"
      ? (Buffer.from(credentials, "base64").toString().split(":")[0] ?? "")
      : credentials;
  if (key === "")
    throw new StripeRefusal(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  if (!timingSafeEqual(digest(key), digest(account.secretKey))) {
    const maskedKey = key.length > 12 ? `${key.slice(0, 8)}****${key.slice(-4)}` : "****";
    throw new StripeRefusal(401, {
      type: "invalid_request_error",
      message: `Invalid API Key provided: ${maskedKey}`,
    });
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Runs a request, unless its idempotency key says that it ran before. */
function answerOnce(account: Account, method: string, given: Given, id: string): Response {
  const { key, path, params } = given;
  if (method !== "POST" || key === null) return run(account, method, given, id);
  if (key.length > maxKeyLength) throw refusalOf("key-that-is-too-long");
  const storedAnswers = account.state.keptAnswers;
  for (const [each, answer] of Object.entries(storedAnswers))
    if (answer.createdAt < now() - keyLifetime) delete storedAnswers[each];
  const fingerprint = digest(JSON.stringify([path, params])).toString("hex");
  const before = storedAnswers[key];
  if (before) return replay(before, { fingerprint, path, key }, id);
  return run(account, method, given, id, fingerprint);
}

function replay(
  before: StoredAnswer,
  { fingerprint, path, key }: { fingerprint: string; path: string; key: string },
  id: string,
): Response {
  // An account that was saved by an earlier version has answers without a path.
  if (before.path !== undefined && before.path !== path)
    throw refusalOf("key-of-another-endpoint", { first: before.path, now: path, key });
  if (before.fingerprint !== fingerprint) throw refusalOf("key-with-other-parameters", { key });
  const response = json(before.body, before.status, id, key);
  response.headers.set("idempotent-replayed", "true");
  response.headers.set("original-request", before.requestId);
  return response;
}

/**
 * Also a refusal is kept under its key, once the endpoint has begun: docs.stripe.com/api/idempotent_requests,
 * 2026-11-28.
 */
function run(
  account: Account,
  method: string,
  given: Given,
  id: string,
  fingerprint?: string,
): Response {
  const { key, path, params, version } = given;
  const found = findEndpoint(endpoints, method, path);
  if (!found) throw unknownRoute(method, path);
  const keep = (status: number, body: string) => {
    if (key === null || fingerprint === undefined) return;
    const answer = { fingerprint, path, requestId: id, status, body, createdAt: now() };
    account.state.keptAnswers[key] = answer;
  };
  account.cause = { id, idempotencyKey: key };
  try {
    const { resource, expand } = found.endpoint.answer(account, {
      given: params,
      ids: found.ids,
      version,
    });
    const body = JSON.stringify(expanded(account.state, resource, expand), null, 2);
    keep(200, body);
    return json(body, 200, id, key);
  } catch (error) {
    if (error instanceof StripeRefusal && error.hasBegun) keep(error.status, bodyOf(error));
    throw error;
  } finally {
    account.cause = null;
  }
}

const bodyOf = ({ body }: StripeRefusal) => JSON.stringify({ error: body }, null, 2);

function refused(refusal: StripeRefusal, requestId: string, key: string | null = null): Response {
  return json(bodyOf(refusal), refusal.status, requestId, key);
}

function json(body: string, status: number, requestId: string, key: string | null): Response {
  const headers = new Headers({
    "content-type": "application/json",
    "cache-control": "no-cache, no-store",
    "request-id": requestId,
    "stripe-version": apiVersion,
  });
  if (key !== null) headers.set("idempotency-key", key);
  return new Response(body, { status, headers });
}
