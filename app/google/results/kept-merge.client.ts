import * as z from "zod/mini";
import type { MergeTemplate } from "../mail/mail-merge";
import type { MergeProgress } from "../mail/merge-run";

/** A merge that was started. It stays in the browser until it is cleared: the server keeps none. */
export type KeptMerge = { template: MergeTemplate; table: string; progress: MergeProgress };

const standing = z.discriminatedUnion("state", [
  z.object({ state: z.literal("sending"), at: z.number() }),
  z.object({ state: z.literal("sent"), link: z.optional(z.string()) }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);
const plan = z.object({
  template: z.object({ to: z.string(), subject: z.string(), body: z.string() }),
  table: z.string(),
});
const progress = z.object({
  id: z.string(),
  startedAt: z.number(),
  standings: z.record(z.string(), standing),
});

const planKey = (owner: string) => `mail-merge ${owner}`;
const progressKey = (owner: string) => `mail-merge-progress ${owner}`;

/** The started merge of this person in this browser. */
export function readMerge(owner: string): KeptMerge | undefined {
  try {
    return {
      ...plan.parse(JSON.parse(localStorage.getItem(planKey(owner)) ?? "")),
      progress: progress.parse(JSON.parse(localStorage.getItem(progressKey(owner)) ?? "")),
    };
  } catch {
    return undefined;
  }
}

/** Throws where the browser keeps nothing: then nothing may be sent either. */
export function keepMerge(owner: string, { template, table, progress }: KeptMerge): void {
  keepProgress(owner, progress);
  localStorage.setItem(planKey(owner), JSON.stringify({ template, table }));
}

/** Throws as well. */
export function keepProgress(owner: string, progress: MergeProgress): void {
  localStorage.setItem(progressKey(owner), JSON.stringify(progress));
}

export function clearMerge(owner: string): void {
  localStorage.removeItem(planKey(owner));
  localStorage.removeItem(progressKey(owner));
}
