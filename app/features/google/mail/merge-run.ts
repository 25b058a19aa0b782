import type { Outcome, Refusal } from "../tools/operation.ts";

/** Where one receiver stands. `sending` is what an interruption leaves behind: it went, or not. */
export type RowState =
  | { state: "sending"; at: number }
  | { state: "sent"; link?: string }
  | { state: "failed"; message: string };

/** What a browser keeps of a merge; a row without a state is still to do. */
export type MergeProgress = {
  /** Made when the merge began; with the row it names a message for good. */
  id: string;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  standings: Record<number, RowState>;
};

export type MergeSteps = {
  /** Writes the progress where it outlives the page. Throws when that fails. */
  keep(progress: MergeProgress): void;
  /** Sends the message of a row. */
  send(row: number): Promise<Outcome>;
  /** Looks whether the message of a row has left, by its id; not `sure` when that cannot be said. */
  find(row: number): Promise<FoundMessage>;
  now(): number;
  /** `why` is a sentence for the person, where a limit is waited for. */
  wait(milliseconds: number, signal: AbortSignal, why?: string): Promise<void>;
};

export type FoundMessage = { ok: true; sent: boolean; link?: string; sure: boolean } | Refusal;

export type MergeEnd =
  | { state: "done" }
  | { state: "stopped" }
  /** Whether the message of this row left, only the person can say: see `Told`. */
  | { state: "unsure"; row: number }
  /** Going on needs somebody: to connect again, or to sign in. */
  | { state: "interrupted"; outcome: Refusal };

/** What somebody found in their Sent folder of a row that is `sending`. */
export type Told = { row: number; left: boolean };

/** A request that takes longer than this is over on both sides, whatever became of it. */
const settledAfterMs = 30_000;
const longestPauseSeconds = 120;
/** Google being down is no reason to try for ever. */
const maxTries = 3;

const noAnswer = {
  ok: false,
  status: 503,
  message: "Google is not answering at the moment. Resume in a few minutes.",
} as const;

/**
 * Sends the messages of `rows`, one after the other. That a message is about to leave is kept before
 * it does; one whose answer never came is looked for at Gmail before anything else happens to it, and
 * only sent again when it surely did not leave.
 */
export async function runMerge(
  rows: readonly number[],
  progress: MergeProgress,
  steps: MergeSteps,
  signal: AbortSignal,
  told?: Told,
): Promise<MergeEnd> {
  const put = (row: number, rowState: RowState | undefined) => {
    if (rowState) progress.standings[row] = rowState;
    else delete progress.standings[row];
    steps.keep(progress);
  };
  try {
    if (told && progress.standings[told.row]?.state === "sending") {
      put(told.row, told.left ? { state: "sent" } : undefined);
    }
    for (const row of rows) {
      const end = await bringHome(row);
      if (end) return end;
    }
    return { state: "done" };
  } catch (error) {
    if (signal.aborted) return { state: "stopped" };
    throw error;
  }

  /** Brings one row to `sent` or `failed`; answers how the merge ends when that cannot be. */
  async function bringHome(row: number): Promise<MergeEnd | undefined> {
    let refusal: Refusal = noAnswer;
    for (let tries = 0; ; ) {
      signal.throwIfAborted();
      const rowState = progress.standings[row];
      if (rowState?.state === "sent" || rowState?.state === "failed") return;
      if (!rowState && tries++ === maxTries) return { state: "interrupted", outcome: refusal };
      const outcome = rowState ? await lookFor(row, rowState.at) : await sendOnce(row);
      if (outcome === "unsure") return { state: "unsure", row };
      refusal = outcome ?? noAnswer;
      if (!outcome) continue;
      if (outcome.status !== 429) return { state: "interrupted", outcome };
      const seconds = outcome.retryAfter ?? 30;
      if (seconds > longestPauseSeconds) return { state: "interrupted", outcome };
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
    // Without a clear answer it stays `sending`: the next round looks for it.
    if (outcome.status >= 500) return;
    const isItsOwnFault = outcome.status === 400 || outcome.status === 413;
    put(row, isItsOwnFault ? { state: "failed", message: outcome.message } : undefined);
    return isItsOwnFault ? undefined : outcome;
  }

  async function lookFor(row: number, sentAt: number) {
    // What is still on its way could arrive after we looked.
    await steps.wait(Math.max(0, sentAt + settledAfterMs - steps.now()), signal);
    const found = await steps.find(row);
    if (!found.ok) return found;
    if (found.sent) put(row, { state: "sent", ...(found.link && { link: found.link }) });
    else if (found.sure) put(row, undefined);
    else return "unsure";
    return;
  }
}
