import { redirect } from "react-router";
import * as z from "zod/mini";
import { endSubscriptions } from "~/features/billing/subscriptions/end-subscriptions.server";
import { syncWorkspace } from "~/features/billing/subscriptions/sync-subscription.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { closePages } from "./end-access.server";
import { type FormOutcome, type FormRefusal, type FormScope, pageForms } from "./page-forms.server";
import { changeSso, type SsoLosses } from "./sso/sso-changes.server";
import {
  databaseFailed,
  refusal,
  type WorkspaceWords,
  workspaceWords,
} from "./workspace-words.server";

type Done = keyof WorkspaceWords["done"];

/**
 * What a form of the settings page did. `sure` asks a second time, about the member with this address, and `losses` about
 * those who lose something by a change of single sign-on.
 */
type Changed = { done: Done } | { deleted: true } | { sure: string } | { losses: SsoLosses };
export type SettingsOutcome = FormOutcome<Changed, ReturnType<typeof typed>>;

type Answer = Changed | FormRefusal;

const changes = {
  rename,
  factor,
  "hand-over": handOver,
  sso: changeSso,
  delete: deleteWorkspace,
} satisfies Record<string, (scope: FormScope) => Promise<Answer>>;
export type SettingsIntent = keyof typeof changes;

function typed(form: URLSearchParams) {
  const value =
    form.get("name") ?? form.get("address") ?? form.get("value") ?? form.get("confirmation") ?? "";
  return { typed: value.slice(0, 254) };
}

/** The forms of the settings page, for its action. */
export const settingsForms = pageForms<Changed, ReturnType<typeof typed>>(
  { changes, typed },
  (changed, { base }) => {
    if ("deleted" in changed) return redirect("/dashboard?notice=workspace-deleted", 303);
    if ("done" in changed) return redirect(`${base}/settings?done=${changed.done}`, 303);
    return undefined;
  },
);

async function rename({ database, workspace, form, principal }: FormScope): Promise<Answer> {
  const { data, error } = await database.rpc("rename_workspace", {
    actor: principal.user.id,
    workspace: workspace.id,
    new_name: form.get("name") ?? "",
  });
  if (error) return databaseFailed(error);
  return data === "renamed" ? { done: "named" } : refusal(data);
}

async function factor({
  context,
  database,
  workspace,
  form,
  principal,
}: FormScope): Promise<Answer> {
  const isRequired = form.get("wanted") === "yes";
  const { data, error } = await database.rpc("require_second_factor_of_all", {
    actor: principal.user.id,
    workspace: workspace.id,
    wanted: isRequired,
  });
  if (error) return databaseFailed(error);
  if (data !== "changed") return refusal(data);
  // Members who gave no second factor lose access at once.
  if (isRequired) closePages(context, [workspace.id], "all");
  return { done: isRequired ? "factor-on" : "factor-off" };
}

/** Asks a second time before it makes another member the owner: the first press only names them. */
async function handOver(scope: FormScope): Promise<Answer> {
  const { context, database, workspace, form, principal } = scope;
  const address = (form.get("address") ?? "").trim();
  const actor = principal.user.id;
  const { data: person, error: unread } = await database.rpc("member_with_address", {
    actor,
    workspace: workspace.id,
    wanted: address,
  });
  if (unread) return databaseFailed(unread);
  if (!person || person === actor) return { refused: "no such member" };
  if (form.get("sure") !== "yes") return { sure: address };
  const { data, error } = await database.rpc("hand_over", {
    actor,
    workspace: workspace.id,
    person,
  });
  if (error) return databaseFailed(error);
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
async function deleteWorkspace(scope: FormScope): Promise<Answer> {
  const { context, database, workspace, form, principal } = scope;
  if ((form.get("confirmation") ?? "").trim() !== workspace.name.trim()) {
    return { refused: "confirmation" };
  }
  const ask = (ended: string[]) =>
    database.rpc("delete_workspace", { actor: principal.user.id, workspace: workspace.id, ended });
  const first = await ask([]);
  if (first.error) return databaseFailed(first.error);
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
function deleted({ context, workspace, principal }: FormScope): Answer {
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
