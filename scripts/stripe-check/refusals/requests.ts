import type { requestRules } from "../../../fakes/stripe/rules/requests.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

/** Makes a customer under an idempotency key. */
async function keyed({ stripe, made }: Sandbox, name: string, idempotencyKey: string) {
  const { id } = await stripe.customers.create({ name }, { idempotencyKey });
  made(id, async (each) => {
    const customer = await stripe.customers.retrieve(each);
    if (!customer.deleted) await stripe.customers.del(each);
  });
}

/** `key-in-use`, `rate-limit` and `lock-timeout` need requests at one moment, or too many of them. */
export const requestAttempts = {
  "key-with-other-parameters": async (sandbox) => {
    const key = sandbox.name();
    await keyed(sandbox, "Check", key);
    return {
      refused: () => keyed(sandbox, "Another", key),
      taken: () => keyed(sandbox, "Check", key),
    };
  },
  "key-of-another-endpoint": async (sandbox) => {
    const { products } = sandbox.stripe;
    const [key, other] = [sandbox.name(), sandbox.name()];
    await keyed(sandbox, "Check", key);
    const make = async (idempotencyKey: string) => {
      const { id } = await products.create({ name: "Check" }, { idempotencyKey });
      sandbox.made(id, (each) => products.del(each));
    };
    return { refused: () => make(key), taken: () => make(other) };
  },
  "key-of-a-refusal": async (sandbox) => {
    const { stripe, prices, name, made } = sandbox;
    const { id: customer } = await stripe.customers.create({ name: "Check" });
    made(customer, (each) => stripe.customers.del(each));
    const [key, other] = [name(), name()];
    const order = (idempotencyKey: string) =>
      stripe.subscriptions.create(
        {
          customer,
          items: [{ price: prices.basic }],
          collection_method: "send_invoice",
          days_until_due: 14,
        },
        { idempotencyKey },
      );
    await order(key).catch(() => undefined);
    await stripe.customers.update(customer, { email: "check@example.com" });
    return { refused: () => order(key), taken: () => order(other) };
  },
  "key-that-is-too-long": async (sandbox) => {
    const key = (length: number) => sandbox.name().padEnd(length, "x");
    return {
      refused: () => keyed(sandbox, "Check", key(256)),
      taken: () => keyed(sandbox, "Check", key(255)),
    };
  },
  "list-with-two-cursors": async (sandbox) => {
    const { invoices } = sandbox.stripe;
    const { invoice } = await sandbox.subscription();
    return {
      refused: () => invoices.list({ starting_after: invoice, ending_before: invoice }),
      taken: () => invoices.list({ starting_after: invoice }),
    };
  },
  "expansion-that-is-too-deep": async ({ stripe, subscription }) => {
    await subscription();
    const list = (path: string) => stripe.subscriptions.list({ limit: 1, expand: [path] });
    return {
      refused: () => list("data.items.data.price.product"),
      taken: () => list("data.items.data.price"),
    };
  },
  "expansion-of-nothing": async ({ stripe, customer }) => {
    await customer();
    const list = (path: string) => stripe.customers.list({ limit: 1, expand: [path] });
    return { refused: () => list("data.nothing"), taken: () => list("data.default_source") };
  },
  "version-that-is-none": async ({ stripe }) => ({
    refused: () => stripe.customers.list({ limit: 1 }, { apiVersion: "yesterday" }),
    taken: () => stripe.customers.list({ limit: 1 }),
  }),
} satisfies Partial<Record<keyof typeof requestRules, Attempt>>;
