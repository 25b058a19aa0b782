import * as z from "zod/mini";
import type { Session } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/own-workspaces.server";
import { describeError, log } from "~/platform/log/log.server";

const fields = z.nullable(z.union([z.record(z.string(), z.json()), z.string()]));
const rows = z.array(
  z.object({
    id: z.number(),
    at: z.string(),
    actor: z.nullable(z.string()),
    actor_address: z.string(),
    action: z.string(),
    target: z.string(),
    network: z.string(),
    before: fields,
    after: fields,
  }),
);
const columns = "id, at, actor, actor_address, action, target, network, before, after";

export type AuditRow = z.infer<typeof rows>[number];
export type AuditPage = { rows: AuditRow[]; hasOlder: boolean };

/** The line that an address names: the page shows what is older. Undefined for the newest. */
export function lineBefore({ url }: Request): number | undefined {
  const named = new URL(url).searchParams.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(named) ? Number(named) : undefined;
}

/** So many lines of a workspace's log, newest first; of those that may not read it none. Undefined where it fails. */
export async function readAuditLog(
  { supabase }: Session,
  { id }: Pick<Workspace, "id">,
  { before, size }: { before: number | undefined; size: number },
): Promise<AuditPage | undefined> {
  let query = supabase
    .from("audit_log")
    .select(columns)
    .eq("workspace_id", id)
    .order("id", { ascending: false })
    .limit(size);
  if (before !== undefined) query = query.lt("id", before);
  const { data, error } = await query;
  if (!error) return { rows: rows.parse(data), hasOlder: data.length === size };
  log.error("The audit log was not read", describeError(error));
}
