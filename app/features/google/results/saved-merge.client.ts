import * as z from "zod/mini";
import type { MergeTemplate } from "../mail/mail-merge";
import { restOfMerge } from "../mail/merge-rest";
import type { MergeProgress } from "../mail/merge-run";
import { forgetDraft, keepDraft } from "../questions/saved-draft.client";

/** A started merge. The browser keeps it until it is cleared; the server keeps nothing of it. */
export type SavedMerge = {
  template: MergeTemplate;
  table: string;
  /** The Google account that sends. Only its mailbox shows which messages left. */
  email: string;
  progress: MergeProgress;
};

const rowState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("sending"), at: z.number() }),
  z.object({ state: z.literal("sent"), link: z.optional(z.string()) }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);
/** `standings` is the name of `rowStates` in the kept JSON: a merge that a browser already keeps must stay readable. */
const storedMerge = z.object({
  template: z.object({ to: z.string(), subject: z.string(), body: z.string() }),
  table: z.string(),
  email: z.string(),
  progress: z.pipe(
    z.object({
      id: z.string(),
      startedAt: z.number(),
      standings: z.record(z.string(), rowState),
    }),
    z.transform(({ standings, ...rest }) => ({ ...rest, rowStates: standings })),
  ),
});

/** The name under which the draft of the tab's form is kept until its merge begins. */
export const mergeDraft = "gmail merge";

const keyOf = (owner: string) => `mail-merge ${owner}`;

const runsElsewhere = "This mail merge is running in another window of this browser.";
const startedElsewhere =
  "Another window of this browser has begun a mail merge. Reload this page to see it.";

/**
 * Runs `work` while no other window of the browser uses this customer's merge: two windows that send at once
 * would each send a message once. Answers a sentence for the person if another window uses it.
 */
export function aloneWithMerge(
  owner: string,
  work: () => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  return navigator.locks.request(keyOf(owner), { ifAvailable: true }, (lock) =>
    lock ? work() : runsElsewhere,
  );
}

/** The started merge of this person in this browser. */
export function readMerge(owner: string): SavedMerge | undefined {
  try {
    return storedMerge.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ""));
  } catch {
    return undefined;
  }
}

function keep(owner: string, merge: SavedMerge): void {
  const { rowStates: standings, ...progress } = merge.progress;
  localStorage.setItem(
    keyOf(owner),
    JSON.stringify({ ...merge, progress: { ...progress, standings } }),
  );
}

/**
 * Keeps a merge that begins, and forgets the form's draft, which could otherwise be sent a second time. Answers a
 * sentence if a merge is kept already. Throws if the browser stores nothing: then nothing may be sent.
 */
export function startMerge(owner: string, merge: SavedMerge): Promise<string | undefined> {
  return aloneWithMerge(owner, () => {
    if (readMerge(owner)) return startedElsewhere;
    keep(owner, merge);
    forgetDraft(owner, mergeDraft);
    return undefined;
  });
}

/** Throws if the browser stores nothing, and if another merge than this one is kept. */
export function keepProgress(owner: string, progress: MergeProgress): void {
  const stored = readMerge(owner);
  if (stored?.progress.id !== progress.id) throw new Error("Another mail merge is kept");
  keep(owner, { ...stored, progress });
}

/**
 * Ends the merge of this id, and no other. Answers a sentence if it runs in another window. The rows that were
 * not sent become the form's draft, without receivers who have the message or may have it.
 */
export function clearMerge(owner: string, id: string): Promise<string | undefined> {
  return aloneWithMerge(owner, () => {
    const stored = readMerge(owner);
    if (stored?.progress.id !== id) return undefined;
    const rest = restOfMerge(stored.template, stored.table, stored.progress);
    if (rest) {
      const unsure = rest.unsure.join(", ");
      keepDraft(owner, mergeDraft, { ...stored.template, table: rest.table, unsure });
    }
    localStorage.removeItem(keyOf(owner));
    return undefined;
  });
}
