import * as z from "zod/mini";
import type { RequestScope, Session } from "~/features/auth/session/session.server";
import { roleRights } from "~/platform/database/role-rights";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { dayOf } from "~/ui/dates";
import { type Workspace, workspaceSummary } from "./my-workspaces.server";
import { roleMay } from "./roles";
import { workspaceWords } from "./workspace-words.server";

const role = z.enum(roleRights.see);
const memberRows = z.array(
  z.object({ user_id: z.string(), address: z.string(), role, joined_at: z.string() }),
);
const invitationRows = z.array(
  z.object({
    id: z.string(),
    address: z.string(),
    role,
    sends: z.number(),
    expires_at: z.string(),
  }),
);
/** The last member of the page before: when they joined, and their id. */
const cursor = z.tuple([z.iso.datetime({ offset: true }), z.guid()]);
const pageSize = 50;

/** `channels`: the alert channels that end with each member, as pages call them; undefined where they cannot be read. */
export type MembersView = Awaited<ReturnType<typeof membersView>> & {
  channels: Readonly<Record<string, readonly string[]>> | undefined;
};

/** Everything that the members page shows, and its texts. A part that cannot be read is undefined. */
export async function membersView(
  scope: RequestScope,
  person: string,
  workspace: Workspace,
  query: URLSearchParams,
) {
  const mayInvite = roleMay(workspace.role, "members");
  const [words, members, invitations, holders] = await Promise.all([
    workspaceWords(scope.context),
    readMembers(scope, person, workspace, query.get("after")),
    mayInvite ? readInvitations(scope, workspace) : [],
    mayInvite && workspace.isShared ? readTokenHolders(scope.session, workspace) : undefined,
  ]);
  const done = query.get("done");
  return {
    words,
    workspace: workspaceSummary(workspace),
    me: person,
    mayInvite,
    members,
    invitations,
    /** How many tokens each member has, if the user may remove members; undefined where that cannot be read. */
    tokens: holders && Object.fromEntries([...holders].map(([id, { tokens }]) => [id, tokens])),
    done:
      done && Object.hasOwn(words.done, done)
        ? words.done[done as keyof typeof words.done]
        : undefined,
  };
}

async function readMembers(
  { context }: RequestScope,
  actor: string,
  workspace: Workspace,
  after: string | null,
) {
  const from = cursor.safeParse(after?.split("_"));
  const { data, error } = await serviceClient(context.configuration).rpc("members_of", {
    actor,
    workspace: workspace.id,
    ...(from.success ? { after_joined: from.data[0], after_person: from.data[1] } : {}),
  });
  if (error) {
    log.error("Members were not read", describeError(error));
    return;
  }
  const rows = memberRows.parse(data);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return {
    listed: rows.map(({ user_id, address, role, joined_at }) => ({
      id: user_id,
      address,
      role,
      since: dayOf(joined_at),
    })),
    isFirstPage: !from.success,
    next: last ? `${last.joined_at}_${last.user_id}` : undefined,
  };
}

async function readInvitations({ session }: RequestScope, workspace: Workspace) {
  const { data, error } = await session.supabase
    .from("invitations")
    .select("id, address, role, sends, expires_at")
    .eq("workspace_id", workspace.id)
    .order("created_at");
  if (error) {
    log.error("Invitations were not read", describeError(error));
    return;
  }
  return invitationRows.parse(data).map(({ id, address, role, sends, expires_at }) => ({
    id,
    address,
    role,
    sends,
    until: new Date(expires_at) > new Date() ? dayOf(expires_at) : undefined,
  }));
}

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
