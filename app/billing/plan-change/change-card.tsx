import { Form } from "react-router";
import { Button } from "~/components/button";

/** Opens Stripe's page for the card of a customer. */
export function ChangeCard({ customer }: { customer: string }) {
  return (
    <Form method="post" action="/dashboard/billing" reloadDocument>
      <input type="hidden" name="customer" value={customer} />
      <input type="hidden" name="flow" value="card" />
      <Button type="submit" look="secondary">
        Change card
      </Button>
    </Form>
  );
}
