import type { SupabaseClient } from "@supabase/supabase-js";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import {
  type Deployment,
  readStoredOptions,
  readTicks,
  type StoredOptions,
} from "../stored-deployment";

/**
 * A database client with the visitor's own session: row-level security hides other people's rows. For a token of the API
 * it is one that sees all, and its caller compares workspaces.
 */
type Reader = SupabaseClient<Database>;

export const deploymentsUnreadable =
  "Your deployments cannot be read right now. They are safe. Please try again in a moment.";

/** The result of reading a row. Another person's row is "not found", like one that does not exist. */
export type Found<Thing> = { state: "found"; value: Thing } | { state: "unknown" | "unavailable" };

const pageSize = 20;
/** More than are kept: of deployments that were saved more often before, older ones may be there. */
export const versionsListed = 200;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Whether a text can be the id of a deployment; the database refuses any other one with an error. */
export function isDeploymentId(text: string): boolean {
  return idPattern.test(text);
}

const timePattern = /^\d{4}-\d\d-\d\d[T ][\d:.]{8,15}(Z|[+-]\d\d(:\d\d)?)$/;

/** Where the next page of the list begins: after the last row of this one, in the list's order. */
export type Cursor = `${string}~${string}`;

type Row = Database["public"]["Tables"]["deployments"]["Row"];

function deploymentOf(row: Omit<Row, "user_id" | "progress" | "deleted_at">): Deployment {
  const { server_ipv4: ipv4, server_ipv6: ipv6, server_version: version } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id ?? "",
    name: row.name,
    version: row.version,
    stored: readStoredOptions(row.options),
    ticks: readTicks(row.ticks),
    address:
      version !== null && (ipv4 || ipv6)
        ? { ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }), version }
        : undefined,
    applied:
      row.applied_version !== null && row.applied_at !== null
        ? { version: row.applied_version, at: row.applied_at }
        : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const columns =
  "id, workspace_id, name, version, options, ticks, server_ipv4, server_ipv6, server_version, applied_version, applied_at, created_at, updated_at";

/**
 * The deployments of a workspace, last saved first, 20 at a time; `after` is what an earlier page gave as
 * `next`, and anything else begins at the top. Undefined when the database does not answer, or did not say which
 * workspace it is.
 */
