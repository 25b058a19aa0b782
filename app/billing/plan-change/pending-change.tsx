import { LinkButton } from "~/components/button";
import { PlanForm } from "./plan-button";
import type { ShownPlan } from "./plan-screen";
import { momentOf } from "./words";

/** A change that waits until its payment is confirmed: 3-D Secure, at Stripe's page of the invoice. */
export function PendingChange({ plan }: { plan: ShownPlan }) {
  const { pending, name } = plan;
  if (!pending) return null;
  return (
    <section
      aria-labelledby="pending-change"
      className="mt-6 rounded-lg border border-warning bg-warning-well p-6 sm:p-8"
    >
      <h2 id="pending-change" className="text-xl text-warning">
        Your change to {pending.name} waits for you
      </h2>
      <p className="mt-4 max-w-prose">
        Your bank asks you to confirm the payment of {pending.amount}. Confirm it on Stripe's page
        and come back here. Until then you have {name}, and nothing is charged. What is not
        confirmed by {momentOf(pending.until)} is given up by itself.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {pending.url ? (
          <LinkButton to={pending.url} reloadDocument className="max-sm:w-full">
            Confirm the payment
          </LinkButton>
        ) : null}
        <PlanForm
          plan={plan}
          intent="give-up"
          look="secondary"
          button={`Give it up and stay with ${name}`}
          busy="Giving it up..."
          className="max-sm:w-full"
        />
      </div>
    </section>
  );
}
