import Stripe from "stripe";
import { expect, inject, test } from "vitest";
import { apiVersion } from "../../../fakes/stripe/events.ts";
import { parseForm } from "../../../fakes/stripe/parameters.ts";
import type { Recorded } from "../../../fakes/stripe/recording.ts";
import { calledBy } from "../../support/billing/stripe-calls.ts";
import { faultsIn } from "./answers.ts";
import {
  answerOf,
  operationSentTo,
  paramsOf,
  queryOf,
  readDescription,
  templateOf,
  withoutNames,
} from "./description.ts";
import { expansionFault } from "./expansions.ts";
import { readRecording } from "./recording.ts";

type SentRequest = Extract<Recorded, { kind: "request" }>;

const { mock, recording, failed, description: file } = inject("stripe");
const description = readDescription(file);
const requests = readRecording(recording).filter((each) => each.kind === "request");

/** Sends a request to stripe-mock as it went to the fake; answers what it said against it. */
async function refusalOf({ method, url, body, version }: SentRequest): Promise<string | undefined> {
  const response = await fetch(mock + url, {
    method,
    headers: {
      authorization: "Bearer sk_test_proof",
      "content-type": "application/x-www-form-urlencoded",
      ...(version ? { "stripe-version": version } : {}),
    },
    ...(method === "GET" ? {} : { body }),
  });
  const text = await response.text();
  if (response.status === 200) return;
  return `${response.status} ${text.trim()} ${unknownNames({ method, url, body }).join(", ")}`;
}

/** The names in a request that the description does not have: stripe-mock does not say which. */
function unknownNames({
  method,
  url,
  body,
}: Pick<SentRequest, "method" | "url" | "body">): string[] {
  const { pathname, search } = new URL(url, mock);
  const operation = operationSentTo(description, method, pathname);
  const schema = operation && (paramsOf(operation) ?? queryOf(operation));
  const given = parseForm([search.slice(1), body].filter(Boolean).join("&"));
  return schema
    ? faultsIn(description, schema, given).filter((fault) => fault.endsWith("unknown to Stripe"))
    : [];
}

/** What the fake refuses for its form, and not for what the account holds. */
const ofForm =
  /^(Received unknown param|Missing required param|Invalid (integer|value|\S+: must be)|Not a valid URL|Unrecognized request)/;

/**
 * Every request that a test sends wrongly on purpose, as the fake refuses it, and what stripe-mock says to
 * the same: "refused" too, or why it cannot know.
 */
const wrongOnPurpose: Record<string, string> = {
  "GET /v1/nowhere: Unrecognized request URL": "refused",
  "POST /v1/checkout/sessions: Missing required param: line_items.":
    "is required in some modes only, which the description says in words",
  "POST /v1/checkout/sessions: Not a valid URL": "is a text to the description",
  "POST /v1/checkout/sessions: Received unknown parameter: payment_method_types": "refused",
  "POST /v1/customers: Received unknown parameter: nickname": "refused",
  "POST /v1/customers: Received unknown parameter: tax_exempt": "refused",
  "POST /v1/webhook_endpoints/:id: Received unknown parameter: api_version": "refused",
  "POST /v1/customers/:id/tax_ids: Invalid value for eu_vat.": "is a text to the description",
};

/** Those that speak another version of the API on purpose, or are refused for what it does not have. */
const otherVersions = [
  "POST /v1/checkout/sessions: Received unknown parameter: allowed_payment_method_types",
  "POST /v1/checkout/sessions: Received unknown parameter: payment_method_types",
  "POST /v1/checkout/sessions: null",
  "GET /v1/customers: Invalid Stripe API version: yesterday",
].sort();

function named({ method, pattern, refusal }: SentRequest): string {
  return `${method} ${pattern}: ${refusal?.replace(/ \(.*/, "") ?? null}`;
}

const isOther = ({ version }: SentRequest) => version !== null && version !== apiVersion;
const wrong = requests.filter((each) => !isOther(each) && ofForm.test(each.refusal ?? ""));
const right = requests.filter((each) => !isOther(each) && !wrong.includes(each));

test("every test that was recorded passed: what a failed one would have sent is not known", () => {
  expect(failed).toEqual([]);
});

test("every request of the pinned version is accepted by Stripe's description", async () => {
  const refused: string[] = [];
  for (const request of right) {
    const refusal = await refusalOf(request);
    const { method, url, body } = request;
    if (refusal) refused.push(`${method} ${url} ${decodeURIComponent(body)}\n  ${refusal}`);
  }
  console.log(`${requests.length} forms of request, ${right.length} of them sent in earnest`);
  expect(refused).toEqual([]);
  expect(right.length).toBeGreaterThan(100);
});

