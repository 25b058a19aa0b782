import { useState } from "react";
import { Button } from "~/ui/primitives/button";
import type { MergeMessage } from "../mail/mail-merge";

/** Shows the messages of a merge one at a time, and the rows that make no message, with the reason. */
export function MergePreview({ messages }: { messages: readonly MergeMessage[] }) {
  const [at, setAt] = useState(0);
  const good = messages.filter((message) => message.ok);
  const bad = messages.filter((message) => !message.ok);
  const previewed = good[Math.min(at, good.length - 1)];
  if (messages.length === 0) return null;
  return (
    <>
      {bad.length > 0 ? (
        <details
          open
          className="rounded-md border border-warning bg-warning-well px-4 py-3 text-warning"
        >
          <summary className="font-strong">
            {bad.length === 1 ? "1 row makes no message" : `${bad.length} rows make no message`}
          </summary>
          <ul className="mt-2 text-sm">
            {bad.map(({ row, problem }) => (
              <li key={row}>
                Row {row}: {problem}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {previewed ? (
        <section aria-label="Preview" className="rounded-md border border-line">
          <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1">
            <p aria-live="polite">
              Message {good.indexOf(previewed) + 1} of {good.length}
            </p>
            <p>
              <Button
                variant="quiet"
                disabled={good.indexOf(previewed) === 0}
                onClick={() => setAt(good.indexOf(previewed) - 1)}
              >
                Previous
              </Button>
              <Button
                variant="quiet"
                disabled={good.indexOf(previewed) === good.length - 1}
                onClick={() => setAt(good.indexOf(previewed) + 1)}
              >
                Next
              </Button>
            </p>
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 px-4 py-3">
            <dt className="text-ink-soft">To</dt>
            <dd className="min-w-0 break-words">{previewed.to}</dd>
            <dt className="text-ink-soft">Subject</dt>
            <dd className="min-w-0 break-words">{previewed.subject}</dd>
          </dl>
          <p className="border-t border-line px-4 py-3 break-words whitespace-pre-wrap">
            {previewed.body}
          </p>
        </section>
      ) : null}
    </>
  );
}
