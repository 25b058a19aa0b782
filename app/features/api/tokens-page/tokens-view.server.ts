import * as z from "zod/mini";
import type { RequestScope } from "~/features/auth/session/session.server";
import {
  type WorkspaceSummary,
  workspaceSummary,
} from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import type { OpenWorkspace } from "~/features/workspaces/workspace.server";
import { type WorkspaceWords, workspaceWords } from "~/features/workspaces/workspace-words.server";
import { describeError, log } from "~/platform/log/log.server";

import { maxTokens } from "./choices";

/** A token of the workspace as the page lists it. */
export type ListedToken = {
  id: string;
  name: string;
  ending: string;
  scopes: readonly string[];
  /** Empty for an account that is deleted. */
  maker: { address: string; isMember: boolean };
  createdAt: string;
  endsAt: string;
  hasEnded: boolean;
  lastUsedOn: string | null;
};

export type TokensView = {
  words: WorkspaceWords;
  workspace: WorkspaceSummary;
  /** Undefined while they cannot be read, and for whoever may not read them. */
  tokens: ListedToken[] | undefined;
  isUnreadable: boolean;
};

const makers = z.array(
  z.object({ token: z.string(), address: z.string(), is_member: z.boolean() }),
);

/** What the page of a workspace's tokens shows. */
export async function tokensView(
  { context, session }: RequestScope,
  workspace: OpenWorkspace,
): Promise<TokensView> {
  const mayRead = roleMay(workspace.role, "settings");
  const [words, tokens] = await Promise.all([
    workspaceWords(context),
    mayRead ? readTokens(session, workspace) : undefined,
  ]);
  return {
    ...{ words, workspace: workspaceSummary(workspace), tokens },
    isUnreadable: mayRead && !tokens,
  };
}

async function readTokens(
  { supabase }: RequestScope["session"],
  { id }: OpenWorkspace,
): Promise<ListedToken[] | undefined> {
  const [rows, found] = await Promise.all([
    supabase
      .from("workspace_tokens")
      .select("id, name, ending, scopes, created_at, ends_at, last_used_on")
      .eq("workspace_id", id)
      .order("created_at", { ascending: false })
      .limit(maxTokens),
    supabase.rpc("workspace_token_makers", { workspace: id }, { get: true }),
  ]);
  const error = rows.error ?? found.error;
  if (error) {
    log.error("The tokens of a workspace could not be read", describeError(error));
    return;
  }
  const byToken = new Map(makers.parse(found.data).map((maker) => [maker.token, maker]));
  return (rows.data ?? []).map((row) => {
    const maker = byToken.get(row.id);
    return {
      ...{ id: row.id, name: row.name, ending: row.ending, scopes: row.scopes },
      maker: { address: maker?.address ?? "", isMember: maker?.is_member ?? false },
      ...{ createdAt: row.created_at, endsAt: row.ends_at, lastUsedOn: row.last_used_on },
      hasEnded: Date.parse(row.ends_at) <= Date.now(),
    };
  });
}
