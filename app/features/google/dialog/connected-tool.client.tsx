import { type FormEvent, useRef, useState } from "react";
import { Form, useFetcher, useSearchParams } from "react-router";
import type { GoogleTool, ToolTab } from "~/content/google-tools";
import { type ReadFailure, useRead } from "~/http/read";
import { localMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { type ConnectionView, connectionAddress } from "../connection/connection-view";
import type { SentList } from "../mail/mail-results";
import { type FormValues, keepDraft, readDraft } from "../questions/saved-draft.client";
import { ToolCall, ToolQuestions } from "../questions/tool-question";
import { calendarViews } from "../results/calendar.client";
import { MergeView } from "../results/merge.client";
import { MorePages } from "../results/more-pages.client";
import { RespondView } from "../results/respond.client";
import { tasksViews } from "../results/tasks.client";
import { useToolCall } from "../results/use-tool-call.client";
import type { TabView, ToolViews, ViewProps } from "../results/view";
import type { DocumentPage } from "../tools/docs.server";
import type { OperationResult } from "../tools/operation";
import { ConnectionBox, useConnectionChange } from "./connection-box.client";
import { consentProblems } from "./permissions.client";
import { addressOf } from "./tool-address";

/** The messages that were sent last, newest first. */
function SentListView({ result }: ViewProps) {
  if (!result) return null;
  const { messages } = result as SentList;
  if (messages.length === 0) return <p>Nothing was sent yet.</p>;
  return (
    <ol aria-label="Sent messages" className="border-b border-line">
      {messages.map(({ id, at, to, subject, href }) => (
        <li key={id} className="border-t border-line py-3">
          <TextLink to={href} target="_blank" rel="noreferrer">
            {subject || "(no subject)"}
          </TextLink>
          <p className="break-words text-sm text-ink-soft">
            {`To ${to || "nobody"}, ${localMomentOf(new Date(at))}`}
          </p>
        </li>
      ))}
    </ol>
  );
}

function DocumentList({ result, ...view }: ViewProps) {
  if (!result) return null;
  return (
    <MorePages first={result as DocumentPage} {...view}>
      {(pages) => {
        const documents = pages.flatMap((page) => page.documents);
        return documents.length > 0 ? (
          <ul aria-label="Documents">
            {documents.map(({ id, title, modified, href }) => (
              <li key={id} className="border-t border-line py-2">
                <TextLink to={href} target="_blank" rel="noreferrer">
                  {title || "Untitled document"}
                </TextLink>
                {modified ? (
                  <span className="text-ink-soft"> (changed {modified.slice(0, 10)})</span>
                ) : null}
                <p className="font-mono text-sm break-all text-ink-soft">{id}</p>
              </li>
            ))}
          </ul>
        ) : (
          <p>There are no documents to show.</p>
        );
      }}
    </MorePages>
  );
}

/** The views of the tabs of Document Management. */
const docsViews: ToolViews = {
  list: { Result: DocumentList },
  search: { Result: DocumentList },
};

type OpenTab = { tool: GoogleTool; tab: ToolTab };

/** One tab of a tool that works with the person's own Google account. */
export default function ConnectedTool({ tool, tab }: OpenTab) {
  const [parameters] = useSearchParams();
  const { value, failure } = useRead(useFetcher<ConnectionView | ReadFailure>(), connectionAddress);
  const change = useConnectionChange();
  const [isOver, setOver] = useState(false);

  if (!value && failure) {
    const isSignedOut = failure.status === 401;
    return <Problem message={failure.error} isSignedOut={isSignedOut} open={{ tool, tab }} />;
  }
  if (!value) return <p role="status">Loading…</p>;
  // The connection was read before it ended: by "Disconnect", or by Google, which may refuse a token that our
  // cookie still holds. Reading it again afterwards may fail.
  if (change.isDisconnected && !isOver) setOver(true);
  const connection: ConnectionView = isOver ? { owner: value.owner } : value;
  const unconnected = consentProblems[parameters.get("problem") ?? ""];
  return (
    <div className="grid grid-cols-1 gap-5">
      {unconnected ? <Message kind="failure">{unconnected}</Message> : null}
      <ConnectionBox tool={tool} tab={tab} connection={connection} change={change} />
      <TabForm
        tool={tool}
        tab={tab}
        owner={connection.owner}
        email={connection.connected?.email ?? ""}
        isConnected={tool.scopes.every((scope) => connection.connected?.scopes.includes(scope))}
        onConsent={() => setOver(true)}
      />
    </div>
  );
}

function TabForm({
  tool,
  tab,
  owner,
  email,
  isConnected,
  onConsent,
}: OpenTab & { owner: string; email: string; isConnected: boolean; onConsent: () => void }) {
  const draftForm = `${tool.id} ${tab.id}`;
  const address = `/google-services/call/${tool.id}/${tab.id}`;
  const [draft] = useState(() => readDraft(owner, draftForm));
  const draftPlace = { owner, form: draftForm };
  const { outcome, isBusy: busy, call } = useToolCall(address, onConsent, draftPlace);
  const [calledWith, setCalledWith] = useState<FormValues>({});
  const form = useRef<HTMLFormElement>(null);
  const { Fields, Result, Whole } = viewOf(tool.id, tab.id);

  function callWith(more: FormValues) {
    const formValues = { ...formValuesOf(form.current), ...more };
    setCalledWith(formValues);
    call(formValues);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && isConnected) callWith({});
  }

  const view: ViewProps = {
    outcome,
    result: outcome?.result,
    calledWith,
    call: callWith,
    address,
    onConsent,
    busy,
    owner,
    email,
    isConnected,
    tab,
  };
  const wrong = outcome?.ok === false ? outcome.fields : undefined;
  const ending = outcome ? <Ending outcome={outcome} open={{ tool, tab }} /> : null;
  if (Whole) {
    return (
      <>
        <p className="text-ink-soft">{tab.words}</p>
        <Whole {...view} />
        {ending}
      </>
    );
  }
  return (
    <>
      <Form
        ref={form}
        method="post"
        action={address}
        // The server names what is wrong; a browser takes one bare address alone in an e-mail field.
        noValidate
        onSubmit={submit}
        onInput={(event) => keepDraft(owner, draftForm, formValuesOf(event.currentTarget))}
        className="grid grid-cols-1 gap-5"
      >
        <p className="text-ink-soft">{tab.words}</p>
        <ToolQuestions fields={tab.fields} draft={draft} wrong={wrong} />
        {Fields ? <Fields {...view} /> : null}
        <ToolCall tab={tab} />
        {ending}
        <Button type="submit" disabled={busy || !isConnected} className="w-full">
          {busy ? "Processing..." : tab.button}
        </Button>
      </Form>
      {Result && outcome ? <Result {...view} /> : null}
    </>
  );
}

