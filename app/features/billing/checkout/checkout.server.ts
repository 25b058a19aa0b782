import Stripe from "stripe";
import type { OfferKey } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { auditIntent } from "../audit-intent.server";
import { offersOf } from "../prices/prices";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { fingerprint, idempotencyKey, keyChangesAround } from "../stripe/idempotency-key";
import { stripeClient, unlessMissing } from "../stripe/stripe.server";
import { customersOf, ensureCustomer, type Holder } from "../subscriptions/customers.server";
import { isOpen } from "../subscriptions/subscription-words";
import { checkedPrice } from "./checked-price.server";
import {
  alreadySubscribed,
  type CheckoutFailureCode,
  invalidPlan,
  priceDiffers,
  somethingWentWrong,
} from "./checkout-messages";
import {
  returnUrls,
  sessionDifferences,
  sessionPayload,
  sessionPayloadFor,
} from "./checkout-session.server";
import { claimGuestPurchasesOrThrow } from "./guest-purchases.server";

/** Who buys. The browser makes a guest's `attempt` once for each opened dialog: a retry gets the same session. */
export type Buyer =
  | {
      kind: "account";
      holder: Holder;
      /** The slug of the workspace, where it was bought on that workspace's own pages: Stripe leads back to them. */
      slug?: string;
    }
  | { kind: "guest"; attempt?: string | undefined };

export type CheckoutStart =
  | { ok: true; id: string; url: string }
  | {
      ok: false;
      code: CheckoutFailureCode;
      status: 400 | 409 | 502 | 503;
      message: string;
    };

/**
 * Starts a Checkout Session at Stripe for one of our prices and returns its URL. Somebody with an open
 * subscription gets 409, because they can change it on /dashboard/plan. Never throws.
 */
export async function startCheckout(
  context: AppContext,
  buyer: Buyer,
  priceId: string | undefined,
): Promise<CheckoutStart> {
  const { configuration, caller } = context;
  const sold = priceId ? offersOf(configuration, priceId) : [];
  const [offer] = sold;
  if (!priceId || !offer) {
    return { ok: false, code: "invalid-plan", status: 400, message: invalidPlan };
  }
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration, caller);
  try {
    // A plan that this person bought as a guest a moment ago counts too. Otherwise they would pay twice.
    if (buyer.kind === "account") await claimGuestPurchasesOrThrow(database, buyer.holder.person);
    // A price that is configured for two offers must match both: the request names the price, not the screen.
    for (const each of sold) {
      if (await checkedPrice(stripe, context, each)) continue;
      if (buyer.kind === "account") await expireOpenSessions(stripe, database, buyer.holder);
      return differs;
    }
    const sale: Sale = { stripe, context, offer, priceId };
    if (buyer.kind === "account") await auditIntent(context, buyer.holder, "checkout.began", offer);
    const session =
      buyer.kind === "guest"
        ? await sessionForGuest(sale, buyer.attempt)
        : await sessionForAccount(sale, database, buyer);
    if (session === "already-subscribed") {
      return { ok: false, code: session, status: 409, message: alreadySubscribed };
    }
    if (!(await chargesWhatWeShow(sale, session))) return differs;
    if (!session.url) throw new Error("Stripe answered a Checkout Session without a URL");
    return { ok: true, id: session.id, url: session.url };
  } catch (error) {
    log.error("Checkout could not start", describeError(error));
    return { ok: false, code: "unavailable", status: 502, message: somethingWentWrong };
  }
}

/** What is being sold: an offer at its configured and checked price. */
type Sale = { stripe: Stripe; context: AppContext; offer: OfferKey; priceId: string };

const differs: CheckoutStart = {
  ok: false,
  code: "price-differs",
  status: 503,
  message: priceDiffers,
};

/** Whether a session charges what the screens show. If not, it is expired at once, before anybody can pay. */
async function chargesWhatWeShow(
  { stripe, context, offer, priceId }: Sale,
  session: Stripe.Checkout.Session,
): Promise<boolean> {
  const { configuration } = context;
  const differences = sessionDifferences(configuration, offer, priceId, session);
  if (differences.length === 0) return true;
  log.error("A Checkout Session is not what we show", {
    offer,
    price: priceId,
    session: session.id,
    differences: differences.join(", "),
  });
  await expire(stripe, session.id);
  return false;
}

