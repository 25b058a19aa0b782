import type { SupabaseClient } from "@supabase/supabase-js";
import { defaultConfiguration, type ModelConfiguration } from "~/content/model-configuration";
import type { AgentCaller } from "~/features/agents/api/caller.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import type { Database } from "~/platform/database/types";
import type { OlderVersions } from "./own-view";

type Row = Database["public"]["Tables"]["model_configuration_versions"]["Row"];

const configurationColumns = "model, instructions, voice, transcription_model";

function configurationOf(
  row: Pick<Row, "model" | "instructions" | "voice" | "transcription_model">,
): ModelConfiguration {
  const { model, instructions, voice, transcription_model } = row;
  const { modalities } = defaultConfiguration;
  return {
    model,
    instructions,
    modalities,
    voice,
    inputAudioTranscription: { model: transcription_model },
  };
}

/** What the agent with this token reads: the newest version of its workspace, or the defaults. */
export async function configurationInForce({ database, tokenHash, scope }: AgentCaller) {
  const { data: workspace, error } = await database.rpc("use_api_token", {
    hash: tokenHash,
    wanted: scope,
  });
  if (error) return { state: "unavailable", error } as const;
  if (!workspace) return { state: "unknown" } as const;
  const { data, error: unread } = await database
    .from("model_configuration_versions")
    .select(configurationColumns)
    .eq("workspace_id", workspace)
    .order("version", { ascending: false })
    .limit(1);
  if (unread) return { state: "unavailable", error: unread } as const;
  const [row] = data;
  const configuration = row ? configurationOf(row) : defaultConfiguration;
  return { state: "found", configuration } as const;
}

/** The newest versions of a workspace, newest first; with `before`, the newest of those before that version. */
export async function readVersions(
  supabase: SupabaseClient<Database>,
  workspace: Pick<Workspace, "id">,
  maxVersions: number,
  before?: number,
): Promise<OlderVersions | { error: unknown }> {
  let query = supabase
    .from("model_configuration_versions")
    .select(`${configurationColumns}, version, saved_at, saved_by, restored_from`)
    .eq("workspace_id", workspace.id)
    .order("version", { ascending: false })
    .limit(maxVersions + 1);
  if (before !== undefined) query = query.lt("version", before);
  const { data, error } = await query;
  if (error) return { error };
  const versions = data.slice(0, maxVersions).map((row) => ({
    configuration: configurationOf(row),
    version: row.version,
    savedAt: row.saved_at,
    savedBy: row.saved_by,
    restoredFrom: row.restored_from,
  }));
  return { versions, hasOlder: data.length > maxVersions };
}
