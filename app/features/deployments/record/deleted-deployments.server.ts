import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { dayMs, shortDayOf } from "~/ui/dates";
import { deletedKeptDays } from "./save-deployments.server";

const rows = z.array(z.object({ id: z.string(), name: z.string(), deleted_at: z.string() }));

/** A deployment whose deletion can be taken back until this day. */
export type DeletedDeployment = { id: string; name: string; until: string };

/** What was deleted lately in a workspace, the last first; nothing while the database does not answer, which is logged. */
export async function listDeleted(
  { configuration }: AppContext,
  owner: string,
  workspace: string,
): Promise<DeletedDeployment[]> {
  const { data, error } = await serviceClient(configuration).rpc("deleted_deployments", {
    owner,
    workspace,
  });
  if (error) {
    log.error("Deleted deployments could not be read", describeError(error));
    return [];
  }
  return rows.parse(data).map(({ id, name, deleted_at }) => ({
    id,
    name,
    until: shortDayOf(new Date(Date.parse(deleted_at) + deletedKeptDays * dayMs)),
  }));
}
