import { defaultConfiguration } from "~/content/model-configuration";
import type { Session } from "~/features/auth/session/session.server";
import { readTokenHolders } from "~/features/workspaces/members-view.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import { maxTokens } from "~/platform/database/quotas";
import { describeError, log } from "~/platform/log/log.server";
import type { OlderVersions, UserView } from "./own-view";
import { readVersions } from "./saved-configuration.server";

const versionsAtATime = 100;

/** Configuration, versions and tokens of a workspace; undefined when they cannot be read. */
export async function readOwn(
  session: Session,
  workspace: Workspace,
): Promise<UserView | undefined> {
  const { supabase } = session;
  const [versions, tokens, holders, visitor] = await Promise.all([
    readVersions(supabase, workspace, versionsAtATime),
    supabase
      .from("api_tokens")
      .select("id, user_id, name, ending, created_at, last_used_at, scopes, ends_at")
      .eq("workspace_id", workspace.id)
      .order("created_at", { ascending: false })
      .limit(maxTokens),
    workspace.isShared ? readTokenHolders(session, workspace) : undefined,
    session.visitor(),
  ]);
  if ("error" in versions || tokens.error) {
    return unread("error" in versions ? versions.error : tokens.error);
  }
  const me = visitor.state === "signed-in" ? visitor.userId : undefined;
  return {
    configuration: versions.versions[0]?.configuration ?? defaultConfiguration,
    version: versions.versions[0]?.version ?? 0,
    ...versions,
    tokens: tokens.data.map(({ user_id, created_at, last_used_at, ends_at, ...token }) => ({
      ...token,
      createdAt: created_at,
      lastUsedAt: last_used_at,
      endsAt: ends_at,
      madeBy: holders?.get(user_id)?.address,
      mayRevoke: roleMay(workspace.role, user_id === me ? "tokens" : "members"),
    })),
  };
}

/** One page of a workspace's versions before a version; undefined when they cannot be read. */
export async function readOlderVersions(
  { supabase }: Session,
  workspace: Pick<Workspace, "id">,
  before: number,
): Promise<OlderVersions | undefined> {
  const versions = await readVersions(supabase, workspace, versionsAtATime, before);
  return "error" in versions ? unread(versions.error) : versions;
}

function unread(error: unknown): undefined {
  log.error("A model configuration could not be read", describeError(error));
}
