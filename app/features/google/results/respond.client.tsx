import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { Form } from "react-router";
import { localMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { TextAreaField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { ConversationList } from "../mail/mail-results";
import { type FormValues, useDraft } from "../questions/saved-draft.client";
import { ToolCall } from "../questions/tool-question";
import { useToolCall } from "./use-tool-call.client";
import type { ViewProps } from "./view";

type Messages = ConversationList["messages"];

const draftForm = "gmail respond";
const empty = { messageId: "", threadId: "", at: "", from: "", subject: "", body: "" };

/** The list, preceded by the message of the draft: after a visit to Google there is a draft, but no list yet. */
function withChosen(draft: FormValues, list: Messages = []): Messages {
  const { messageId: id = "", threadId = "", at, from = "", subject = "" } = draft;
  if (id === "" || list.some((message) => message.id === id)) return list;
  return [{ id, threadId, at: Number(at), from, subject }, ...list];
}

/** Lists the messages that were received last, lets the person choose one, and answers it in its thread. */
export function RespondView(props: ViewProps) {
  const { outcome, call, address, onConsent, busy, owner, isConnected, tab } = props;
  const [draft, change, clearFields] = useDraft(owner, draftForm, empty);
  const listing = useToolCall(address, onConsent);
  const [list, setList] = useState<Messages>();
  const listed = listing.outcome?.ok
    ? (listing.outcome.result as ConversationList).messages
    : undefined;
  if (listed && listed !== list) setList(listed);
  const failure = listing.outcome?.ok === false ? listing.outcome.message : undefined;

  const clear = useEffectEvent(clearFields);
  useEffect(() => {
    if (outcome?.ok) clear();
  }, [outcome]);

  function reply(event: FormEvent) {
    event.preventDefault();
    if (busy || !isConnected) return;
    const { messageId = "", threadId = "", body = "" } = draft;
    call({ step: "reply", messageId, threadId, body });
  }

  const messages = withChosen(draft, list);
  return (
    <Form method="post" action={address} onSubmit={reply} className="grid grid-cols-1 gap-5">
      <Button
        onClick={() => listing.call({ step: "messages" })}
        disabled={listing.isBusy || !isConnected}
        variant="secondary"
      >
        {listing.isBusy ? "Processing..." : "Show received messages"}
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
                <span>{subject || "(no subject)"}</span>
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
    </Form>
  );
}
