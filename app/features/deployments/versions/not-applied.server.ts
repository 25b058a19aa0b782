import type { SupabaseClient } from "@supabase/supabase-js";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { dayOf } from "~/ui/dates";
import { readInstalledHashes } from "../download/bundles.server";
import { zipName } from "../download/downloads.server";
import { readVersion } from "../record/deployments.server";
import { asReported, type Reports } from "../reported-servers";
import type { Deployment } from "../stored-deployment";
import { changeBetween } from "./effects";
import { type TaskWords, wordsOfTasks } from "./task-words";

/** A version that was saved and that the customer's server does not run. */
export type NotApplied = {
  version: number;
  running: number;
  /** The names of the servers that run it, where others of the deployment run another version. */
  names: readonly string[] | undefined;
  /** Since when it runs, as a day; undefined where the server itself says what it runs. */
  since: string | undefined;
  /** Undefined where the older version was removed or can no longer be read, so that nothing is known of it. */
  tasks: TaskWords[] | undefined;
};

/**
 * What is to do until the customer's server runs the newest version. Undefined where it does, where nobody has said
 * yet that a server runs any version, where nothing of the change reaches a server, and while the database
 * cannot be read or bundles cannot be made: then the page says nothing of it.
 */
export async function findNotApplied(
  supabase: SupabaseClient<Database>,
  deployment: Deployment,
  context: Pick<AppContext, "bindings">,
  reports: Reports,
): Promise<NotApplied | undefined> {
  const { id, version, applied, stored } = asReported(deployment, reports);
  const servers = reports.get(id);
  const running = servers?.running ?? [];
  if (!applied || applied.version === version) return;
  const older = await readVersion(supabase, id, applied.version);
  if (older.state === "unavailable") return;
  const notice = {
    version,
    running: applied.version,
    names: running.length > 1 ? running[0]?.names : undefined,
    since: applied.at && dayOf(applied.at),
    tasks: undefined,
  };
  const runs = older.state === "found" ? older.value.stored : undefined;
  if (!runs || !("options" in runs) || !("options" in stored)) return notice;
  const [before, after] = [runs.options, stored.options];
  const hashOf = await readInstalledHashes(context, [before, after]);
  if (!hashOf) return;
  const { tasks } = changeBetween(before, after, hashOf(before) !== hashOf(after));
  if (tasks.length === 0) return;
  const name = zipName(after, version, servers?.hasConnected ? "apply" : "new-machine");
  return { ...notice, tasks: wordsOfTasks(tasks, before, after, name) };
}
