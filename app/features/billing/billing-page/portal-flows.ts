/** What a button may ask Stripe's portal for, and Stripe's word for it. */
const flows = {
  card: "payment_method_update",
  details: "customer_update",
} as const;

export type PortalFlow = keyof typeof flows;

/** Stripe's word for what a form asks for; undefined for the portal's first page. */
export function portalFlow(given: string | null): (typeof flows)[PortalFlow] | undefined {
  return given === "card" || given === "details" ? flows[given] : undefined;
}
