import { type FormEvent, useState } from "react";
import { localMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { TextAreaField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { ConversationList } from "../mail/mail-results";
import { type Draft, forgetDraft, useDraft } from "../questions/kept-draft.client";
import { ToolCall } from "../questions/tool-question";
import type { ViewProps } from "./view";

type Messages = ConversationList["messages"];

const place = "gmail respond";
const empty = { messageId: "", threadId: "", at: "", from: "", subject: "", body: "" };

/** The list, and before it what was chosen earlier: after a visit to Google there is no list yet. */
function withChosen(draft: Draft, list: Messages = []): Messages {
  const { messageId: id = "", threadId = "", at, from = "", subject = "" } = draft;
  if (id === "" || list.some((message) => message.id === id)) return list;
  return [{ id, threadId, at: Number(at), from, subject }, ...list];
}

/** Lists what came last, lets choose one message, and answers it in its thread. */
export function RespondView({ run, ask, busy, owner, isConnected, tab }: ViewProps) {
  const [draft, change] = useDraft(owner, place, empty);
  const [list, setList] = useState<Messages>();
  const [listing, setListing] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function show() {
    setListing(true);
    const outcome = await ask({ step: "messages" });
    setListing(false);
    setFailure(outcome.ok ? undefined : outcome.message);
    if (outcome.ok) setList((outcome.result as ConversationList).messages);
  }
  async function reply(event: FormEvent) {
    event.preventDefault();
    if (busy || !isConnected) return;
    const { messageId = "", threadId = "", body = "" } = draft;
    const outcome = await run({ step: "reply", messageId, threadId, body });
    if (outcome.ok) {
      change(empty);
      forgetDraft(owner, place);
    }
  }

  const messages = withChosen(draft, list);
  return (
    <form onSubmit={reply} className="grid grid-cols-1 gap-5">
      <Button onClick={show} disabled={listing || !isConnected} variant="secondary">
        {listing ? "Processing..." : "Show received messages"}
      </Button>
      {failure ? <Message kind="failure">{`Error: ${failure}`}</Message> : null}
      {list?.length === 0 ? <p role="status">There is no message to answer.</p> : null}
      {messages.length > 0 ? (
        <fieldset className="max-h-80 overflow-y-auto border-y border-line">
          <legend className="font-strong">Message to answer</legend>
          {messages.map(({ id, threadId, at, from, subject }) => (
            <label key={id} className="flex min-h-11 items-start gap-3 border-t border-line py-3">
              <input
                type="radio"
                name="messageId"
                value={id}
                checked={draft.messageId === id}
                onChange={() => change({ messageId: id, threadId, at: String(at), from, subject })}
                className="mt-1.5"
              />
              <span className="min-w-0">
                {subject || "(no subject)"}
                <span className="block break-words text-sm text-ink-soft">
                  From {from}, {localMomentOf(new Date(at))}
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
