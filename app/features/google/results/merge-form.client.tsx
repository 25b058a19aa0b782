import { type FormEvent, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { TextAreaField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import {
  type MergeMessage,
  type MergeTemplate,
  mergeMessages,
  unknownColumns,
} from "../mail/mail-merge";
import { decodeTable, maxRows, readTable } from "../mail/merge-table";
import { useDraft } from "../questions/saved-draft.client";
import { ToolCall } from "../questions/tool-question";
import { MergePreview } from "./merge-preview.client";
import { mergeDraft } from "./saved-merge.client";
import type { ViewProps } from "./view";

const largestFile = 1024 * 1024;

/** The form of a merge: table, template, and a preview of every message before any is sent. */
export function MergeForm({
  owner,
  isConnected,
  tab,
  onStart,
}: ViewProps & {
  onStart: (template: MergeTemplate, table: string) => Promise<string | undefined>;
}) {
  const [draft, change] = useDraft(owner, mergeDraft, {
    table: "",
    to: "{{email}}",
    subject: "",
    body: "",
    unsure: "",
  });
  const [problem, setProblem] = useState("");
  const { table: text = "", to = "", subject = "", body = "", unsure } = draft;
  const template = { to, subject, body };
  const read = preview(text, template);
  const ready = read.messages.filter(({ ok }) => ok).length;

  async function load(file: File | undefined) {
    if (!file) return;
    if (file.size > largestFile) return setProblem("The file is larger than 1 MB.");
    const table = decodeTable(await file.arrayBuffer());
    if (table === undefined) return setProblem("The file is not UTF-8. Save it as “CSV UTF-8”.");
    setProblem("");
    change({ table, unsure: "" });
  }
  async function start(event: FormEvent) {
    event.preventDefault();
    if (!isConnected || ready === 0) return;
    try {
      setProblem((await onStart(template, text)) ?? "");
    } catch {
      setProblem(
        "This browser keeps nothing, so an interruption could send twice. Allow it to store data for this site.",
      );
    }
  }

  return (
    <form onSubmit={start} className="grid grid-cols-1 gap-5">
      {unsure ? (
        <Message kind="warning">
          {`${unsure} may have got the message or not, and is left out of the table. Look into your Sent folder.`}
        </Message>
      ) : null}
      <TextAreaField
        name="table"
        label="Table"
        rows={5}
        hint={`CSV: the names of the columns first, then a row for each message, ${maxRows} at most.`}
        value={text}
        onChange={({ target }) => change({ table: target.value })}
        spellCheck={false}
      />
      <TextField
        type="file"
        label="Or a CSV file"
        accept=".csv,text/csv,text/plain"
        // Without this, choosing a file again under the same name would be no change.
        onClick={({ currentTarget }) => {
          currentTarget.value = "";
        }}
        onChange={({ target }) => void load(target.files?.[0])}
      />
      <TextField
        name="to"
        label="To"
        hint="{{column}} stands for the row's value, here and below: {{name}} <{{email}}>"
        value={to}
        onChange={({ target }) => change({ to: target.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="subject"
        label="Subject"
        value={subject}
        onChange={({ target }) => change({ subject: target.value })}
        autoComplete="off"
      />
      <TextAreaField
        name="body"
        label="Body"
        rows={5}
        value={body}
        onChange={({ target }) => change({ body: target.value })}
      />
      {read.problem ? <Message kind="warning">{read.problem}</Message> : null}
      <MergePreview messages={read.messages} />
      <ToolCall tab={tab} />
      {problem ? <Message kind="failure">{problem}</Message> : null}
      <Button type="submit" disabled={!isConnected || ready === 0} className="w-full">
        {tab.button}
      </Button>
    </form>
  );
}

/** The messages as far as there are any, or what is still missing. */
function preview(
  text: string,
  template: MergeTemplate,
): { messages: MergeMessage[]; problem?: string } {
  if (text === "") return { messages: [] };
  const table = readTable(text);
  if ("problem" in table) return { messages: [], problem: table.problem };
  const unknown = unknownColumns(template, table);
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{{${name}}}`).join(", ");
    const columns = table.columns.map((name) => `{{${name}}}`).join(", ");
    return { messages: [], problem: `The table has no column for ${names}. It has ${columns}.` };
  }
  if (template.subject.trim() === "") return { messages: [], problem: "Type a subject." };
  if (template.body.trim() === "") return { messages: [], problem: "Type a body." };
  return { messages: mergeMessages(template, table) };
}
