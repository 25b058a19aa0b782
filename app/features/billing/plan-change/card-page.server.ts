import type { AppContext } from "~/http/app-context";
import { openPortal } from "../billing-page/portal.server";

/** The URL of Stripe's page for a customer's card. Afterwards it leads back to `page`, a path of this site. */
export async function cardPage(
  context: AppContext,
  customer: string,
  page: string,
): Promise<string> {
  const visit = { customer, flow: "payment_method_update", back: page, done: page } as const;
  // If Stripe does not know the customer any more, the page is shown again without the plan.
  return (await openPortal(context, visit)) ?? page;
}
