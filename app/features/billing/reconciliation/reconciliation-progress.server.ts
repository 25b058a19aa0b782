import * as z from "zod/mini";
import type { ServiceClient } from "~/platform/database/service-client.server";

/** The progress of a pass over Stripe's lists, and what the pass has counted. Times are in milliseconds. */
export type PassProgress = z.infer<typeof place>;

const count = z.number();
const place = z.object({
  /** The pass does not begin before this time, because the previous one has just ended. */
  notBefore: z.number(),
  list: z.enum(["subscriptions", "customers"]),
  /** The last entry that was compared; null at the start of a list. */
  compared: z.nullable(
    z.object({
      id: z.string(),
      createdAt: z.number(),
      /** The ids that were compared and created in the same second: a page may end within a second. */
      tied: z.array(z.string()),
    }),
  ),
  /** Customers on the next page whose ids sort before this one are done in this pass. */
  from: z.string(),
  /** A few more customers of that page that are done. The list is short, so that this row stays small. */
  settled: z.array(z.string()),
  /** How many runs in a row failed at this position. */
  failures: z.number(),
  counts: z.object({ compared: count, mended: count, gone: count, failed: count }),
});

/** The progress at the start of a pass that begins at `notBefore` at the earliest. */
export function startOfPass(notBefore: number): PassProgress {
  return {
    notBefore,
    list: "subscriptions",
    compared: null,
    from: "",
    settled: [],
    failures: 0,
    counts: { compared: 0, mended: 0, gone: 0, failed: 0 },
  };
}

/**
 * Reads the progress that the last run saved. It is in the database and not in KV, because of two runs at once
 * only one may save: `version` is compared when the progress is saved. Throws when the database does not answer.
 */
export async function readProgress(
  database: ServiceClient,
): Promise<{ version: number; place: PassProgress }> {
  const { data } = await database
    .from("reconciliation")
    .select("version, place")
    .maybeSingle()
    .throwOnError();
  // Another version of this code may have written another form. Then a new pass begins, which does no harm.
  const read = place.safeParse(data?.place);
  return { version: data?.version ?? 0, place: read.success ? read.data : startOfPass(0) };
}

/** Saves the progress. False when another run has saved since version `seen` was read. */
export async function saveProgress(
  database: ServiceClient,
  seen: number,
  next: PassProgress,
): Promise<boolean> {
  const { data } = await database
    .rpc("save_reconciliation_place", { seen, next_place: next })
    .throwOnError();
  return data ?? false;
}
