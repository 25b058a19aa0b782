import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

/** A subscription to Basic of a customer of its own, as the refusals and flows need it. */
export type Subscribed = {
  id: string;
  item: string;
  customer: string;
  start: number;
  end: number;
  invoice: string;
  /** The payment intent of the first invoice. */
  payment: string;
};

/** Prices that are made once for a run, and archived at its end. */
export type SandboxPrices = {
  basic: string;
  /** By the month, as Basic, and dearer. */
  dearer: string;
  /** By the year. */
  pro: string;
  once: string;
  euro: string;
  archived: string;
};

/**
 * What a run makes in an account of test mode. Everything is noted as it is made, and `clear` takes it away again:
 * customers are deleted, which ends their subscriptions; what Stripe never deletes is archived.
 */
export type Sandbox = {
  stripe: Stripe;
  /** A name that no other run has. */
  name(): string;
  prices: SandboxPrices;
  /** The product of all these prices. */
  product: string;
  /** A customer without a card. */
  customer(): Promise<string>;
  /** A card of this behaviour, attached to the customer and charged from now on; its id. */
  card(customer: string, method?: TestMethod): Promise<string>;
  subscription(): Promise<Subscribed>;
  /** Notes how something that was made is taken away. */
  made<Resource>(resource: Resource, remove: (resource: Resource) => Promise<unknown>): Resource;
  /** Takes everything away, newest first; the sentences say what could not be. */
  clear(): Promise<string[]>;
};

export type TestMethod = "pm_card_visa" | "pm_card_chargeCustomerFail";

export async function openSandbox(stripe: Stripe): Promise<Sandbox> {
  const removals: (() => Promise<unknown>)[] = [];
  const run = randomBytes(6).toString("hex");
  let names = 0;
  const name = () => `check_${run}_${++names}`;
  const made: Sandbox["made"] = (resource, remove) => {
    removals.push(() => remove(resource));
    return resource;
  };
  const clear = async () => {
    const failures: string[] = [];
    for (const remove of removals.splice(0).reverse())
      await remove().catch((error: unknown) => {
        failures.push(error instanceof Error ? error.message : String(error));
      });
    return failures;
  };

  const sandbox: Omit<Sandbox, "prices" | "product"> = {
    stripe,
    name,
    made,
    clear,
    async customer() {
      const { id } = await stripe.customers.create({ name: "Check", email: "check@example.com" });
      return made(id, (each) => removed(stripe, each));
    },
    async card(customer, method = "pm_card_visa") {
      const { id } = await stripe.paymentMethods.attach(method, { customer });
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      return id;
    },
    async subscription() {
      const customer = await sandbox.customer();
      await sandbox.card(customer);
      const { id, items, latest_invoice } = await stripe.subscriptions.create({
        customer,
        items: [{ price: prices.basic }],
        expand: ["latest_invoice.payments"],
      });
      const [item] = items.data;
      const invoice = typeof latest_invoice === "object" ? latest_invoice : null;
      const intent = invoice?.payments?.data[0]?.payment.payment_intent;
      return {
        id,
        customer,
        item: item?.id ?? "",
        start: item?.current_period_start ?? 0,
        end: item?.current_period_end ?? 0,
        invoice: invoice?.id ?? "",
        payment: typeof intent === "object" ? (intent?.id ?? "") : (intent ?? ""),
      };
    },
  };

  const product = made((await stripe.products.create({ name: name() })).id, (id) =>
    stripe.products.update(id, { active: false }),
  );
  const price = async (unit_amount: number, given: Partial<Stripe.PriceCreateParams>) => {
    const { id } = await stripe.prices.create({ product, currency: "usd", unit_amount, ...given });
    return made(id, (each) => stripe.prices.update(each, { active: false }));
  };
  const monthly = { recurring: { interval: "month" } } as const;
  const prices: SandboxPrices = {
    basic: await price(1_000, monthly),
    dearer: await price(2_000, monthly),
    pro: await price(10_000, { recurring: { interval: "year" } }),
    once: await price(1_000, {}),
    euro: await price(1_000, { ...monthly, currency: "eur" }),
    archived: await price(1_200, monthly),
  };
  await stripe.prices.update(prices.archived, { active: false });
  return { ...sandbox, prices, product };
}

/** Deletes a customer; one that was deleted in the run is none any more. */
async function removed(stripe: Stripe, id: string): Promise<void> {
  const customer = await stripe.customers.retrieve(id);
  if (!customer.deleted) await stripe.customers.del(id);
}
