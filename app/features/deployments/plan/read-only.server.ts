import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import type { Deployment } from "../stored-deployment";
import type { Entitlement } from "./plan-limits";
import { type EntitlementWithOffer, type PlanLink, planLinkFor } from "./plan-link";
import { readOnlyUnder } from "./smaller-plan";

/** A database client with the visitor's own session: row-level security hides other people's rows. */
type Reader = SupabaseClient<Database>;

/** The deployments that cannot be changed under a plan, and the one that can. */
export type ReadOnly = { ids: ReadonlySet<string>; changeable: string | undefined };

const nothing: ReadOnly = { ids: new Set(), changeable: undefined };

/**
 * Which deployments of a workspace its plan does not let change. Without an entitled subscription none is
 * named: nothing can be changed then, and that is said otherwise. Undefined when the database does not answer.
 */
export async function readOnlyIn(
  workspace: string,
  supabase: Reader,
  entitlement: Entitlement,
): Promise<ReadOnly | undefined> {
  if (entitlement.kind !== "entitled" || entitlement.plan === "Pro") return nothing;
  const { data, error } = await supabase
    .from("deployments")
    .select("id, name, created_at")
    .eq("workspace_id", workspace)
    .is("deleted_at", null);
  if (error) {
    log.error("Deployments could not be read", describeError(error));
    return;
  }
  const all = data.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at }));
  const ids = new Set(readOnlyUnder(entitlement.plan, all).map(({ id }) => id));
  return { ids, changeable: all.find(({ id }) => !ids.has(id))?.name };
}

/** Why this deployment cannot be changed, in words for its page; undefined where it can. */
export function readOnlyWords({ ids, changeable }: ReadOnly, id: string): string | undefined {
  if (!ids.has(id)) return;
  return `Read-only: Basic changes one deployment, the one that you made first, and that is ${changeable}. You can open, download and delete this one. With Pro you can change it again.`;
}

/** The same with the way to a plan that lets it change, for a page of this deployment. `base` is the console's. */
export async function readOnlyNotice(
  supabase: Reader,
  entitlement: EntitlementWithOffer | undefined,
  { id, workspaceId }: Pick<Deployment, "id" | "workspaceId">,
  base: string,
): Promise<{ words: string; planLink: PlanLink } | undefined> {
  const readOnly = entitlement && (await readOnlyIn(workspaceId, supabase, entitlement));
  // Where neither can be read the page says nothing of it, and a save is still refused.
  const words = readOnly && readOnlyWords(readOnly, id);
  return words
    ? { words, planLink: planLinkFor(entitlement, `${base}/deployments/${id}`) }
    : undefined;
}
