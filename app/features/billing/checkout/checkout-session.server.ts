import type Stripe from "stripe";
import { type OfferKey, offers } from "~/content/plans";
import type { Configuration } from "~/platform/env/configuration.server";
import { differences, intervalWords } from "~/platform/env/price-terms";
import { workspaceBase } from "~/ui/console/console-path";
import { purchaseOrderField } from "../stripe/purchase-order.server";

/**
 * The parameters of a Checkout Session. It takes cards only; `allowed_payment_method_types` is Stripe's name for
 * `payment_method_types` since 2026. Adaptive pricing is off, so that the currency is the one on our screens.
 */
export function sessionPayload(configuration: Configuration, offer: OfferKey, priceId: string) {
  const { SITE_URL: siteUrl } = configuration;
  const collected = collectedBy(configuration);
  return {
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: priceId, quantity: 1 }],
    currency: offers[offer].currency,
    adaptive_pricing: { enabled: false },
    success_url: `${siteUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
    // The specification names /pricing; the parameter keeps the chosen offer for a visitor who comes back.
    cancel_url: `${siteUrl}/pricing?plan=${offer}`,
    allow_promotion_codes: true,
    custom_fields: [purchaseOrderField],
    expand: ["line_items"],
    ...(collected.tax ? { automatic_tax: { enabled: true } } : {}),
    ...(collected.taxIds ? { tax_id_collection: { enabled: true } } : {}),
    ...(collected.address ? { billing_address_collection: "required" } : {}),
    ...(collected.consent ? { consent_collection: { terms_of_service: "required" } } : {}),
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** Where Stripe leads back to, paid and not paid, for a plan that was bought on the pages of a workspace. */
export function returnUrls({ SITE_URL: siteUrl }: Configuration, slug: string) {
  return {
    success_url: `${siteUrl}/success?session_id={CHECKOUT_SESSION_ID}&workspace=${slug}`,
    cancel_url: `${siteUrl}${workspaceBase(slug)}/plan`,
  };
}

/** The parameters for an existing customer: address and name that are typed at Stripe are saved there too. */
export function sessionPayloadFor(
  configuration: Configuration,
  offer: OfferKey,
  priceId: string,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const { address, tax, taxIds } = collectedBy(configuration);
  const updates = {
    ...(address || tax || taxIds ? { address: "auto" } : {}),
    ...(taxIds ? { name: "auto" } : {}),
  };
  return {
    ...sessionPayload(configuration, offer, priceId),
    customer,
    ...(Object.keys(updates).length > 0 ? { customer_update: updates } : {}),
  };
}

/** How a session differs from what our screens and settings say; empty when nothing differs. */
export function sessionDifferences(
  configuration: Configuration,
  offer: OfferKey,
  priceId: string,
  session: Stripe.Checkout.Session,
): string[] {
  const { amount, currency, interval } = offers[offer];
  const { address, tax, taxIds, consent } = collectedBy(configuration);
  const items = session.line_items?.data ?? [];
  const [item] = items;
  return differences([
    ["amount", displayedAmount(configuration, session), amount],
    ["currency", session.currency, currency],
    ["interval", intervalWords(item?.price?.recurring), interval],
    ["price", item?.price?.id, priceId],
    ["items", items.length, 1],
    ["quantity", item?.quantity, 1],
    ["adaptive pricing", session.adaptive_pricing?.enabled ?? false, false],
    ["automatic tax", session.automatic_tax.enabled, tax],
    ["tax ids", session.tax_id_collection?.enabled ?? false, taxIds],
    ["address", session.billing_address_collection === "required", address],
    ["consent", session.consent_collection?.terms_of_service === "required", consent],
  ]);
}

/** The amount of a session before discounts, and before tax unless the prices on our screens include it. */
function displayedAmount(
  { STRIPE_AUTOMATIC_TAX }: Configuration,
  { amount_subtotal, amount_total, total_details }: Stripe.Checkout.Session,
): number | null {
  if (STRIPE_AUTOMATIC_TAX !== "included" || amount_total === null) return amount_subtotal;
  return amount_total + (total_details?.amount_discount ?? 0);
}

/** What Stripe asks buyers for at a checkout, by the operator's settings. */
function collectedBy(configuration: Configuration) {
  return {
    tax: configuration.STRIPE_AUTOMATIC_TAX !== "off",
    taxIds: configuration.STRIPE_TAX_IDS,
    address: configuration.STRIPE_BILLING_ADDRESS,
    consent: configuration.STRIPE_TERMS_CONSENT,
  };
}
