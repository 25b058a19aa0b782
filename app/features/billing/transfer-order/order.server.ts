import Stripe from "stripe";
import { offers } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { auditIntent } from "../audit-intent.server";
import { checkedPrice } from "../checkout/checked-price.server";
import { alreadySubscribed, invalidPlan, priceDiffers } from "../checkout/checkout-messages";
import { claimGuestPurchasesOrThrow } from "../checkout/guest-purchases.server";
import { describeRefusal, isRefusal } from "../plan-change/stripe-refusals.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { stripeClient, unlessMissing } from "../stripe/stripe.server";
import {
  buyingCustomerId,
  customersOf,
  ensureCustomer,
  type Holder,
} from "../subscriptions/customers.server";
import { unpaidOrderComment } from "../subscriptions/subscription-record.server";
import { isOpen } from "../subscriptions/subscription-words";
import { syncSubscription } from "../subscriptions/sync-subscription.server";
import { orderDays, orderMark } from "../subscriptions/transfer-orders.server";
import { type TransferView, transferOffers } from "./transfer-offers";

/** What the plan page says of an order; undefined where none can be made. Throws when Stripe does not answer. */
export async function transferView(
  { configuration, caller }: Pick<AppContext, "configuration" | "caller">,
  holder: Holder,
): Promise<TransferView | undefined> {
  if (!configuration.STRIPE_BANK_TRANSFER) return;
  const id = await buyingCustomerId(serviceClient(configuration, caller), holder);
  const customer =
    id === null
      ? undefined
      : await unlessMissing(stripeClient(configuration).customers.retrieve(id));
  return viewOf(customer?.deleted ? undefined : customer, configuration);
}

function viewOf(
  customer: Stripe.Customer | undefined,
  { STRIPE_AUTOMATIC_TAX }: Configuration,
): TransferView {
  const { email, name, address } = customer ?? {};
  const missing = [
    email ? [] : ["an e-mail address for invoices"],
    name ? [] : ["the company's name"],
    address?.country && address.line1 && address.city ? [] : ["the company's address"],
    STRIPE_AUTOMATIC_TAX === "off" || hasTaxLocation(address)
      ? []
      : ["the postal code of its address"],
  ].flat();
  const taxIsAdded = STRIPE_AUTOMATIC_TAX === "added";
  return { email: email ?? "", company: name ?? "", taxIsAdded, missing };
}

/** Stripe finds the tax of these countries by the postal code alone. Elsewhere the country is enough. */
const byPostalCode = ["US", "CA"];

function hasTaxLocation(address: Stripe.Address | null | undefined): boolean {
  return Boolean(address?.postal_code) || !byPostalCode.includes(address?.country ?? "");
}

type OrderOutcome = { ok: true } | { ok: false; status: 400 | 409 | 502 | 503; message: string };

const refusal = (status: 400 | 409 | 502 | 503, message: string): OrderOutcome => ({
  ok: false,
  status,
  message,
});

const rounds = 5;

/** The key in a customer's metadata that counts the orders which Stripe has refused. */
const refusalCount = "livekit_deploy_refused_orders";

/**
 * Orders a plan that is paid by bank transfer: it runs at once, and Stripe sends its invoice. A workspace has at most
 * one plan, however it is paid: open checkouts are expired first, and two requests at once make one order, since their
 * idempotency key names the newest subscription. Stripe keeps a refusal under the key for a day, so the key also names
 * how many there were: what has been corrected can be ordered. Never throws.
 */
