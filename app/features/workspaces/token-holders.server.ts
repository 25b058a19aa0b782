import * as z from "zod/mini";
import type { Session } from "~/features/auth/session/session.server";
import { describeError, log } from "~/platform/log/log.server";
import type { Workspace } from "./own-workspaces.server";

const rows = z.array(z.object({ user_id: z.string(), address: z.string(), tokens: z.number() }));

/** The members who made tokens for agents in a workspace, by their id; undefined where they cannot be read. */
export async function readTokenHolders(
  { supabase }: Session,
  workspace: Pick<Workspace, "id">,
): Promise<ReadonlyMap<string, { address: string; tokens: number }> | undefined> {
  const { data, error } = await supabase.rpc("token_holders", { workspace: workspace.id });
  if (!error) return new Map(rows.parse(data).map(({ user_id, ...held }) => [user_id, held]));
  log.error("The holders of tokens were not read", describeError(error));
}