/** A session for a guest. The idempotency key is made of the attempt and of everything that is sold. */
async function sessionForGuest(
  { stripe, context, offer, priceId }: Sale,
  attempt: string | undefined,
): Promise<Stripe.Checkout.Session> {
  const payload = sessionPayload(context.configuration, offer, priceId);
  if (!attempt) return stripe.checkout.sessions.create(payload);
  const idempotencyKey = `guest-${attempt}-${await fingerprint(JSON.stringify(payload))}`;
  return stripe.checkout.sessions.create(payload, { idempotencyKey });
}

/**
 * The only open session of a workspace. Two open sessions could both be paid. So an open session for the same
 * offer is used again, all others are expired, and the idempotency key contains the id of the newest session:
 * two requests at once get the same new one. A request that was overtaken by another for this workspace starts over.
 */
async function sessionForAccount(
  { stripe, context: { configuration }, offer, priceId }: Sale,
  database: ServiceClient,
  { holder, slug }: Extract<Buyer, { kind: "account" }>,
): Promise<Stripe.Checkout.Session | "already-subscribed"> {
  const customer = await ensureCustomer(stripe, database, holder);
  const customers = new Set([customer, ...(await customersOf(database, holder))]);
  for (let round = 1; round <= 5; round++) {
    // Sessions are read first: one that is paid between the two reads is then found as a subscription.
    const { data: sessions } = await stripe.checkout.sessions.list({
      customer,
      limit: 20,
      expand: ["data.line_items"],
    });
    const havePlan = await Promise.all(
      [...customers].map((id) => hasOpenPlan(stripe, configuration, id)),
    );
    if (havePlan.includes(true)) return "already-subscribed";

    const open = sessions.filter(({ status }) => status === "open");
    const isAsShown = (session: Stripe.Checkout.Session) =>
      sessionDifferences(configuration, offer, priceId, session).length === 0;
    const reusable = open.find(isAsShown);
    const others = open.filter((session) => session !== reusable);
    const closed = await Promise.all(others.map(({ id }) => expire(stripe, id)));
    if (closed.includes(false)) continue;
    if (reusable) return reusable;
    const began = Date.now();
    const session = await createOnce(
      stripe,
      {
        ...sessionPayloadFor(configuration, offer, priceId, customer),
        ...(slug ? returnUrls(configuration, slug) : {}),
        client_reference_id: holder.workspace?.id ?? holder.person.id,
      },
      idempotencyKey(
        `account-${holder.workspace?.id}-${customer}-after-${sessions[0]?.id ?? "none"}`,
      ),
    );
    // When the key has just changed, another request may have made a second session: start over.
    if (session && !(isAsShown(session) && keyChangesAround(began))) return session;
  }
  throw new Error("Requests for other plans kept coming in between");
}

/** Expires what a workspace could still pay at terms that are not on sale any more. */
async function expireOpenSessions(
  stripe: Stripe,
  database: ServiceClient,
  holder: Holder,
): Promise<void> {
  for (const customer of await customersOf(database, holder)) {
    const page = await unlessMissing(
      stripe.checkout.sessions.list({ customer, status: "open", limit: 20 }),
    );
    await Promise.all((page?.data ?? []).map(({ id }) => expire(stripe, id)));
  }
}

/** Expires a session; false when it was paid or had expired already. */
async function expire(stripe: Stripe, sessionId: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(sessionId);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  }
}

/** Creates a session; undefined when the key was just used with other parameters. */
async function createOnce(
  stripe: Stripe,
  params: Stripe.Checkout.SessionCreateParams,
  key: string,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    return await stripe.checkout.sessions.create(params, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error;
  }
}

/**
 * Whether this customer has an open subscription to one of our plans at Stripe. Subscriptions to other products
 * of the same Stripe account do not count. False for a customer that Stripe does not know.
 */
async function hasOpenPlan(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
): Promise<boolean> {
  const page = await unlessMissing(
    stripe.subscriptions.list({ customer, status: "all", limit: 100 }),
  );
  const open = (page?.data ?? []).filter(isOpen);
  const catalogue = await readCatalogue(stripe, configuration, open);
  return open.some((each) => planOfSubscription(each, catalogue) !== "none");
}
