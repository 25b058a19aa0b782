import { Form } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";

/** The plan has fewer servers than are connected, and others report in the place of this one. */
export function Paused({ mayKeep }: { mayKeep: boolean }) {
  return (
    <Message kind="warning" className="mt-6">
      <p>
        This server runs as before. What it reports does not count, because the plan has fewer
        servers than are connected. If you keep this one, another pauses, and this one reports again
        within an hour.
      </p>
      {mayKeep ? (
        <Form method="post" className="mt-4">
          <Button type="submit" name="intent" value="keep" variant="secondary">
            Keep this one
          </Button>
        </Form>
      ) : null}
    </Message>
  );
}