function formValuesOf(form: HTMLFormElement | null): FormValues {
  const entries = form ? [...new FormData(form)] : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** How an operation ended, in a green or a red box. */
function Ending({ outcome, open }: { outcome: OperationResult; open: OpenTab }) {
  if (!outcome.ok) {
    const isSignedOut = outcome.status === 401 && !outcome.consent;
    return <Problem message={outcome.message} isSignedOut={isSignedOut} open={open} />;
  }
  return (
    <Message kind="success">
      <span>{outcome.message}</span>
      {outcome.link ? (
        <span>
          {" "}
          <TextLink to={outcome.link.href} target="_blank" rel="noreferrer">
            {outcome.link.words}
          </TextLink>
        </span>
      ) : null}
    </Message>
  );
}

function Problem({
  message,
  isSignedOut,
  open,
}: {
  message: string;
  isSignedOut: boolean;
  open: OpenTab;
}) {
  return (
    <Message kind="failure">
      <span>{`Error: ${message}`}</span>
      {isSignedOut ? (
        <span>
          {" "}
          <TextLink to={`/signin?${new URLSearchParams({ next: addressOf(open) })}`}>
            Sign in
          </TextLink>
        </span>
      ) : null}
    </Message>
  );
}

const gmailViews: ToolViews = {
  list: { Result: SentListView },
  respond: { Whole: RespondView },
  merge: { Whole: MergeView },
};

const views: Readonly<Record<string, ToolViews>> = {
  gmail: gmailViews,
  calendar: calendarViews,
  tasks: tasksViews,
  docs: docsViews,
};

/** The views of a tab; {} for a tab that has none. */
function viewOf(tool: string, tab: string): TabView {
  return views[tool]?.[tab] ?? {};
}
