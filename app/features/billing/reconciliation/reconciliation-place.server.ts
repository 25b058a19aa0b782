import * as z from "zod/mini";
import type { ServiceClient } from "~/platform/database/service-client.server";

/** Where a pass over Stripe's lists stands, and what it has done so far. Times are milliseconds. */
export type Place = z.infer<typeof place>;

const count = z.number();
const place = z.object({
  /** Before this moment there is nothing to do: the former pass ended a while ago. */
  notBefore: z.number(),
  list: z.enum(["subscriptions", "customers"]),
  /** The last entry that was compared; none at the start of a list. */
  compared: z.nullable(
    z.object({
      id: z.string(),
      createdAt: z.number(),
      /** What was created in the same second and was compared: a page may end within a second. */
      tied: z.array(z.string()),
    }),
  ),
  /** Customers of the next page whose ids come before this one need no more in this pass. */
  from: z.string(),
  /** Others of them that need no more: a few, so that the place stays small whatever a page finds. */
  settled: z.array(z.string()),
  /** How many runs in a row failed here. */
  failures: z.number(),
  counts: z.object({ compared: count, mended: count, gone: count, failed: count }),
});

/** The start of a pass that waits until `notBefore`. */
export function startOfPass(notBefore: number): Place {
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
 * The place that the last run kept. It is in the database, not in KV, because two runs must not both
 * go on from it: `version` says which place was read. Throws when the database does not answer.
 */
export async function readPlace(
  database: ServiceClient,
): Promise<{ version: number; place: Place }> {
  const { data } = await database
    .from("reconciliation")
    .select("version, place")
    .maybeSingle()
    .throwOnError();
  // A place that another version of the code wrote may not be readable: a pass may always begin anew.
  const read = place.safeParse(data?.place);
  return { version: data?.version ?? 0, place: read.success ? read.data : startOfPass(0) };
}

/** Keeps a place. False when another run was here since version `seen` was read. */
export async function keepPlace(
  database: ServiceClient,
  seen: number,
  next: Place,
): Promise<boolean> {
  const { data } = await database
    .rpc("save_reconciliation_place", { seen, next_place: next })
    .throwOnError();
  return data ?? false;
}
