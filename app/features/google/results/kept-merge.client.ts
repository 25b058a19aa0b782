import * as z from "zod/mini";
import type { MergeTemplate } from "../mail/mail-merge";
import { restOfMerge } from "../mail/merge-rest";
import type { MergeProgress } from "../mail/merge-run";
import { forgetDraft, keepDraft } from "../questions/kept-draft.client";

/** A merge that was started. It stays in the browser until it is cleared: the server keeps none. */
export type KeptMerge = {
  template: MergeTemplate;
  table: string;
  /** The Google account that sends: no other can tell what has left. */
  email: string;
  progress: MergeProgress;
};

const rowState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("sending"), at: z.number() }),
  z.object({ state: z.literal("sent"), link: z.optional(z.string()) }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);
const shape = z.object({
  template: z.object({ to: z.string(), subject: z.string(), body: z.string() }),
  table: z.string(),
  email: z.string(),
  progress: z.object({
    id: z.string(),
    startedAt: z.number(),
    standings: z.record(z.string(), rowState),
  }),
});

/** Where the form of the tab keeps what is typed until a merge of it begins. */
export const mergeDraft = "gmail merge";

const keyOf = (owner: string) => `mail-merge ${owner}`;

const runsElsewhere = "This mail merge is running in another window of this browser.";
const startedElsewhere =
  "Another window of this browser has begun a mail merge. Reload this page to see it.";

/**
 * Does something with the merge of this person while no other window of the browser can: two that send
 * at once would both find a message unsent. Answers a sentence where that is not possible.
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
export function readMerge(owner: string): KeptMerge | undefined {
  try {
    return shape.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ""));
  } catch {
    return undefined;
  }
}

function keep(owner: string, merge: KeptMerge): void {
  localStorage.setItem(keyOf(owner), JSON.stringify(merge));
}

/**
 * Keeps a merge that begins, and the form's draft no longer: it would be sent a second time. Answers a
 * sentence when there is one already. Throws where the browser keeps nothing: then nothing may be sent.
 */
export function startMerge(owner: string, merge: KeptMerge): Promise<string | undefined> {
  return aloneWithMerge(owner, () => {
    if (readMerge(owner)) return startedElsewhere;
    keep(owner, merge);
    forgetDraft(owner, mergeDraft);
    return undefined;
  });
}

/** Throws as well, and where the merge is no longer the one that is kept. */
export function keepProgress(owner: string, progress: MergeProgress): void {
  const kept = readMerge(owner);
  if (kept?.progress.id !== progress.id) throw new Error("Another mail merge is kept");
  keep(owner, { ...kept, progress });
}

/**
 * Ends the merge of this id, and no other; answers a sentence while it runs elsewhere. What it did not
 * send becomes the form's draft, without whoever has the message or may have it.
 */
export function clearMerge(owner: string, id: string): Promise<string | undefined> {
  return aloneWithMerge(owner, () => {
    const kept = readMerge(owner);
    if (kept?.progress.id !== id) return undefined;
    const rest = restOfMerge(kept.template, kept.table, kept.progress);
    if (rest) {
      const unsure = rest.unsure.join(", ");
      keepDraft(owner, mergeDraft, { ...kept.template, table: rest.table, unsure });
    }
    localStorage.removeItem(keyOf(owner));
    return undefined;
  });
}
