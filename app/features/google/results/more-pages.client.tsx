import { type ReactNode, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { useToolCall } from "./use-tool-call.client";
import type { ViewProps } from "./view";

type Page = { next?: string };

/** A list of several pages. The form's own call brings the first; a button brings each next one. */
export function MorePages<OnePage extends Page>({
  first,
  calledWith,
  address,
  onConsent,
  busy,
  children,
}: Pick<ViewProps, "calledWith" | "address" | "onConsent" | "busy"> & {
  first: OnePage;
  children: (pages: readonly OnePage[]) => ReactNode;
}) {
  const { outcome, isBusy, call } = useToolCall(address, onConsent);
  const [pages, setPages] = useState<readonly OnePage[]>([first]);
  const newest = outcome?.ok ? (outcome.result as OnePage) : undefined;
  // Another first page is another list: the pages of the one before do not belong to it.
  if (pages[0] !== first) setPages([first]);
  else if (newest && !pages.includes(newest)) setPages([...pages, newest]);
  const next = pages.at(-1)?.next;
  return (
    <div className="grid grid-cols-1 gap-4">
      {children(pages)}
      {outcome?.ok === false ? (
        <Message kind="failure">{`Error: ${outcome.message}`}</Message>
      ) : null}
      {next ? (
        <Button
          variant="secondary"
          disabled={busy || isBusy}
          onClick={() => call({ ...calledWith, pageToken: next })}
        >
          {isBusy ? "Processing..." : "Show more"}
        </Button>
      ) : null}
    </div>
  );
}
