import { Form } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Spinner } from "~/ui/primitives/spinner";
import { somethingWentWrong } from "./checkout-messages";

/**
 * The checkout modal of /pricing: it waits for the hosted page, or says why there is none.
 * `Try again` only closes it, which clears the chosen plan. Without `onClose` (no script when it
 * failed) closing goes to the page anew.
 */
export function CheckoutDialog({
  failure,
  onClose,
}: {
  failure: string | undefined;
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
