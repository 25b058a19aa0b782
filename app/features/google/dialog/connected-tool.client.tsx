import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { GoogleTool, ToolTab } from "~/content/google-tools";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { ConnectionView } from "../connection/connection-view";
import { forgetDraft, keepDraft, readDraft } from "../questions/kept-draft.client";
import { ToolCall, ToolQuestions } from "../questions/tool-question";
import type { ViewProps } from "../results/view";
import { viewOf } from "../results/views.client";
import type { Outcome } from "../tools/operation";
import { ConnectionBox } from "./connection-box.client";
import { consentProblems } from "./permissions.client";
import { addressOf } from "./tool-address";
import { callTool, isSignedOut, readConnection } from "./tool-requests.client";

type OpenTab = { tool: GoogleTool; tab: ToolTab };

/** One tab of a tool that works with the person's own Google account. */
export default function ConnectedTool({ tool, tab }: OpenTab) {
  const [parameters] = useSearchParams();
  const [connection, setConnection] = useState<ConnectionView>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const leaving = new AbortController();
    readConnection(leaving.signal).then(
      (read) => (read.ok ? setConnection(read.view) : setProblem(read.message)),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  if (problem !== "") return <Problem message={problem} open={{ tool, tab }} />;
  if (!connection) return <p role="status">Loading…</p>;
  const unconnected = consentProblems[parameters.get("problem") ?? ""];
  return (
    <div className="grid grid-cols-1 gap-5">
      {unconnected ? <Message kind="failure">{unconnected}</Message> : null}
      <ConnectionBox tool={tool} tab={tab} connection={connection} onChange={setConnection} />
      <TabForm
        tool={tool}
        tab={tab}
        owner={connection.owner}
        email={connection.connected?.email ?? ""}
        isConnected={tool.scopes.every((scope) => connection.connected?.scopes.includes(scope))}
        onConsent={() => setConnection({ owner: connection.owner })}
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
  const place = `${tool.id} ${tab.id}`;
  const [draft] = useState(() => readDraft(owner, place));
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [{ asked, result }, setAnswered] = useState<Pick<ViewProps, "asked" | "result">>(unasked);
  const form = useRef<HTMLFormElement>(null);
  const { Fields, Result, Whole } = viewOf(tool.id, tab.id);

  async function ask(fields: Readonly<Record<string, string>>) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const body = new URLSearchParams({ timeZone, ...typedIn(form.current), ...fields });
    const answer = await callTool({ tool: tool.id, tab: tab.id }, body);
    if (!answer.ok && answer.consent) onConsent();
    return answer;
  }
  async function run(fields: Readonly<Record<string, string>>) {
    setBusy(true);
    setOutcome(undefined);
    const asked = { ...typedIn(form.current), ...fields };
    const answer = await ask(asked);
    setBusy(false);
    setOutcome(answer);
    setAnswered({ asked, result: answer.result });
    if (answer.ok) forgetDraft(owner, place);
    return answer;
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && isConnected) void run({});
  }

  const view: ViewProps = { result, asked, run, ask, busy, owner, email, isConnected, tab };
  const wrong = outcome?.ok === false ? outcome.fields : undefined;
  const said = outcome ? <Said outcome={outcome} open={{ tool, tab }} /> : null;
  if (Whole) {
    return (
      <>
        <p className="text-ink-soft">{tab.words}</p>
        <Whole {...view} />
        {said}
      </>
    );
  }
  return (
    <>
      <form
        ref={form}
        // The server names what is wrong; a browser takes one bare address alone in an e-mail field.
        noValidate
        onSubmit={submit}
        onInput={(event) => keepDraft(owner, place, typedIn(event.currentTarget))}
        className="grid grid-cols-1 gap-5"
      >
        <p className="text-ink-soft">{tab.words}</p>
        <ToolQuestions fields={tab.fields} kept={draft} wrong={wrong} />
        {Fields ? <Fields {...view} /> : null}
        <ToolCall tab={tab} />
        {said}
        <Button type="submit" disabled={busy || !isConnected} className="w-full">
          {busy ? "Processing..." : tab.button}
        </Button>
      </form>
      {Result && outcome ? <Result {...view} /> : null}
    </>
  );
}

const unasked = { asked: {}, result: undefined };

function typedIn(form: HTMLFormElement | null): Record<string, string> {
  const entries = form ? [...new FormData(form)] : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** How an operation ended, in a green or a red box. */
function Said({ outcome, open }: { outcome: Outcome; open: OpenTab }) {
  if (!outcome.ok) return <Problem message={outcome.message} open={open} />;
  return (
    <Message kind="success">
      {outcome.message}
      {outcome.link ? (
        <>
          {" "}
          <a
            href={outcome.link.href}
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-4"
          >
            {outcome.link.words}
          </a>
        </>
      ) : null}
    </Message>
  );
}

function Problem({ message, open }: { message: string; open: OpenTab }) {
  return (
    <Message kind="failure">
      {`Error: ${message}`}
      {isSignedOut(message) ? (
        <>
          {" "}
          <Link
            to={`/signin?${new URLSearchParams({ next: addressOf(open) })}`}
            className="underline underline-offset-4"
          >
            Sign in
          </Link>
        </>
      ) : null}
    </Message>
  );
}