export async function orderByTransfer(
  context: AppContext,
  holder: Holder,
  word: string | null,
): Promise<OrderOutcome> {
  const { configuration, caller } = context;
  const offer = transferOffers.find((key) => key === word);
  if (!offer || !configuration.STRIPE_BANK_TRANSFER) return refusal(400, invalidPlan);
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration, caller);
  try {
    await claimGuestPurchasesOrThrow(database, holder.person);
    const price = await checkedPrice(stripe, context, offer);
    if (!price) return refusal(503, priceDiffers);
    await auditIntent(context, holder, "plan.order-asked", offer);
    const customer = await ensureCustomer(stripe, database, holder);
    const payer = await stripe.customers.retrieve(customer);
    if (payer.deleted) throw new Error("The customer was deleted");
    if (viewOf(payer, configuration).missing.length > 0) return refusal(409, detailsMissing);
    const refusals = Number(payer.metadata[refusalCount] ?? 0);
    const customers = new Set([customer, ...(await customersOf(database, holder))]);
    for (let round = 1; round <= rounds; round++) {
      const [buyers, ...others] = await Promise.all([...customers].map((id) => listed(stripe, id)));
      const all = [buyers ?? [], ...others].flat();
      const catalogue = await readCatalogue(stripe, configuration, all);
      const plans = all.filter((each) => planOfSubscription(each, catalogue) !== "none");
      if (plans.some(isOpen)) return refusal(409, alreadySubscribed);
      if (plans.some(wasUnpaid)) return refusal(409, unpaidBefore);
      if (!(await expireCheckouts(stripe, customer))) continue;
      const key = `order-${holder.workspace?.id}-${customer}-after-${buyers?.[0]?.id ?? "none"}-${refusals}`;
      const outcome = await createOnce(
        stripe,
        {
          customer,
          items: [{ price, quantity: 1 }],
          collection_method: "send_invoice",
          days_until_due: orderDays.untilDue,
          metadata: { [orderMark]: offers[offer].plan },
          ...(configuration.STRIPE_AUTOMATIC_TAX === "off"
            ? {}
            : { automatic_tax: { enabled: true } }),
        },
        key,
      );
      if (outcome.kind === "overtaken") continue;
      if (outcome.kind === "failed") {
        await stripe.customers.update(customer, {
          metadata: { [refusalCount]: String(refusals + 1) },
        });
        return refusalOf(outcome.error);
      }
      await syncSubscription(configuration, customer);
      return { ok: true };
    }
    return refusal(502, unsure);
  } catch (error) {
    log.error("An order was not made", describeError(error));
    return refusal(502, unsure);
  }
}

function refusalOf(error: unknown): OrderOutcome {
  log.error("An order was refused", describeRefusal(error));
  if (!isRefusal(error)) return refusal(502, unsure);
  return refusal(409, isOfLocation(error) ? unknownLocation : notAccepted);
}

const detailsMissing =
  "An invoice needs an e-mail address, the company's name and its address. Nothing was ordered. Give them under Billing first.";
const unknownLocation =
  "Stripe cannot tell the tax for the company's address. Nothing was ordered. Look at its country, state and postal code under Billing.";
const notAccepted =
  "Stripe did not accept this order, so nothing was ordered. We have been told. Look at the company's details under Billing, or write to us on /contact.";
const unpaidBefore =
  "The invoice of an earlier order was not paid, so nothing was ordered. Pay by card, or write to us on /contact.";
const unsure =
  "Stripe does not answer right now, so we cannot say whether this was ordered. It is never ordered twice. Look at this page again in a minute.";

const wasUnpaid = ({ cancellation_details }: Stripe.Subscription) =>
  cancellation_details?.comment === unpaidOrderComment;

function listed(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  return stripe.subscriptions
    .list({ customer, status: "all", limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
}

/** Expires the open checkouts of a customer, which could be paid beside the order; false when one was paid. */
async function expireCheckouts(stripe: Stripe, customer: string): Promise<boolean> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: "open", limit: 20 });
  try {
    for (const { id } of data) await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  }
}

type Created = { kind: "made" } | { kind: "overtaken" } | { kind: "failed"; error: unknown };

/** `overtaken`: another order has the same key. `failed`: no order is made with this key any more. */
async function createOnce(
  stripe: Stripe,
  params: Stripe.SubscriptionCreateParams,
  idempotencyKey: string,
): Promise<Created> {
  try {
    await stripe.subscriptions.create(params, { idempotencyKey });
    return { kind: "made" };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) return { kind: "overtaken" };
    if (isRefusal(error) || isReplayed(error)) return { kind: "failed", error };
    throw error;
  }
}

/** Whether Stripe has answered with a failure that it keeps under the key. */
function isReplayed(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true"
  );
}

function isOfLocation(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.code === "customer_tax_location_invalid"
  );
}
