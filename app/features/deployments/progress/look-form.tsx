import { Message } from "~/ui/primitives/message";
import { TextButton } from "~/ui/primitives/text-link";
import type { useLook } from "./use-look";

/**
 * Looks at the records and the server now. The answer stays on this page: it is the one that the page asks for by itself.
 */
export function LookForm({
  action,
  look,
  isLooking,
  isWaiting,
  message,
  Form,
}: ReturnType<typeof useLook> & { action: string }) {
  return (
    <Form method="post" action={action} preventScrollReset className="text-sm">
      <input type="hidden" name="intent" value="look" />
      <div className="flex flex-wrap items-center gap-x-4">
        <TextButton type="submit" variant="standalone">
          Look now
        </TextButton>
        <p role="status" className="text-ink-soft">
          {isLooking
            ? "Looking..."
            : look
              ? `Looked at ${new Date(look.at).toISOString().slice(11, 19)} UTC. `
              : "New records can take some minutes to be seen. "}
          {isWaiting && look && !isLooking ? (
            <span className="not-scripted:hidden">
              This page looks again every {look.againIn} seconds until all is right.
            </span>
          ) : null}
        </p>
      </div>
      {message ? <Message kind="warning">{message}</Message> : null}
    </Form>
  );
}
