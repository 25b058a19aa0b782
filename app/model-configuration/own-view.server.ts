import type { Session } from "~/auth/session.server";
import { defaultConfiguration } from "~/content/model-configuration";
import { describeError, log } from "~/observability/log.server";
import type { OwnView } from "./own-view";
import { readVersions } from "./saved-configuration.server";

/** Everything of the visitor's own, by row-level security; undefined when it cannot be read. */
export async function readOwn(
  { supabase }: Session,
  requestId: string,
): Promise<OwnView | undefined> {
  const [versions, tokens] = await Promise.all([
    readVersions(supabase, 100),
    supabase
      .from("api_tokens")
      .select("id, name, ending, created_at, last_used_at")
      .order("created_at", { ascending: false }),
  ]);
  if ("error" in versions || tokens.error) {
    const error = "error" in versions ? versions.error : tokens.error;
    log.error("A model configuration could not be read", { requestId, ...describeError(error) });
    return;
  }
  return {
    configuration: versions[0]?.configuration ?? defaultConfiguration,
    version: versions[0]?.version ?? 0,
    versions,
    tokens: tokens.data.map(({ id, name, ending, created_at, last_used_at }) => ({
      id,
      name,
      ending,
      createdAt: created_at,
      lastUsedAt: last_used_at,
    })),
  };
}
