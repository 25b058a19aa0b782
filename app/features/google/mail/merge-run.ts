import type { OperationResult, Refusal } from "../tools/operation.ts";

/** The state of one row. `sending` after an interruption means that its message may or may not have left. */
export type RowState =
  | { state: "sending"; at: number }
  | { state: "sent"; link?: string }
  | { state: "failed"; message: string };

/** The progress of a merge, as the browser keeps it. A row without a state has not been sent. */
export type MergeProgress = {
  /** Made when the merge began; with the row it names a message for good. */
  id: string;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  rowStates: Record<number, RowState>;
};

export type MergeSteps = {
  /** Stores the progress so that it survives the page. Throws when that fails. */
  keep(progress: MergeProgress): void;
  /** Sends the message of a row. */
  send(row: number): Promise<OperationResult>;
  /** Searches Gmail for the message of a row by its id. */
  find(row: number): Promise<FoundMessage>;
  now(): number;
  /** `why` is a sentence for the person, if the wait is for a limit of Google's. */
  wait(milliseconds: number, signal: AbortSignal, why?: string): Promise<void>;
};

export type FoundMessage = { ok: true; sent: boolean; link?: string; sure: boolean } | Refusal;

export type MergeEnd =
  | { state: "done" }
  | { state: "stopped" }
  /** Only the person can find out whether the message of this row left; they answer with `SentAnswer`. */
  | { state: "unsure"; row: number }
  /** The person must do something first, such as connect again or sign in. */
  | { state: "interrupted"; outcome: Refusal };

/** The person's answer about a row that is `sending`: whether its message is in their Sent folder. */
export type SentAnswer = { row: number; left: boolean };

/** After this time a request has ended at Google and in the browser, even if no answer came. */
const settledAfterMs = 30_000;
const maxPauseSeconds = 120;
/** For each row; after that the merge is interrupted. */
const maxTries = 3;

const noAnswer = {
  ok: false,
  status: 503,
  message: "Google is not answering at the moment. Resume in a few minutes.",
} as const;

/**
 * Sends the messages of `rows`, one after the other. Each row is stored as `sending` before its message leaves.
 * If no answer came, the message is searched for at Gmail, and sent again only if it surely did not leave.
 */
export async function runMerge(
  rows: readonly number[],
  progress: MergeProgress,
  steps: MergeSteps,
  signal: AbortSignal,
  sentAnswer?: SentAnswer,
): Promise<MergeEnd> {
  const put = (row: number, rowState: RowState | undefined) => {
    if (rowState) progress.rowStates[row] = rowState;
    else delete progress.rowStates[row];
    steps.keep(progress);
  };
  try {
    if (sentAnswer && progress.rowStates[sentAnswer.row]?.state === "sending") {
      put(sentAnswer.row, sentAnswer.left ? { state: "sent" } : undefined);
    }
    for (const row of rows) {
      const end = await finishRow(row);
      if (end) return end;
    }
    return { state: "done" };
  } catch (error) {
    if (signal.aborted) return { state: "stopped" };
    throw error;
  }

  /** Tries until the row is `sent` or `failed`. Otherwise it answers how the merge ends. */
  async function finishRow(row: number): Promise<MergeEnd | undefined> {
    let refusal: Refusal = noAnswer;
    for (let tries = 0; ; ) {
      signal.throwIfAborted();
      const rowState = progress.rowStates[row];
      if (rowState?.state === "sent" || rowState?.state === "failed") return;
      if (!rowState && tries++ === maxTries) return { state: "interrupted", outcome: refusal };
      const outcome = rowState ? await findSent(row, rowState.at) : await sendOnce(row);
      if (outcome === "unsure") return { state: "unsure", row };
      refusal = outcome ?? noAnswer;
      if (!outcome) continue;
      if (outcome.status !== 429) return { state: "interrupted", outcome };
      const seconds = outcome.retryAfter ?? 30;
      if (seconds > maxPauseSeconds) return { state: "interrupted", outcome };
      await steps.wait(seconds * 1_000, signal, outcome.message);
    }
  }

  async function sendOnce(row: number) {
    put(row, { state: "sending", at: steps.now() });
    const outcome = await steps.send(row);
    if (outcome.ok) {
      put(row, { state: "sent", ...(outcome.link && { link: outcome.link.href }) });
      return;
    }
    // Without a clear answer the row stays `sending`: the next round searches for the message.
    if (outcome.status >= 500) return;
    const isFaultOfRow = outcome.status === 400 || outcome.status === 413;
    put(row, isFaultOfRow ? { state: "failed", message: outcome.message } : undefined);
    return isFaultOfRow ? undefined : outcome;
  }

  async function findSent(row: number, sentAt: number) {
    // Before that the message could still leave after the search.
    await steps.wait(Math.max(0, sentAt + settledAfterMs - steps.now()), signal);
    const found = await steps.find(row);
    if (!found.ok) return found;
    if (found.sent) put(row, { state: "sent", ...(found.link && { link: found.link }) });
    else if (found.sure) put(row, undefined);
    else return "unsure";
    return;
  }
}
