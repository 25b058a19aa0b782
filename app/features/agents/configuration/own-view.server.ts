import { defaultConfiguration } from "~/content/model-configuration";
import type { Session } from "~/features/auth/session/session.server";
import { maxTokens } from "~/platform/database/quotas";
import { describeError, log } from "~/platform/log/log.server";
import type { OlderVersions, OwnView } from "./own-view";
import { readVersions } from "./saved-configuration.server";

const versionsAtATime = 100;

/** The visitor's configuration, versions and tokens; undefined when they cannot be read. Row-level security leaves
 * only the visitor's own rows. */
export async function readOwn({ supabase }: Session): Promise<OwnView | undefined> {
  const [versions, tokens] = await Promise.all([
    readVersions(supabase, versionsAtATime),
    supabase
      .from("api_tokens")
      .select("id, name, ending, created_at, last_used_at")
      .order("created_at", { ascending: false })
      .limit(maxTokens),
  ]);
  if ("error" in versions || tokens.error) {
    return unread("error" in versions ? versions.error : tokens.error);
  }
  return {
    configuration: versions.versions[0]?.configuration ?? defaultConfiguration,
    version: versions.versions[0]?.version ?? 0,
    ...versions,
    tokens: tokens.data.map(({ id, name, ending, created_at, last_used_at }) => ({
      id,
      name,
      ending,
      createdAt: created_at,
      lastUsedAt: last_used_at,
    })),
  };
}

/** One page of the visitor's versions before a version; undefined when they cannot be read. */
export async function readOlderVersions(
  { supabase }: Session,
  before: number,
): Promise<OlderVersions | undefined> {
  const versions = await readVersions(supabase, versionsAtATime, before);
  return "error" in versions ? unread(versions.error) : versions;
}

function unread(error: unknown): undefined {
  log.error("A model configuration could not be read", describeError(error));
}