/** Where a call of the SDK is sent, as `POST /v1/customers/{}`. */
async function addressOf(call: string): Promise<string> {
  let address = "";
  const httpClient = Stripe.createFetchHttpClient(
    (url: string | URL | Request, init?: RequestInit) => {
      const { pathname } = new URL(String(url));
      const template = templateOf(description, init?.method ?? "GET", pathname) ?? pathname;
      address = `${init?.method ?? "GET"} ${withoutNames(template)}`;
      return Promise.reject(new TypeError("It is not sent"));
    },
  );
  const names = call.split(".");
  const method = names.pop() ?? "";
  let resource: unknown = new Stripe("sk_test_proof", { httpClient, maxNetworkRetries: 0 });
  for (const name of names) resource = Reflect.get(Object(resource), name);
  const send: unknown = Reflect.get(Object(resource), method);
  if (typeof send !== "function") throw new Error(`The SDK has no ${call}`);
  const isOfOne = !/^(create|list|createPreview)$/.test(method);
  await Promise.resolve(send.apply(resource, isOfOne ? ["id_1", "id_2"] : [{}])).catch(() => {});
  return address;
}

test("every call of the site and of stripe:setup was recorded", async () => {
  const calls = calledBy("app/**/*.{ts,tsx}", "scripts/stripe-setup/**/*.ts");
  const sent = new Set(
    right.map(({ method, url }) => {
      const { pathname } = new URL(url, mock);
      return `${method} ${withoutNames(templateOf(description, method, pathname) ?? pathname)}`;
    }),
  );
  const addresses = await Promise.all(
    calls.map(async (call) => ({ call, address: await addressOf(call) })),
  );
  expect(addresses.filter(({ address }) => !sent.has(address))).toEqual([]);
  expect(calls.length).toBeGreaterThan(30);
});

test("what a test sends wrongly on purpose is wrong to Stripe's description too", async () => {
  const found: Record<string, string> = {};
  for (const request of wrong) {
    const refusal = await refusalOf(request);
    const name = named(request);
    found[name] = refusal ? "refused" : (wrongOnPurpose[name] ?? "accepted");
  }
  expect(found).toEqual(wrongOnPurpose);
});

test("nothing speaks another version of the API, but for the test of that", () => {
  expect([...new Set(requests.filter(isOther).map(named))].sort()).toEqual(otherVersions);
});

/** Why the answer to a request cannot be expanded as it asks. */
function expansionFaults({ method, url, body }: SentRequest): string[] {
  const { pathname, search } = new URL(url, mock);
  const operation = operationSentTo(description, method, pathname);
  const answer = operation && answerOf(operation);
  const { expand = [] } = parseForm([search.slice(1), body].filter(Boolean).join("&"));
  if (!answer || !Array.isArray(expand)) return [];
  return expand.flatMap((path) => {
    const fault = expansionFault(description, answer, String(path));
    return fault ? [`${method} ${pathname}: ${fault}`] : [];
  });
}

test("what is asked to be expanded can be expanded", () => {
  const cannot = right.filter(({ refusal }) =>
    /cannot be expanded|cannot expand/.test(refusal ?? ""),
  );
  const can = right.filter((each) => !cannot.includes(each));
  expect(can.flatMap(expansionFaults)).toEqual([]);
  expect(can.some(({ url, body }) => /expand/.test(url + body))).toBe(true);
  // The tests of the fake that ask for what cannot be.
  expect(cannot.length).toBeGreaterThan(2);
  expect(cannot.filter((each) => expansionFaults(each).length === 0)).toEqual([]);
});

test("stripe-mock sees a wrong name at any depth, a wrong kind and a missing parameter", async () => {
  const request = right.find(
    ({ method, pattern, status }) =>
      method === "POST" && pattern === "/v1/checkout/sessions" && status === 200,
  );
  if (!request) throw new Error("No checkout was recorded");
  const refusal = (change: string) => refusalOf({ ...request, body: `${request.body}&${change}` });
  expect(await refusalOf(request)).toBeUndefined();
  const unknown = (name: string) => new RegExp(`^400 .* ${name} is unknown to Stripe`);
  expect(await refusal("plan=pro")).toMatch(unknown("plan"));
  expect(await refusal("line_items[0][plan]=pro")).toMatch(unknown("line_items\\[0\\]\\.plan"));
  expect(await refusal("subscription_data[invoice_settings][plan]=pro")).toMatch(
    unknown("subscription_data\\.invoice_settings\\.plan"),
  );
  expect(await refusal("payment_method_types[0]=card")).toMatch(unknown("payment_method_types"));
  expect(await refusal("currency[0]=usd")).toMatch(/^400 /);
  const { url } = request;
  expect(await refusalOf({ ...request, url: `${url}/cs_test_1/expired` })).toMatch(/^404 /);
  const price = "/v1/prices";
  expect(
    await refusalOf({ ...request, url: price, body: "currency=usd&product=x" }),
  ).toBeUndefined();
  expect(await refusalOf({ ...request, url: price, body: "product=x" })).toMatch(/^400 /);
});
