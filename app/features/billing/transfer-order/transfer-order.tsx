import { Form, useNavigation } from "react-router";
import { offers, planNames, priceLabel } from "~/content/plans";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { RenewalTerms } from "../checkout/renewal-terms";
import { listed } from "../plan-change/words";
import { type TransferView, transferOffers } from "./transfer-offers";

/** How a plan is ordered by bank transfer, with what follows if it is not paid. */
export function TransferOrder({ view }: { view: TransferView }) {
  const base = useConsoleBase();
  const busy = useNavigation().state !== "idle";
  return (
    <Card as="section" variant="flat" aria-labelledby="transfer" className="mt-6">
      <h2 id="transfer" className="text-xl">
        By bank transfer, for a year
      </h2>
      <p className="mt-4 max-w-prose">
        The plan runs from your order on. Stripe sends the invoice within an hour; it is due in 14
        days, and its page names the account to pay to. What is not paid 7 days after that ends the
        plan: your deployments become read-only, and nothing is deleted.
      </p>
      {view.missing.length > 0 ? (
        <>
          <p className="mt-4 max-w-prose">The invoice still needs {listed(view.missing)}.</p>
          <LinkButton to={`${base}/billing`} variant="secondary" className="mt-6">
            Give them under Billing
          </LinkButton>
        </>
      ) : (
        <Form method="post" className="mt-4">
          <p className="max-w-prose wrap-anywhere">
            {`The invoice is made out to ${view.company} and goes to ${view.email}.${view.taxIsAdded ? " Tax is added on it, where it applies." : ""}`}
          </p>
          <input type="hidden" name="intent" value="order" />
          <div className="mt-6 flex flex-wrap gap-3">
            {transferOffers.map((key) => (
              <Button
                key={key}
                type="submit"
                variant="secondary"
                name="plan"
                value={key}
                disabled={busy}
                className="max-sm:w-full"
              >
                Order {planNames[offers[key].plan]} for {priceLabel(offers[key])}
              </Button>
            ))}
          </div>
          <RenewalTerms interval="year" className="mt-3" />
        </Form>
      )}
    </Card>
  );
}
