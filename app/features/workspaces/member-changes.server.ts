import { redirect } from "react-router";
import * as z from "zod/mini";
import type { GuardRefusal } from "~/features/auth/guard.server";
import { syncWorkspace } from "~/features/billing/subscriptions/sync-subscription.server";
import type { Role } from "~/platform/database/role-rights";
import { closePages, removeFromAlerts, revokeEnrolmentTokens } from "./end-access.server";
import { membersAllowed } from "./invitation.server";
import { mailInvitation } from "./invitation-mail.server";
import { mailNewAdmin } from "./owner-mails.server";
import {
  carryOut,
  type FormOutcome,
  type FormRefusal,
  type FormScope,
  pageForms,
  refusedForm,
} from "./page-forms.server";
import { notAllowed, roleMay } from "./roles";
import { databaseFailed, refusal, type WorkspaceWords } from "./workspace-words.server";

type Done = keyof WorkspaceWords["done"];

/** What a form of the members page did. */
type Changed = { done: Done } | { left: true };
export type MemberOutcome = FormOutcome<Changed, ReturnType<typeof typed>>;

type Answer = Changed | FormRefusal;

const address = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email());
const id = z.guid();

const changes = {
  invite,
  resend,
  withdraw,
  role: ofMember(changeRole),
  remove: ofMember(remove),
  leave,
} satisfies Record<string, (scope: FormScope) => Promise<Answer>>;
export type MemberIntent = keyof typeof changes;

/** Which form it is about, also with the id of a member or an invitation, and what was typed. */
function typed(form: URLSearchParams, why?: GuardRefusal["why"]) {
  const intent = form.get("intent") ?? "";
  const about = form.get("person") ?? form.get("invitation");
  return {
    form: about ? `${intent} ${about}` : intent,
    /** The change needs a sign-in of the last 15 minutes. */
    needsSignIn: why === "not-recent",
    typed: {
      address: (form.get("address") ?? "").slice(0, 254),
      role: form.get("role") ?? "",
      name: (form.get("name") ?? "").slice(0, 80),
    },
  };
}

const forms = { changes, typed };

/** The forms of the members page, for its action. */
export const memberForms = pageForms<Changed, ReturnType<typeof typed>>(
  forms,
  (changed, { base }) =>
    // A workspace that is shared from now on has an address of its own, where /dashboard leads.
    redirect("left" in changed ? "/dashboard" : `${base}/members?done=${changed.done}`, 303),
);

const leaving = new URLSearchParams({ intent: "leave" });

/** The form that leaves the workspace, for the page that has it alone. */
export const leaveForm = {
  refused: (refusal: GuardRefusal) =>
    refusedForm<Changed, ReturnType<typeof typed>>(forms, refusal, leaving),
  allowed: (scope: Omit<FormScope, "database" | "form">) =>
    carryOut<Changed, ReturnType<typeof typed>>(forms, scope, leaving),
};

/** What somebody is refused who may change members, is about owners. */
function ofMember(change: (scope: FormScope) => Promise<Answer>) {
  return async (scope: FormScope): Promise<Answer> => {
    const answer = await change(scope);
    const { role } = scope.workspace;
    return "refused" in answer && answer.refused === "not allowed" && !roleMay(role, "own")
      ? { says: notAllowed(role, "own"), status: 403 }
      : answer;
  };
}

/**
 * Invites an address, and mails the link. With the first invitation the workspace gets a name: until then only its
 * owner saw it.
 */
async function invite(scope: FormScope): Promise<Answer> {
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
  if (error) return databaseFailed(error);
  if (data !== "invited") return { ...refusal(data), values: { allowed } };
  if (name !== null) workspace.name = name.trim();
  return { done: await mailInvitation(scope, id, "invited") };
}

async function resend(scope: FormScope): Promise<Answer> {
  const invitation = id.safeParse(scope.form.get("invitation"));
  if (!invitation.success) return { refused: "gone" };
  const { data, error } = await scope.database.rpc("resend_invitation", {
    actor: scope.principal.user.id,
    workspace: scope.workspace.id,
    invitation: invitation.data,
  });
  if (error) return databaseFailed(error);
  if (data !== "sent") return refusal(data);
  return { done: await mailInvitation(scope, invitation.data, "resent") };
}

async function withdraw({ database, workspace, form, principal }: FormScope): Promise<Answer> {
  const invitation = id.safeParse(form.get("invitation"));
  if (!invitation.success) return { refused: "gone" };
  const { data, error } = await database.rpc("withdraw_invitation", {
    actor: principal.user.id,
    workspace: workspace.id,
    invitation: invitation.data,
  });
  if (error) return databaseFailed(error);
  return data === "withdrawn" ? { done: "withdrawn" } : refusal(data);
}

async function changeRole({
  context,
  database,
  workspace,
  form,
  principal,
}: FormScope): Promise<Answer> {
  const person = id.safeParse(form.get("person"));
  if (!person.success) return { refused: "not a member" };
  const role = form.get("role") ?? "";
  const { data, error } = await database.rpc("change_role", {
    actor: principal.user.id,
    workspace: workspace.id,
    person: person.data,
    new_role: role,
  });
  if (error) return databaseFailed(error);
  if (data !== "changed") return refusal(data);
  if (!roleMay(role as Role, "servers"))
    await revokeEnrolmentTokens(context, workspace.id, person.data);
  if (role === "admin") {
    const { user } = principal;
    mailNewAdmin(context, { workspace: workspace.id, person: person.data, actor: user });
  }
  return { done: "role" };
}

async function remove(scope: FormScope): Promise<Answer> {
  const { context, database, workspace, form, principal } = scope;
  const person = id.safeParse(form.get("person"));
  if (!person.success) return { refused: "not a member" };
  const { data, error } = await database.rpc("remove_member", {
    actor: principal.user.id,
    workspace: workspace.id,
    person: person.data,
  });
  if (error) return databaseFailed(error);
  if (data !== "removed") return refusal(data);
  closePages(context, [workspace.id], { person: person.data });
  await removeFromAlerts(context, [workspace.id], person.data);
  await syncWorkspace(context.configuration, workspace.id);
  return { done: "removed" };
}

async function leave(scope: FormScope): Promise<Answer> {
  const { context, database, workspace, principal } = scope;
  const { data, error } = await database.rpc("leave_workspace", {
    actor: principal.user.id,
    workspace: workspace.id,
  });
  if (error) return databaseFailed(error);
  if (data !== "left") return refusal(data);
  closePages(context, [workspace.id], { person: principal.user.id });
  await removeFromAlerts(context, [workspace.id], principal.user.id);
  await syncWorkspace(context.configuration, workspace.id);
  return { left: true };
}
