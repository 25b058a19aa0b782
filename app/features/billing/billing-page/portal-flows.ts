/** The flows of Stripe's portal that our buttons open: our name, and Stripe's. */
const flows = {
  card: "payment_method_update",
  details: "customer_update",
} as const;

export type PortalFlow = keyof typeof flows;

/** Stripe's name of the flow that a form names; undefined, for the portal's first page, for anything else. */
export function portalFlow(given: string | null): (typeof flows)[PortalFlow] | undefined {
  return given === "card" || given === "details" ? flows[given] : undefined;
}
