import { Form } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import type { PortalFlow } from "./portal-flows";

/** A button that opens Stripe's customer portal: at one flow, or at its first page. */
export function PortalButton({
  customer,
  flow,
  children,
  variant = "secondary",
}: {
  customer: string;
  flow?: PortalFlow;
  children: string;
  variant?: "primary" | "secondary" | "quiet";
}) {
  const base = useConsoleBase();
  return (
    <Form method="post" action={`${base}/billing`} reloadDocument>
      <input type="hidden" name="customer" value={customer} />
      <input type="hidden" name="from" value="billing" />
      {flow ? <input type="hidden" name="flow" value={flow} /> : null}
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </Form>
  );
}
