import { type FormEvent, useState } from "react";
import { Button } from "~/components/button";
import { TextAreaField } from "~/components/fields";
import { forgetDraft, useDraft } from "../kept-draft.client";
import type { ConversationList } from "../mail/mail-results";
import { ToolCall } from "../tool-question";
import { dayAndTime } from "./day-and-time";
import type { ViewProps } from "./view";

const place = "gmail respond";

/** Lists what came last, lets choose one message, and answers it in its thread. */
export function RespondView({ run, ask, busy, owner, isConnected, tab }: ViewProps) {
  const [draft, change] = useDraft(owner, place, { messageId: "", threadId: "", body: "" });
  const [list, setList] = useState<ConversationList["messages"]>();
  const [listing, setListing] = useState(false);

  async function show() {
    setListing(true);
    const outcome = await ask({ step: "messages" });
    setListing(false);
    if (outcome.ok) setList((outcome.result as ConversationList).messages);
    else void run({ step: "messages" });
  }
  async function reply(event: FormEvent) {
    event.preventDefault();
    if (busy || !isConnected) return;
    const outcome = await run({ step: "reply", ...draft });
    if (outcome.ok) {
      change({ messageId: "", threadId: "", body: "" });
      forgetDraft(owner, place);
    }
  }

  return (
    <form onSubmit={reply} className="grid grid-cols-1 gap-5">
      <Button onClick={show} disabled={listing || !isConnected} look="secondary">
        {listing ? "Processing..." : "Show received messages"}
      </Button>
      {list?.length === 0 ? <p role="status">There is no message to answer.</p> : null}
      {list && list.length > 0 ? (
        <fieldset className="max-h-80 overflow-y-auto border-y border-line">
          <legend className="font-strong">Message to answer</legend>
          {list.map(({ id, threadId, at, from, subject }) => (
            <label key={id} className="flex min-h-11 items-start gap-3 border-t border-line py-3">
              <input
                type="radio"
                name="messageId"
                value={id}
                checked={draft.messageId === id}
                onChange={() => change({ messageId: id, threadId })}
                className="mt-1.5"
              />
              <span className="min-w-0">
                {subject || "(no subject)"}
                <span className="block break-words text-sm text-ink-soft">
                  From {from}, {dayAndTime(at)}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <TextAreaField
        name="body"
        label="Your answer"
        rows={5}
        value={draft.body ?? ""}
        onChange={({ target }) => change({ body: target.value })}
      />
      <ToolCall tab={tab} />
      <Button type="submit" disabled={busy || !isConnected || !draft.messageId} className="w-full">
        {busy ? "Processing..." : tab.button}
      </Button>
    </form>
  );
}
