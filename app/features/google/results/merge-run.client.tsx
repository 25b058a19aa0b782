import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { pause } from "~/http/pause";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { type MergeMessage, mergeMessages } from "../mail/mail-merge";
import type { FoundMerged } from "../mail/mail-results";
import {
  type FoundMessage,
  type MergeEnd,
  type MergeProgress,
  runMerge,
  type SentAnswer,
} from "../mail/merge-run";
import { readTable } from "../mail/merge-table";
import type { FormValues } from "../questions/saved-draft.client";
import { MergeRows } from "./merge-rows.client";
import { requestOperation } from "./request-operation.client";
import { aloneWithMerge, keepProgress, readMerge, type SavedMerge } from "./saved-merge.client";
import type { ViewProps } from "./view";

type Sendable = Extract<MergeMessage, { ok: true }>;

const replaced = "Another window ended this mail merge. Close this and open it again.";

/** A started merge: its progress, buttons to stop and resume, and the result of every message. */
export function MergeRun({
  address,
  onConsent,
  owner,
  isConnected,
  merge,
  begins,
  onClear,
}: ViewProps & { merge: SavedMerge; begins: boolean; onClear: () => Promise<string | undefined> }) {
  const [progress, setProgress] = useState(merge.progress);
  const [running, setRunning] = useState(false);
  const [end, setEnd] = useState<MergeEnd>();
  const [problem, setProblem] = useState("");
  const [limit, setLimit] = useState<string>();
  const [messages] = useState(() => messagesOf(merge));
  const stopping = useRef<AbortController>(undefined);
  const actions = useRef<HTMLDivElement>(null);
  const counted = useId();
  const sent = messages.filter(({ row }) => progress.rowStates[row]?.state === "sent").length;
  const failed = messages.filter(({ row }) => progress.rowStates[row]?.state === "failed").length;
  const done = sent + failed;
  const isDone = done === messages.length;

  // It does not use a fetcher, because a merge is a loop of up to 500 requests, each of which needs the answer to
  // the one before. A fetcher gives its answer to the next render, and is aborted by a newer submission.
  async function request(formValues: FormValues) {
    const outcome = await requestOperation({ address, formValues });
    if (!outcome.ok && outcome.consent) onConsent();
    return outcome;
  }
  async function resume(sentAnswer?: SentAnswer) {
    const stop = new AbortController();
    stopping.current = stop;
    setRunning(true);
    setEnd(undefined);
    setProblem("");
    try {
      const refusal = await aloneWithMerge(owner, async () => {
        const current = readMerge(owner);
        if (current?.progress.id !== progress.id) return replaced;
        setEnd(
          await runMerge(
            rowsOf(messages),
            current.progress,
            steps(current),
            stop.signal,
            sentAnswer,
          ),
        );
        return undefined;
      });
      setProblem(refusal ?? "");
    } catch {
      setProblem("This browser could not keep how far the mail merge is, so it was stopped.");
    }
    setRunning(false);
  }
  function steps({ email, progress: { id, startedAt } }: SavedMerge) {
    const since = String(startedAt);
    const mark = (row: number) => ({ id, row: String(row), since, from: email });
    return {
      keep(nextProgress: MergeProgress) {
        keepProgress(owner, nextProgress);
        setProgress({ ...nextProgress, rowStates: { ...nextProgress.rowStates } });
      },
      send(row: number) {
        const {
          to = "",
          subject = "",
          body = "",
        } = messages.find((each) => each.row === row) ?? {};
        return request({ ...mark(row), to, subject, body });
      },
      async find(row: number): Promise<FoundMessage> {
        const outcome = await request({ ...mark(row), step: "find" });
        return outcome.ok ? { ok: true, ...(outcome.result as FoundMerged) } : outcome;
      },
      now: Date.now,
      async wait(milliseconds: number, signal: AbortSignal, why?: string) {
        // Google's limit on how often, or ours, is over after this time.
        setLimit(why);
        await pause(milliseconds, signal).finally(() => setLimit(undefined));
      },
    };
  }
  const begin = useEffectEvent(() => {
    if (begins) void resume();
  });
  useEffect(() => {
    begin();
    return () => stopping.current?.abort();
  }, []);

  // The pressed button is replaced by another one, which gets the focus that would otherwise be lost.
  useEffect(() => {
    const wasPressed = running || stopping.current !== undefined;
    if (wasPressed && document.activeElement === document.body) {
      actions.current?.querySelector<HTMLElement>("button:enabled")?.focus();
    }
  }, [running]);

  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid gap-2">
        {/* Spoken at every tenth message and at the ends. */}
        <p id={counted} role="status" aria-live={running && done % 10 > 0 ? "off" : "polite"}>
          {`${sent} of ${messages.length} sent${failed > 0 ? `, ${failed} failed` : ""}`}
        </p>
        <progress
          aria-labelledby={counted}
          max={messages.length}
          value={done}
          className="h-2 w-full"
        />
      </div>
      {end?.state === "interrupted" ? (
        <Message kind="failure">{`Error: ${end.outcome.message}`}</Message>
      ) : null}
      {end?.state === "unsure" ? (
        <Message kind="failure">
          {`Whether the message of row ${end.row} left could not be found out. Look into your Sent folder.`}
        </Message>
      ) : null}
      {limit ? <Message kind="warning">{`Waiting: ${limit}`}</Message> : null}
      {problem ? <Message kind="failure">{problem}</Message> : null}
      {isDone && failed === 0 ? (
        <Message kind="success">Operation completed successfully!</Message>
      ) : null}
      {isDone && failed > 0 ? (
        <Message kind={sent === 0 ? "failure" : "warning"}>
          {`${failed === 1 ? "1 message was" : `${failed} messages were`} not sent. The table says why.`}
        </Message>
      ) : null}
      <div ref={actions} className="flex flex-wrap gap-3">
        {running ? (
          <Button variant="secondary" onClick={() => stopping.current?.abort()}>
            Stop
          </Button>
        ) : null}
        {!running && !isDone ? (
          <Button disabled={!isConnected} onClick={() => void resume()}>
            Resume
          </Button>
        ) : null}
        {end?.state === "unsure" ? (
          <>
            <Button variant="secondary" onClick={() => void resume({ row: end.row, left: true })}>
              It left
            </Button>
            <Button variant="secondary" onClick={() => void resume({ row: end.row, left: false })}>
              It did not: send it
            </Button>
          </>
        ) : null}
        {running ? null : (
          <Button variant="secondary" onClick={async () => setProblem((await onClear()) ?? "")}>
            {isDone ? "Start another" : "Give up the rest"}
          </Button>
        )}
      </div>
      {isDone ? null : (
        <p className="text-sm text-ink-soft">
          Keep this window open. Stopped or interrupted, the mail merge goes on where it was:
          whatever may have left is looked for in Gmail first, which can take half a minute. Table
          and progress stay in this browser until you end the merge here.
        </p>
      )}
      <MergeRows messages={messages} progress={progress} />
    </div>
  );
}

const rowsOf = (messages: readonly Sendable[]) => messages.map(({ row }) => row);

function messagesOf({ template, table: text }: SavedMerge): Sendable[] {
  const table = readTable(text);
  const messages = "problem" in table ? [] : mergeMessages(template, table);
  return messages.filter((message) => message.ok);
}
