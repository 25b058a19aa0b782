import type { AppContext } from "~/http/app-context";
import { openPortal } from "../billing-page/portal.server";

/** Stripe's page for the card of a customer; afterwards it leads back to `page`, a path of ours. */
export async function cardPage(
  context: AppContext,
  customer: string,
  page: string,
): Promise<string> {
  const visit = { customer, flow: "payment_method_update", back: page, done: page } as const;
  // Where Stripe does not know the customer any more, the page itself says what there is.
  return (await openPortal(context, visit)) ?? page;
}
