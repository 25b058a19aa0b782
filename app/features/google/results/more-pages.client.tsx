import { type ReactNode, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { ViewProps } from "./view";

type Page = { next?: string };

/** The pages of a list, the first of them from the form's own button, with a button for the next. */
export function MorePages<OnePage extends Page>({
  first,
  asked,
  ask,
  busy,
  children,
}: Pick<ViewProps, "asked" | "ask" | "busy"> & {
  first: OnePage;
  children: (pages: readonly OnePage[]) => ReactNode;
}) {
  const [later, setLater] = useState<{ first: OnePage; pages: readonly OnePage[] }>();
  const [failure, setFailure] = useState<string>();
  const [waiting, setWaiting] = useState(false);
  // Another list has come: pages of the one before do not belong to it.
  const pages = later?.first === first ? [first, ...later.pages] : [first];
  const next = pages.at(-1)?.next;

  async function readNext() {
    if (!next || waiting) return;
    setWaiting(true);
    const outcome = await ask({ ...asked, pageToken: next });
    setWaiting(false);
    setFailure(outcome.ok ? undefined : outcome.message);
    if (outcome.ok) setLater({ first, pages: [...pages.slice(1), outcome.result as OnePage] });
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      {children(pages)}
      {failure ? <Message kind="failure">{`Error: ${failure}`}</Message> : null}
      {next ? (
        <Button variant="secondary" disabled={busy || waiting} onClick={readNext}>
          {waiting ? "Processing..." : "Show more"}
        </Button>
      ) : null}
    </div>
  );
}
