import type { moneyRules } from "../../../fakes/stripe/rules/money.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

/** A change whose card is declined: it waits for its invoice, which is open. */
async function pendingChange(sandbox: Sandbox) {
  const { stripe } = sandbox;
  const { id, item, customer } = await sandbox.subscription();
  await sandbox.card(customer, "pm_card_chargeCustomerFail");
  const { latest_invoice } = await stripe.subscriptions.update(id, {
    items: [{ id: item, price: sandbox.prices.dearer }],
    proration_behavior: "always_invoice",
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice.payments"],
  });
  const invoice = typeof latest_invoice === "object" ? latest_invoice : null;
  const intent = invoice?.payments?.data[0]?.payment.payment_intent;
  return {
    invoice: invoice?.id ?? "",
    payment: typeof intent === "object" ? (intent?.id ?? "") : (intent ?? ""),
  };
}

/** A pair of lines on the invoices of a customer. */
function customFields(values: (size: number) => string[], refused: number, taken: number): Attempt {
  return async ({ stripe, customer }) => {
    const id = await customer();
    const set = (size: number) =>
      stripe.customers.update(id, {
        invoice_settings: {
          custom_fields: values(size).map((value, index) => ({ name: `Line ${index}`, value })),
        },
      });
    return { refused: () => set(refused), taken: () => set(taken) };
  };
}

/** `refund-of-a-disputed-charge` needs a dispute, which takes Stripe minutes. */
export const moneyAttempts = {
  "void-of-a-paid-invoice": async (sandbox) => {
    const { invoices } = sandbox.stripe;
    const paid = await sandbox.subscription();
    const open = await pendingChange(sandbox);
    return {
      refused: () => invoices.voidInvoice(paid.invoice),
      taken: () => invoices.voidInvoice(open.invoice),
    };
  },
  "void-of-a-closed-invoice": async (sandbox) => {
    const { invoices } = sandbox.stripe;
    const [over, open] = [await pendingChange(sandbox), await pendingChange(sandbox)];
    await invoices.voidInvoice(over.invoice);
    return {
      refused: () => invoices.voidInvoice(over.invoice),
      taken: () => invoices.voidInvoice(open.invoice),
    };
  },
  "refund-of-a-refunded-charge": async (sandbox) => {
    const { refunds } = sandbox.stripe;
    const [over, paid] = [await sandbox.subscription(), await sandbox.subscription()];
    await refunds.create({ payment_intent: over.payment });
    return {
      refused: () => refunds.create({ payment_intent: over.payment }),
      taken: () => refunds.create({ payment_intent: paid.payment }),
    };
  },
  "refund-of-more-than-is-left": async (sandbox) => {
    const { refunds } = sandbox.stripe;
    const { payment } = await sandbox.subscription();
    return {
      refused: () => refunds.create({ payment_intent: payment, amount: 1_001 }),
      taken: () => refunds.create({ payment_intent: payment, amount: 1_000 }),
    };
  },
  "refund-of-no-or-two-payments": async (sandbox) => {
    const { refunds } = sandbox.stripe;
    const { payment } = await sandbox.subscription();
    return {
      refused: () => refunds.create({}),
      taken: () => refunds.create({ payment_intent: payment }),
    };
  },
  "refund-of-an-unpaid-payment": async (sandbox) => {
    const { refunds } = sandbox.stripe;
    const unpaid = await pendingChange(sandbox);
    const { payment } = await sandbox.subscription();
    return {
      refused: () => refunds.create({ payment_intent: unpaid.payment }),
      taken: () => refunds.create({ payment_intent: payment }),
    };
  },
  "address-that-is-none": async (sandbox) => {
    const { customers } = sandbox.stripe;
    const id = await sandbox.customer();
    return {
      refused: () => customers.update(id, { email: "nobody" }),
      taken: () => customers.update(id, { email: "nobody@example.com" }),
    };
  },
  "five-lines-on-invoices": customFields((count) => Array(count).fill("4711"), 5, 4),
  "line-on-invoices-that-is-too-long": customFields((length) => ["x".repeat(length)], 141, 140),
  "tax-id-that-is-none": async (sandbox) => {
    const { customers } = sandbox.stripe;
    const id = await sandbox.customer();
    const add = (value: string) => customers.createTaxId(id, { type: "eu_vat", value });
    return { refused: () => add("DE1"), taken: () => add("DE123456789") };
  },
  "card-of-somebody-else": async (sandbox) => {
    const { customers } = sandbox.stripe;
    const [id, other] = [await sandbox.customer(), await sandbox.customer()];
    const [card, foreign] = [await sandbox.card(id), await sandbox.card(other)];
    const charge = (default_payment_method: string) =>
      customers.update(id, { invoice_settings: { default_payment_method } });
    return { refused: () => charge(foreign), taken: () => charge(card) };
  },
  "change-of-a-deleted-customer": async (sandbox) => {
    const { customers } = sandbox.stripe;
    const [gone, id] = [await sandbox.customer(), await sandbox.customer()];
    await customers.del(gone);
    return {
      refused: () => customers.update(gone, { name: "Another" }),
      taken: () => customers.update(id, { name: "Another" }),
    };
  },
  "metadata-that-is-too-long": async (sandbox) => {
    const { customers } = sandbox.stripe;
    const noted = async (length: number) => {
      const { id } = await customers.create({ metadata: { note: "x".repeat(length) } });
      sandbox.made(id, (each) => customers.del(each));
    };
    return { refused: () => noted(501), taken: () => noted(500) };
  },
  "subscription-without-a-card": async (sandbox) => {
    const { subscriptions } = sandbox.stripe;
    const customer = await sandbox.customer();
    const subscribe = () =>
      subscriptions.create({ customer, items: [{ price: sandbox.prices.basic }] });
    return {
      refused: subscribe,
      taken: async () => {
        await sandbox.card(customer);
        await subscribe();
      },
    };
  },
} satisfies Partial<Record<keyof typeof moneyRules, Attempt>>;
