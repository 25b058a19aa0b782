import { fromSeconds, momentOf } from "~/ui/dates";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { PlanForm } from "./plan-button";
import type { PlanView } from "./plan-screen";

/** A change that waits for its payment. The invoice's page at Stripe asks for 3-D Secure, or for another card. */
export function PendingChange({ plan }: { plan: PlanView }) {
  const { pending, name } = plan;
  if (!pending) return null;
  const isProcessing = pending.status === "processing";
  return (
    <Card as="section" variant="warning" aria-labelledby="pending-change" className="mt-6">
      <h2 id="pending-change" className="text-xl text-warning">
        {`Your change to ${pending.name} waits for ${isProcessing ? "its payment" : "you"}`}
      </h2>
      <p className="mt-4 max-w-prose">
        {whatIsMissing(pending)} Until then you have {name}. What is not paid by{" "}
        {momentOf(fromSeconds(pending.until))} is dropped, and {name} goes on.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {pending.url && !isProcessing ? (
          <LinkButton to={pending.url} reloadDocument className="max-sm:w-full">
            {pending.status === "requires_action" ? "Confirm the payment" : "Pay on Stripe's page"}
          </LinkButton>
        ) : null}
        <PlanForm
          plan={plan}
          intent="give-up"
          variant="secondary"
          button={`Give it up and stay with ${name}`}
          busy="Giving it up..."
          className="max-sm:w-full"
        />
      </div>
    </Card>
  );
}

function whatIsMissing({ status, amount }: NonNullable<PlanView["pending"]>): string {
  if (status === "requires_action") {
    return `Your bank asks you to confirm the payment of ${amount}. Confirm it on Stripe's page and come back here. Nothing is charged before.`;
  }
  if (status === "processing") {
    return `The payment of ${amount} is being carried out. You need do nothing.`;
  }
  return `The payment of ${amount} was not made. Pay it on Stripe's page, with another card if you like, and come back here. Nothing is charged before.`;
}
