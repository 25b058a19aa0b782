import type { Session } from "~/features/auth/session/session.server";
import type { DowngradeLosses } from "~/features/billing/plan-change/downgrade-losses";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { lossesOfDowngrade } from "../plan/smaller-plan";
import type { Deployment } from "../stored-deployment";
import { listDeployments } from "./deployments.server";

/** More pages than the largest plan fills. */
const maxPages = 5;

/** What changing to Basic means for all deployments of a workspace; undefined when they cannot be read. */
export async function lossesIn(
  workspace: Workspace | null,
  supabase: Session["supabase"],
): Promise<DowngradeLosses | undefined> {
  const all: Deployment[] = [];
  let after: string | undefined;
  for (let page = 1; page <= maxPages; page++) {
    const found = await listDeployments(supabase, workspace, after);
    if (!found) return;
    all.push(...found.deployments);
    after = found.next;
    if (!after) break;
  }
  return lossesOfDowngrade(all, "Basic");
}
