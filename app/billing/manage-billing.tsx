import { Form } from "react-router";
import { Button } from "~/components/button";

/** Opens Stripe's customer portal: cards, invoices, changing or cancelling the plan. */
export function ManageBilling({
  customer,
  look = "secondary",
  className,
}: {
  customer?: string | undefined;
  look?: "primary" | "secondary";
  className?: string;
}) {
  return (
    <Form method="post" action="/dashboard/billing" reloadDocument>
      {customer ? <input type="hidden" name="customer" value={customer} /> : null}
      <Button type="submit" look={look} className={className}>
        Manage billing
      </Button>
    </Form>
  );
}
