import * as z from "zod/mini";
import type { GuardRefusal } from "~/features/auth/guard.server";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import { syncWorkspace } from "~/features/billing/subscriptions/sync-subscription.server";
import type { Role } from "~/platform/database/role-rights";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { closePages, removeFromAlerts, revokeEnrolmentTokens } from "./end-access.server";
import { membersAllowed } from "./invitation.server";
import { mailInvitation } from "./invitation-mail.server";
import type { Workspace } from "./my-workspaces.server";
import { mailNewAdmin } from "./owner-mails.server";
import { notAllowed, roleMay } from "./roles";
import {
  type Refused,
  refusal,
  sentenceOf,
  statusOf,
  unavailable,
  type WorkspaceWords,
  workspaceWords,
} from "./workspace-words.server";

type Done = keyof WorkspaceWords["done"];

/** What came of a form. A refusal keeps what was typed, and says which form it is about. */
export type MemberOutcome =
  | { ok: true; done: Done }
  | { ok: true; left: true }
  | {
      ok: false;
      status: 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;
      message: string;
      /** Which form it is about: its intent, and the id of the member or the invitation. */
      form: string;
      /** The change needs a sign-in of the last 15 minutes. */
      needsSignIn: boolean;
      typed: { address: string; role: string; name: string };
    };

type MemberRefusal = Extract<MemberOutcome, { ok: false }>;

type Scope = PrincipalScope & {
  workspace: Workspace;
  words: WorkspaceWords;
  database: ServiceClient;
  form: URLSearchParams;
};

const address = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email());
const id = z.guid();

const changes = {
  invite,
  resend,
  withdraw,
  role: changeRole,
  remove,
  leave,
} satisfies Record<string, (scope: Scope) => Promise<Done | "left" | Refusal>>;
export type MemberIntent = keyof typeof changes;

type Refusal = { refused: Refused; allowed?: number };

const isIntent = (named: string): named is MemberIntent => Object.hasOwn(changes, named);

const isAboutMember = (intent: string) => intent === "role" || intent === "remove";

/** Carries out what one of the forms of the members page asks for; its `intent` says which. */
export async function changeMembers(
  scope: PrincipalScope & { workspace: Workspace },
  form: URLSearchParams,
): Promise<MemberOutcome> {
  const words = await workspaceWords(scope.context);
  const intent = form.get("intent") ?? "";
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  const answer: Done | "left" | Refusal = isIntent(intent)
    ? await changes[intent]({ ...scope, words, database, form })
    : { refused: "intent" };
  if (answer === "left") return { ok: true, left: true };
  if (typeof answer === "string") return { ok: true, done: answer };
  const { refused, allowed = 0 } = answer;
  const { role } = scope.workspace;
  const message =
    refused === "not allowed" && isAboutMember(intent) && !roleMay(role, "own")
      ? // What somebody is refused who may change members, is about owners.
        notAllowed(role, "own")
      : sentenceOf(refused, words, { allowed });
  return refusedChange({ status: statusOf(refused), message }, form);
}

/** A refusal of this form, also the guard's, with what was typed. */
export function refusedChange(
  {
    status,
    message,
    why,
  }: { status: MemberRefusal["status"]; message: string; why?: GuardRefusal["why"] },
  form: URLSearchParams,
): MemberRefusal {
  const intent = form.get("intent") ?? "";
  const about = form.get("person") ?? form.get("invitation");
  return {
    ok: false,
    status,
    message,
    form: about ? `${intent} ${about}` : intent,
    needsSignIn: why === "not-recent",
    typed: {
      address: (form.get("address") ?? "").slice(0, 254),
      role: form.get("role") ?? "",
      name: (form.get("name") ?? "").slice(0, 80),
    },
  };
}

/**
 * Invites an address, and mails the link. With the first invitation the workspace gets a name: until then only its
 * owner saw it.
 */
async function invite(scope: Scope): Promise<Done | Refusal> {
  const { database, workspace, form, principal } = scope;
  const invited = address.safeParse(form.get("address") ?? "");
  if (!invited.success) return { refused: "address" };
  const name = form.get("name");
  const allowed = await membersAllowed(scope.context, database, workspace.id);
  if (allowed === undefined) return { refused: "unavailable" };
  const id = crypto.randomUUID();
  const { data, error } = await database.rpc("invite", {
    actor: principal.user.id,
    workspace: workspace.id,
    new_id: id,
    new_address: invited.data,
    new_role: form.get("role") ?? "",
    allowed,
    ...(name === null ? {} : { new_name: name }),
  });
  if (error) return unavailable(error);
  if (data !== "invited") return { ...refusal(data), allowed };
  if (name !== null) workspace.name = name.trim();
  return mailInvitation(scope, id, "invited");
}

async function resend(scope: Scope): Promise<Done | Refusal> {
  const invitation = id.safeParse(scope.form.get("invitation"));
  if (!invitation.success) return { refused: "gone" };
  const { data, error } = await scope.database.rpc("resend_invitation", {
    actor: scope.principal.user.id,
    workspace: scope.workspace.id,
    invitation: invitation.data,
  });
  if (error) return unavailable(error);
  return data === "sent" ? mailInvitation(scope, invitation.data, "resent") : refusal(data);
}

async function withdraw({ database, workspace, form, principal }: Scope): Promise<Done | Refusal> {
  const invitation = id.safeParse(form.get("invitation"));
  if (!invitation.success) return { refused: "gone" };
  const { data, error } = await database.rpc("withdraw_invitation", {
    actor: principal.user.id,
    workspace: workspace.id,
    invitation: invitation.data,
  });
  if (error) return unavailable(error);
  return data === "withdrawn" ? "withdrawn" : refusal(data);
}

async function changeRole({
  context,
  database,
  workspace,
  form,
  principal,
}: Scope): Promise<Done | Refusal> {
  const person = id.safeParse(form.get("person"));
  if (!person.success) return { refused: "not a member" };
  const role = form.get("role") ?? "";
  const { data, error } = await database.rpc("change_role", {
    actor: principal.user.id,
    workspace: workspace.id,
    person: person.data,
    new_role: role,
  });
  if (error) return unavailable(error);
  if (data !== "changed") return refusal(data);
  if (!roleMay(role as Role, "servers"))
    await revokeEnrolmentTokens(context, workspace.id, person.data);
  if (role === "admin") {
    const { user } = principal;
    mailNewAdmin(context, { workspace: workspace.id, person: person.data, actor: user });
  }
  return "role";
}

async function remove(scope: Scope): Promise<Done | Refusal> {
  const { context, database, workspace, form, principal } = scope;
  const person = id.safeParse(form.get("person"));
  if (!person.success) return { refused: "not a member" };
  const { data, error } = await database.rpc("remove_member", {
    actor: principal.user.id,
    workspace: workspace.id,
    person: person.data,
  });
  if (error) return unavailable(error);
  if (data !== "removed") return refusal(data);
  closePages(context, [workspace.id], { person: person.data });
  await removeFromAlerts(context, [workspace.id], person.data);
  await syncWorkspace(context.configuration, workspace.id);
  return "removed";
}

async function leave(scope: Scope): Promise<"left" | Refusal> {
  const { context, database, workspace, principal } = scope;
  const { data, error } = await database.rpc("leave_workspace", {
    actor: principal.user.id,
    workspace: workspace.id,
  });
  if (error) return unavailable(error);
  if (data !== "left") return refusal(data);
  closePages(context, [workspace.id], { person: principal.user.id });
  await removeFromAlerts(context, [workspace.id], principal.user.id);
  await syncWorkspace(context.configuration, workspace.id);
  return "left";
}
