import { redirect } from "react-router";
import { type GuardRefusal, guarded } from "~/access/guarded-action.server";
import { sessionContext } from "~/auth/session.server";
import { knownCustomersOf } from "~/billing/customers.server";
import { isMissing, stripeClient } from "~/billing/stripe.server";
import { isRunning } from "~/billing/subscription-words";
import { subscriptionsOfVisitor } from "~/billing/subscriptions.server";
import { syncSubscription } from "~/billing/sync-subscription.server";
import { serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import { readForm } from "~/request/form.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/billing";

const noticeFor = ({ why }: GuardRefusal) =>
  why === "too-often" || why === "unconfirmed" ? why : "portal-unavailable";

export function loader() {
  return redirect("/dashboard");
}

/** Opens the customer portal for one of the person's own Stripe customers. */
export const action = guarded({
  refused: (refusal) => redirect(`/dashboard?notice=${noticeFor(refusal)}`, 303),
  async allowed({ request, context }: Route.ActionArgs, { user }) {
    const asked = context.get(requestContext);
    const { configuration, requestId } = asked;
    const session = context.get(sessionContext);
    try {
      const owned = await knownCustomersOf(serviceClient(configuration), user.id);
      const wanted = (await readForm(request)).get("customer") ?? (await payingCustomer());
      const customer = wanted === undefined ? owned[0] : owned.find((id) => id === wanted);
      if (!customer) return redirect("/pricing", 303);
      const portalConfiguration = configuration.STRIPE_PORTAL_CONFIGURATION;
      try {
        const portal = await stripeClient(configuration).billingPortal.sessions.create({
          customer,
          return_url: `${configuration.SITE_URL}/dashboard`,
          ...(portalConfiguration && { configuration: portalConfiguration }),
        });
        return redirect(portal.url, 303);
      } catch (error) {
        // Where Stripe does not know the customer, the person may buy anew.
        const unknown =
          isMissing(error) && (await syncSubscription(configuration, customer)) === "unknown";
        if (unknown) return redirect("/pricing", 303);
        throw error;
      }
    } catch (error) {
      log.error("The customer portal did not open", { requestId, ...describeError(error) });
      return redirect("/dashboard?notice=portal-unavailable", 303);
    }

    /** Of several customers, the one whose plan runs. */
    async function payingCustomer(): Promise<string | undefined> {
      const rows = await subscriptionsOfVisitor(session.supabase, asked);
      return rows?.find(isRunning)?.customer_id;
    }
  },
});
