import { Form } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Spinner } from "~/ui/primitives/spinner";
import { somethingWentWrong } from "./checkout-messages";

/**
 * The checkout dialog of /pricing. It waits for Stripe's page, or says why the checkout failed. "Try again"
 * closes the dialog, so that a plan can be chosen again. Without JavaScript there is no `onClose`, and closing
 * loads /pricing again; "Try again" passes the plan in the address.
 */
export function CheckoutDialog({
  failure,
  plan,
  onClose,
}: {
  failure: string | undefined;
  plan: string | undefined;
  onClose: (() => void) | undefined;
}) {
  if (failure === undefined) {
    return (
      <Dialog title="Checkout" closeTo="/pricing" onClose={onClose}>
        <div role="status" className="flex items-center gap-4 py-6">
          <Spinner />
          Redirecting to secure checkout...
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Error" closeTo="/pricing" onClose={onClose}>
      <p role="alert" className="text-failure">
        {failure || somethingWentWrong}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Form method="get" action="/pricing">
          <Button
            type="submit"
            name="plan"
            value={plan}
            onClick={(event) => {
              if (!onClose) return;
              event.preventDefault();
              onClose();
            }}
          >
            Try again
          </Button>
        </Form>
      </div>
    </Dialog>
  );
}
