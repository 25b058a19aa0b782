import * as z from "zod/mini";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import { endSubscriptions } from "~/features/billing/subscriptions/end-subscriptions.server";
import { syncWorkspace } from "~/features/billing/subscriptions/sync-subscription.server";
import type { AppContext } from "~/http/app-context";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { closePages } from "./end-access.server";
import type { Workspace } from "./my-workspaces.server";
import { changeSso, type SsoLosses } from "./sso/sso-changes.server";
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

/**
 * What came of a form of the settings page. `sure` asks a second time, about the member with this address, and `losses`
 * about those who lose something by a change of single sign-on.
 */
export type SettingsOutcome =
  | { ok: true; done: Done }
  | { ok: true; deleted: true }
  | { ok: true; sure: string }
  | { ok: true; losses: SsoLosses }
  | { ok: false; status: SettingsStatus; message: string; intent: string; typed: string };
type SettingsStatus = 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;

type Scope = PrincipalScope & {
  workspace: Workspace;
  database: ServiceClient;
  form: URLSearchParams;
};
type Answer =
  | { done: Done }
  | { deleted: true }
  | { sure: string }
  | { losses: SsoLosses }
  | { refused: Refused };

const changes = {
  rename,
  factor,
  "hand-over": handOver,
  sso: changeSso,
  delete: deleteWorkspace,
} satisfies Record<string, (scope: Scope) => Promise<Answer>>;
export type SettingsIntent = keyof typeof changes;

const isIntent = (named: string): named is SettingsIntent => Object.hasOwn(changes, named);

/** Carries out what one of the forms of the settings page asks for; its `intent` says which. */
export async function changeSettings(
  scope: PrincipalScope & { workspace: Workspace },
  form: URLSearchParams,
): Promise<SettingsOutcome> {
  const words = await workspaceWords(scope.context);
  const intent = form.get("intent") ?? "";
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  const answer: Answer = isIntent(intent)
    ? await changes[intent]({ ...scope, database, form })
    : { refused: "intent" };
  if (!("refused" in answer)) return { ok: true, ...answer };
  const message = sentenceOf(answer.refused, words, { workspace: scope.workspace.name });
  return refusedSettings({ status: statusOf(answer.refused), message }, form);
}

/** A refusal of this form, also the guard's, with what was typed. */
export function refusedSettings(
  { status, message }: { status: SettingsStatus; message: string },
  form: URLSearchParams,
): Extract<SettingsOutcome, { ok: false }> {
  const typed =
    form.get("name") ?? form.get("address") ?? form.get("value") ?? form.get("confirmation") ?? "";
  return {
    ok: false,
    status,
    message,
    intent: form.get("intent") ?? "",
    typed: typed.slice(0, 254),
  };
}

async function rename({ database, workspace, form, principal }: Scope): Promise<Answer> {
  const { data, error } = await database.rpc("rename_workspace", {
    actor: principal.user.id,
    workspace: workspace.id,
    new_name: form.get("name") ?? "",
  });
  if (error) return unavailable(error);
  return data === "renamed" ? { done: "named" } : refusal(data);
}

async function factor({ context, database, workspace, form, principal }: Scope): Promise<Answer> {
  const isRequired = form.get("wanted") === "yes";
  const { data, error } = await database.rpc("require_second_factor_of_all", {
    actor: principal.user.id,
    workspace: workspace.id,
    wanted: isRequired,
  });
  if (error) return unavailable(error);
  if (data !== "changed") return refusal(data);
  // Members who gave no second factor lose access at once.
  if (isRequired) closePages(context, [workspace.id], "all");
  return { done: isRequired ? "factor-on" : "factor-off" };
}

/** Asks a second time before it makes another member the owner: the first press only names them. */
async function handOver(scope: Scope): Promise<Answer> {
  const { context, database, workspace, form, principal } = scope;
  const address = (form.get("address") ?? "").trim();
  const actor = principal.user.id;
  const { data: person, error: unread } = await database.rpc("member_with_address", {
    actor,
    workspace: workspace.id,
    wanted: address,
  });
  if (unread) return unavailable(unread);
  if (!person || person === actor) return { refused: "no such member" };
  if (form.get("sure") !== "yes") return { sure: address };
  const { data, error } = await database.rpc("hand_over", {
    actor,
    workspace: workspace.id,
    person,
  });
  if (error) return unavailable(error);
  if (data !== "handed over") return refusal(data);
  // Stripe writes receipts and reminders to the owner.
  await syncWorkspace(context.configuration, workspace.id);
  return { done: "handed-over" };
}

const deletion = z.object({ answer: z.string(), customers: z.optional(z.array(z.string())) });

/**
 * Ends the plans at Stripe, then deletes the workspace. Each step may be repeated, so a second press finishes what was
 * cut off. Nothing is deleted while a plan may still be charged.
 */
async function deleteWorkspace(scope: Scope): Promise<Answer> {
  const { context, database, workspace, form, principal } = scope;
  if ((form.get("confirmation") ?? "").trim() !== workspace.name.trim()) {
    return { refused: "confirmation" };
  }
  const ask = (ended: string[]) =>
    database.rpc("delete_workspace", { actor: principal.user.id, workspace: workspace.id, ended });
  const first = await ask([]);
  if (first.error) return unavailable(first.error);
  const { answer, customers = [] } = deletion.parse(first.data);
  if (answer === "deleted") return deleted(scope);
  if (answer !== "end first") return refusal(answer);
  try {
    for (const customer of customers) await endSubscriptions(context.configuration, customer);
  } catch (error) {
    log.error("A workspace's plan was not ended", describeError(error));
    return { refused: "stripe" };
  }
  const second = await ask(customers);
  if (!second.error && deletion.parse(second.data).answer === "deleted") return deleted(scope);
  log.error("A workspace was not deleted", describeError(second.error ?? "a customer was added"));
  return { refused: "half deleted" };
}

/** The workspace's audit log is gone with it: this line is the only record of the deletion. */
function deleted({ context, workspace, principal }: Scope): Answer {
  closePages(context, [workspace.id], "all");
  log.info("A workspace was deleted", { workspace: workspace.id, by: principal.user.id });
  return { deleted: true };
}

type Made = { ok: true; slug: string } | { ok: false; status: 400 | 409 | 503; message: string };

/** Makes a workspace that a person owns. */
export async function makeWorkspace(app: AppContext, person: string, name: string): Promise<Made> {
  const { refused } = await workspaceWords(app);
  const database = serviceClient(app.configuration, app.caller);
  const id = crypto.randomUUID();
  const { data, error } = await database.rpc("create_workspace", {
    actor: person,
    new_id: id,
    new_name: name,
  });
  if (error || data === "missing") return unavailable(error);
  if (data === "name") return { ok: false, status: 400, message: refused.name };
  if (data === "too many owned") {
    return { ok: false, status: 409, message: refused["owns too many"] };
  }
  if (data !== "made") return { ok: false, status: 409, message: refused["too many workspaces"] };
  const made = await database.from("workspaces").select("slug").eq("id", id).single();
  return made.error ? unavailable(made.error) : { ok: true, slug: made.data.slug };

  function unavailable(cause: unknown): Made {
    log.error("A workspace could not be made", describeError(cause));
    return { ok: false, status: 503, message: refused.unavailable };
  }
}
