import * as z from "zod/mini";
import { planQuotas } from "~/content/plans";
import type { PrincipalScope, RequestScope } from "~/features/auth/session/session.server";
import { basicPriceIds } from "~/features/billing/prices/prices";
import type { AppContext } from "~/http/app-context";
import { roleRights } from "~/platform/database/role-rights";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { invitationIn } from "./invitation-token";
import { mailNewAdmin } from "./owner-mails.server";
import { workspaceWords } from "./workspace-words.server";

const row = z.object({
  state: z.enum(["open", "accepted", "other address", "unconfirmed", "single sign-on"]),
  slug: z.string(),
  workspace_name: z.string(),
  role: z.enum(roleRights.see),
  address: z.string(),
  inviter: z.string(),
});

/** What the page of an invitation shows. Nothing about it is shown where the link does not work. */
export type InvitationView = Awaited<ReturnType<typeof invitationView>>;

/** The page of an invitation for a visitor who opens its link; opening it changes nothing. */
export async function invitationView(scope: RequestScope, token: string) {
  const words = await workspaceWords(scope.context);
  const visitor = await scope.session.visitor();
  const person = visitor.state === "signed-in" ? visitor : undefined;
  const found = await readInvitation(scope, token, person?.userId);
  return {
    words,
    token,
    signedInAs: person?.email,
    invitation: found === "unavailable" ? undefined : found,
    isUnavailable: found === "unavailable",
  };
}

async function readInvitation({ context }: RequestScope, token: string, person?: string) {
  const named = await invitationIn(token, context.configuration);
  if (!named) return;
  const { data, error } = await serviceClient(context.configuration).rpc("invitation_of", {
    invitation: named.id,
    of_send: named.send,
    ...(person ? { person } : {}),
  });
  if (error) {
    log.error("An invitation was not read", describeError(error));
    return "unavailable" as const;
  }
  const [found] = z.array(row).parse(data);
  if (!found) return;
  const { workspace_name: workspace, ...rest } = found;
  return { ...rest, workspace };
}

const answers = z.enum([
  "accepted",
  "gone",
  "other address",
  "unconfirmed",
  "single sign-on",
  "full",
  "too many workspaces",
]);
export type Refused = Exclude<z.infer<typeof answers>, "accepted"> | "unavailable";

/** Makes a person a member of the workspace that a link invites to. Answers why not, or nothing. */
export async function acceptInvitation(
  { context, principal }: PrincipalScope,
  token: string,
): Promise<Refused | undefined> {
  const named = await invitationIn(token, context.configuration);
  if (!named) return "gone";
  const database = serviceClient(context.configuration, context.caller);
  const { data: invited, error: unread } = await database
    .from("invitations")
    .select("role, workspace_id")
    .eq("id", named.id)
    .maybeSingle();
  if (unread) return unavailable(unread);
  if (!invited) return "gone";
  const { role, workspace_id: workspace } = invited;
  const allowed = await membersAllowed(context, database, workspace);
  if (allowed === undefined) return "unavailable";
  const { data, error } = await database.rpc("accept_invitation", {
    actor: principal.user.id,
    invitation: named.id,
    of_send: named.send,
    allowed,
  });
  if (error) return unavailable(error);
  const answer = answers.parse(data);
  if (answer === "accepted" && role === "admin") {
    mailNewAdmin(context, { workspace, person: principal.user.id });
  }
  return answer === "accepted" ? undefined : answer;
}

function unavailable(error: unknown): "unavailable" {
  log.error("An invitation was not accepted", describeError(error));
  return "unavailable";
}

const plan = z.enum(["none", "basic", "pro"]);

/** How many members a workspace may have, by its plan; undefined when that cannot be read. */
export async function membersAllowed(
  { configuration }: AppContext,
  database: ServiceClient,
  workspace: string,
): Promise<number | undefined> {
  const { data, error } = await database.rpc("workspace_plan", {
    workspace,
    basic_prices: basicPriceIds(configuration),
  });
  if (!error) return planQuotas[plan.parse(data)].members;
  log.error("The plan of a workspace was not read", describeError(error));
}
