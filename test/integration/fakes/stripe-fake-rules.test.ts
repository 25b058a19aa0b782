import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Rule } from "../../../fakes/stripe/rules/rule.ts";
import { type RuleName, rules } from "../../../fakes/stripe/rules/rules.ts";
import type { Attempt } from "../../../scripts/stripe-check/refusals/attempt.ts";
import { attempts } from "../../../scripts/stripe-check/refusals/attempts.ts";
import { startSession } from "../../../scripts/stripe-check/refusals/checkout.ts";
import { downwardPhases } from "../../../scripts/stripe-check/refusals/schedules.ts";
import { openSandbox, type Sandbox } from "../../../scripts/stripe-check/sandbox.ts";
import { type Fake, startFake } from "../../support/billing/stripe-fake.ts";
import { pollUntil } from "../../support/site/poll.ts";

let fake: Fake;
let sandbox: Sandbox;
beforeAll(async () => {
  fake = await startFake();
  sandbox = await openSandbox(fake.stripe);
});
afterAll(() => fake?.[Symbol.asyncDispose]());

type Logged = { method: string; path: string; status: number | null };

const faulty =
  (mode: "rate-limit" | "lock-timeout"): Attempt =>
  async ({ stripe }) => {
    const send = () =>
      mode === "rate-limit" ? stripe.customers.list() : stripe.customers.create({});
    await fake.control("faults", { mode });
    return {
      refused: send,
      taken: async () => {
        await fake.control("faults", { mode: "none" });
        await send();
      },
    };
  };

const settings = (name: "hasTerms" | "hasPortal", send: () => Promise<unknown>): Attempt => {
  return async () => {
    await fake.control("settings", { [name]: false });
    return {
      refused: send,
      taken: async () => {
        await fake.control("settings", { [name]: true });
        await send();
      },
    };
  };
};

/** What the API alone cannot bring about. */
const controlled: Record<Exclude<RuleName, keyof typeof attempts>, Attempt> = {
  "rate-limit": faulty("rate-limit"),
  "lock-timeout": faulty("lock-timeout"),
  "key-in-use": async ({ stripe, name }) => {
    const key = { idempotencyKey: name() };
    const send = () => stripe.customers.create({ name: "Held" }, key);
    await fake.control("faults", { mode: "hold", method: "POST", match: "/v1/customers" });
    const first = send();
    await pollUntil(
      () => fake.control<Logged[]>("requests"),
      (requests) => requests.at(-1)?.status === null,
    );
    return {
      refused: send,
      taken: async () => {
        await fake.control("faults", { mode: "none" });
        await first;
        await send();
      },
    };
  },
  "checkout-terms-without-page": settings("hasTerms", () =>
    startSession(sandbox, { consent_collection: { terms_of_service: "required" } }),
  ),
  "portal-without-a-configuration": settings("hasPortal", async () =>
    sandbox.stripe.billingPortal.sessions.create({ customer: await sandbox.customer() }),
  ),
  "current-phase-is-over": async ({ stripe, subscription }) => {
    const subscribed = await subscription();
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscribed.id });
    const { current, next } = downwardPhases(subscribed, sandbox);
    await fake.control("clock", { advanceTo: subscribed.start + 3_600 });
    const end = (end_date: number) =>
      stripe.subscriptionSchedules.update(id, { phases: [{ ...current, end_date }, next] });
    return { refused: () => end(subscribed.start + 60), taken: () => end(subscribed.end) };
  },
  "refund-of-a-disputed-charge": async ({ stripe, subscription }) => {
    const [disputed, paid] = [await subscription(), await subscription()];
    await fake.control(`subscriptions/${disputed.id}/dispute`, {});
    return {
      refused: () => stripe.refunds.create({ payment_intent: disputed.payment }),
      taken: () => stripe.refunds.create({ payment_intent: paid.payment }),
    };
  },
  "seventeenth-webhook-endpoint": async ({ stripe }) => {
    const add = () =>
      stripe.webhookEndpoints.create({
        url: "https://example.com/hook",
        enabled_events: ["invoice.paid"],
      });
    const made: Stripe.WebhookEndpoint[] = [];
    for (let count = 1; count < 16; count++) made.push(await add());
    return {
      refused: add,
      taken: async () => {
        await stripe.webhookEndpoints.del(made[0]?.id ?? "");
        await add();
      },
    };
  },
};

/** Every word of the message that is no name or amount. */
function pattern(message: string): RegExp {
  const parts = message.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}

const names = Object.keys(rules) as RuleName[];

test.each(names)(
  "Stripe's rule %s: a request is refused, and its neighbour is taken",
  async (name) => {
    const rule: Rule = rules[name];
    const attempt =
      (attempts as Partial<Record<RuleName, Attempt>>)[name] ??
      {
        ...controlled,
      }[name as keyof typeof controlled];
    const { refused, taken } = await attempt(sandbox);
    const outcome = await refused().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(outcome instanceof Stripe.errors.StripeError)) throw new Error("It was not refused.");
    const last = (await fake.control<Logged[]>("requests")).findLast(
      ({ status }) => status !== null,
    );
    expect(outcome.message).toMatch(pattern(rule.message));
    expect({
      status: outcome.statusCode,
      type: outcome.rawType,
      code: outcome.code,
      hasParam: outcome.param !== undefined,
    }).toEqual({
      status: rule.status,
      type: rule.type ?? "invalid_request_error",
      code: rule.code,
      hasParam: rule.param !== undefined || outcome.param !== undefined,
    });
    const [method, path = ""] = rule.operation.split(" ");
    expect(last?.method).toBe(method);
    expect(last?.path).toMatch(new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
    await taken();
  },
);

test("each rule says where it was read and when, and each is tried", () => {
  const tried = [...Object.keys(attempts), ...Object.keys(controlled)].sort();
  expect(tried).toEqual(names.toSorted());
  for (const name of names) {
    const { source, date }: Rule = rules[name];
    expect([name, source.length > 8, date]).toEqual([
      name,
      true,
      expect.stringMatching(/^2026-\d\d-\d\d$/),
    ]);
  }
});