export async function listDeployments(
  supabase: Reader,
  workspace: Pick<Workspace, "id"> | null,
  after?: string | null,
): Promise<{ deployments: Deployment[]; total: number; next?: Cursor } | undefined> {
  if (!workspace) return;
  let query = supabase
    .from("deployments")
    .select(columns)
    .eq("workspace_id", workspace.id)
    .is("deleted_at", null)
    .order("updated_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(pageSize + 1);
  const [time = "", id = ""] = (after ?? "").split("~");
  const continues = timePattern.test(time) && idPattern.test(id);
  if (continues) {
    query = query.or(`updated_at.lt."${time}",and(updated_at.eq."${time}",id.lt.${id})`);
  }
  const [{ data, error }, counted] = await Promise.all([
    query,
    continues ? countAll(supabase, workspace.id) : undefined,
  ]);
  if (error) return unread(error);
  // Nearly everybody has one page: then its length is the total, and no second query is needed.
  const isWhole = !continues && data.length <= pageSize;
  const all = isWhole
    ? { count: data.length, error: null }
    : (counted ?? (await countAll(supabase, workspace.id)));
  if (all.error) return unread(all.error);
  const rows = data.slice(0, pageSize);
  const last = rows.at(-1);
  return {
    deployments: rows.map(deploymentOf),
    total: all.count ?? rows.length,
    ...(data.length > pageSize && last ? { next: `${last.updated_at}~${last.id}` as const } : {}),
  };
}

function countAll(supabase: Reader, workspace: string) {
  return supabase
    .from("deployments")
    .select("id", { count: "exact", head: true })
    .eq("workspace_id", workspace)
    .is("deleted_at", null);
}

function unread(error: Error): undefined {
  log.error("Deployments could not be read", describeError(error));
}

/** One deployment of the visitor. */
export async function readDeployment(supabase: Reader, id: string): Promise<Found<Deployment>> {
  if (!idPattern.test(id)) return { state: "unknown" };
  const { data, error } = await supabase
    .from("deployments")
    .select(columns)
    .eq("id", id)
    .is("deleted_at", null)
    .maybeSingle();
  if (error) {
    log.error("A deployment could not be read", describeError(error));
    return { state: "unavailable" };
  }
  return data ? { state: "found", value: deploymentOf(data) } : { state: "unknown" };
}

/** What is known of a saved version beside its choices. */
export type VersionLine = {
  version: number;
  savedAt: string;
  /** The address of the member who saved it; undefined for versions from before it was recorded. */
  savedBy: string | undefined;
  note: string;
  restoredFrom: number | undefined;
};

export type DeploymentVersion = VersionLine & { stored: StoredOptions };

const lineColumns = "version, saved_at, saved_by, note, restored_from";

function lineOf(row: {
  version: number;
  saved_at: string;
  saved_by: string | null;
  note: string;
  restored_from: number | null;
}): VersionLine {
  return {
    version: row.version,
    savedAt: row.saved_at,
    savedBy: row.saved_by ?? undefined,
    note: row.note,
    restoredFrom: row.restored_from ?? undefined,
  };
}

/** One saved version of a deployment of the visitor. */
export async function readVersion(
  supabase: Reader,
  id: string,
  version: number,
): Promise<Found<DeploymentVersion>> {
  if (!idPattern.test(id) || !Number.isInteger(version) || version < 1 || version > 2 ** 31 - 1) {
    return { state: "unknown" };
  }
  const { data, error } = await supabase
    .from("deployment_versions")
    .select(`${lineColumns}, options`)
    .eq("deployment_id", id)
    .eq("version", version)
    .maybeSingle();
  if (error) {
    log.error("A version could not be read", describeError(error));
    return { state: "unavailable" };
  }
  if (!data) return { state: "unknown" };
  return { state: "found", value: { ...lineOf(data), stored: readStoredOptions(data.options) } };
}

/**
 * The options of the older versions that ticks and addresses of these deployments were made for, and that their servers
 * run, by id and version.
 * Undefined when the database does not answer.
 */
export async function readTickedVersions(
  supabase: Reader,
  deployments: readonly Deployment[],
): Promise<Map<string, DeploymentOptions> | undefined> {
  const versions = deployments.flatMap(({ id, version, ticks, address, applied }) =>
    [...Object.values(ticks), ...(address ? [address] : []), ...(applied ? [applied] : [])]
      .filter((made) => made.version !== version)
      .map((made) => ({ id, version: made.version })),
  );
  if (versions.length === 0) return new Map();
  const { data, error } = await supabase
    .from("deployment_versions")
    .select("deployment_id, version, options")
    .in("deployment_id", [...new Set(versions.map(({ id }) => id))])
    .in("version", [...new Set(versions.map(({ version }) => version))]);
  if (error) return unread(error);
  return new Map(
    data.flatMap(({ deployment_id, version, options }) => {
      const stored = readStoredOptions(options);
      return "options" in stored ? [[`${deployment_id} ${version}`, stored.options]] : [];
    }),
  );
}

/** The versions of a deployment up to `newest`, without their choices, newest first, at most `versionsListed`. */
export async function listVersions(
  supabase: Reader,
  id: string,
  newest?: number,
): Promise<Found<VersionLine[]>> {
  if (!idPattern.test(id)) return { state: "unknown" };
  const { data, error } = await supabase
    .from("deployment_versions")
    .select(lineColumns)
    .eq("deployment_id", id)
    .lte("version", newest ?? 2 ** 31 - 1)
    .order("version", { ascending: false })
    .limit(versionsListed);
  if (error) {
    log.error("Versions could not be read", describeError(error));
    return { state: "unavailable" };
  }
  if (data.length === 0) return { state: "unknown" };
  return { state: "found", value: data.map(lineOf) };
}
