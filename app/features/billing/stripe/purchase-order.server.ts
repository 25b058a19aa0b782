import Stripe from "stripe";
import { describeError, log } from "~/platform/log/log.server";

/** The name of our line among the custom fields on a customer's invoices. Others are the operator's, and stay. */
const fieldName = "Purchase order";
/** The key of our field on Stripe's checkout page, and of the note on the session that it was saved. */
const checkoutKey = "purchaseorder";

export function purchaseOrderOf({ invoice_settings }: Stripe.Customer): string | undefined {
  return invoice_settings.custom_fields?.find(({ name }) => name === fieldName)?.value;
}

/** The custom fields with this purchase order, or without one where it is empty. */
export function withPurchaseOrder(
  { invoice_settings }: Stripe.Customer,
  value: string,
): Stripe.CustomerUpdateParams.InvoiceSettings {
  const others = (invoice_settings.custom_fields ?? []).filter(({ name }) => name !== fieldName);
  const all = value === "" ? others : [{ name: fieldName, value }, ...others];
  return { custom_fields: all.length === 0 ? "" : all };
}

/**
 * The field on Stripe's checkout page. Checkout makes the first invoice itself, and puts no typed text on it: so the
 * label says from when on it counts.
 */
export const purchaseOrderField: Stripe.Checkout.SessionCreateParams.CustomField = {
  key: checkoutKey,
  label: { type: "custom", custom: "Purchase order (from your next invoice on)" },
  optional: true,
  type: "text",
  text: { maximum_length: 140 },
};

/** Whether Stripe refuses our line, as it does beside four of the operator's. */
export function isOfPurchaseOrder(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.param?.startsWith("invoice_settings") === true
  );
}

/**
 * Puts the purchase order that was typed at a paid checkout on the customer's next invoices, once: what somebody changes
 * afterwards stays. A refusal is logged: the purchase is as good without it. Throws when Stripe does not answer.
 */
export async function savePurchaseOrder(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const typed = session.custom_fields.find(({ key }) => key === checkoutKey)?.text?.value?.trim();
  const id = typeof session.customer === "string" ? session.customer : session.customer?.id;
  if (!typed || !id || session.status !== "complete" || session.metadata?.[checkoutKey]) return;
  const customer = await stripe.customers.retrieve(id);
  if (customer.deleted) return;
  try {
    await stripe.customers.update(id, { invoice_settings: withPurchaseOrder(customer, typed) });
  } catch (error) {
    if (!isOfPurchaseOrder(error)) throw error;
    log.error("A purchase order was not saved", { customer: id, ...describeError(error) });
    return;
  }
  await stripe.checkout.sessions.update(session.id, { metadata: { [checkoutKey]: "saved" } });
}
