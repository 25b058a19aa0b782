import { Form } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { ServerDetails } from "./server-details.server";

/** Nobody watches this server: why, and what to do about it. */
export function Paused({
  why,
  mayKeep,
}: {
  why: NonNullable<ServerDetails["paused"]>;
  mayKeep: boolean;
}) {
  const base = useConsoleBase();
  return (
    <Message kind="warning" className="mt-6">
      {why === "plan-limit" ? (
        <p>
          This server runs as before. What it reports does not count and nobody is told when it is
          down, because the plan has fewer servers than are connected. If you keep this one, another
          pauses, and this one reports again within ten minutes.
        </p>
      ) : (
        <p>
          This server runs as before. What it reports does not count and nobody is told when it is
          down, because the plan has ended. With a new plan under{" "}
          <TextLink to={`${base}/billing`}>Billing</TextLink> it reports again within an hour.
        </p>
      )}
      {why === "plan-limit" && mayKeep ? (
        <Form method="post" className="mt-4">
          <Button type="submit" name="intent" value="keep" variant="secondary">
            Keep this server
          </Button>
        </Form>
      ) : null}
    </Message>
  );
}
