import { redirect } from "react-router";
import * as z from "zod/mini";
import { accountFailures } from "~/content/account";
import type { Failure } from "~/features/auth/auth-errors.server";
import { claimGuestPurchasesOrThrow } from "~/features/billing/checkout/guest-purchases.server";
import { endSubscriptions } from "~/features/billing/subscriptions/end-subscriptions.server";
import { syncWorkspace } from "~/features/billing/subscriptions/sync-subscription.server";
import {
  closePages,
  removeFromAlerts,
  workspacesOf,
} from "~/features/workspaces/end-access.server";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { closeSession, leaveBrowser } from "../sign-in/sign-out.server";
import type { ActionContext } from "./account-request.server";
import { deletionConfirmation } from "./account-view.server";

type DeletionRefusal = Omit<Failure, "status"> & { status: 400 | 403 | 409 | 502 | 503 };

/**
 * Deletes an account: first it ends the plans at Stripe, then it deletes our records, then the user at the auth
 * server. Each step may be repeated, so a second press finishes what was cut off. Nothing is deleted while a plan
 * may still be charged.
 */
export async function deleteAccount(
  confirmation: string,
  action: ActionContext,
): Promise<DeletionRefusal | Response> {
  const { request, context, session, principal } = action;
  const { user } = principal;
  const expected = deletionConfirmation(principal.account);
  if (confirmation.toLowerCase() !== expected.toLowerCase()) {
    const message = accountFailures.confirmation.replace("{address}", expected);
    return { state: "failed", status: 400, message };
  }
  const database = serviceClient(context.configuration, context.caller);
  const workspaces = await workspacesOf(context, user.id);
  // A member who leaves or joins a workspace meanwhile changes what goes with the account: then it begins again.
  const ended: string[] = [];
  for (let round = 1; ; round++) {
    const refusal = await endPlans(action, database, ended);
    if (refusal) return refusal;
    try {
      if (await removeRecords(database, user, ended)) break;
    } catch (error) {
      log.error("An account was not deleted", describeError(error));
      return { state: "failed", status: 503, message: accountFailures.halfDeleted };
    }
    if (round === 3) return { state: "failed", status: 409, message: accountFailures.teamChanged };
  }
  await removeFromAlerts(context, workspaces, user.id);
  // Of a workspace with another owner the plan goes on, and Stripe writes to that one.
  for (const workspace of workspaces) await syncWorkspace(context.configuration, workspace);
  log.info("An account was deleted");
  closePages(context, workspaces, { person: user.id });
  const headers = leaveBrowser(await closeSession(context, request, session));
  return redirect("/account-deleted", { status: 303, headers });
}

/**
 * Ends the plans that go with the account and are not among `ended`, and adds their customers there. Answers why it does
 * not, or undefined.
 */
async function endPlans(
  { context, principal: { user } }: ActionContext,
  database: ServiceClient,
  ended: string[],
): Promise<DeletionRefusal | undefined> {
  let customers: string[];
  try {
    // A plan that was bought as a guest with this address would otherwise be charged for ever.
    await claimGuestPurchasesOrThrow(database, user);
    const { inTheWay, ...going } = await beginDeletion(database, user.id);
    if (inTheWay.length > 0) {
      const message = ended.length > 0 ? accountFailures.joinedLate : accountFailures.workspaces;
      return { state: "failed", status: 409, message, reasons: inTheWay };
    }
    customers = going.customers;
  } catch (error) {
    log.error("An account's customers were not read", describeError(error));
    const message = ended.length > 0 ? accountFailures.halfDeleted : accountFailures.unavailable;
    return { state: "failed", status: 503, message };
  }
  try {
    for (const customer of customers) {
      if (ended.includes(customer)) continue;
      await endSubscriptions(context.configuration, customer);
      ended.push(customer);
    }
  } catch (error) {
    log.error("An account's plan was not ended", describeError(error));
    return { state: "failed", status: 502, message: accountFailures.stripe };
  }
}

const begun = z.object({
  customers: z.optional(z.array(z.string())),
  in_the_way: z.optional(z.array(z.string())),
});

/**
 * Marks the account as closing, so that no mail about the end of its plans is sent in the meantime. Returns the ids of
 * the Stripe customers that go with it, or the names of the workspaces to be decided about first: the person alone owns
 * them, and others work there.
 */
async function beginDeletion(database: ServiceClient, person: string) {
  const { data } = await database.rpc("begin_account_deletion", { person }).throwOnError();
  const { customers = [], in_the_way: inTheWay = [] } = begun.parse(data);
  return { customers, inTheWay };
}

/** What the database answers where the deletion must begin again. */
const mustBeginAgain = "55000";

/** Answers false, and removes nothing, where other plans than the `ended` go with the account by now. */
async function removeRecords(
  database: ServiceClient,
  { id, email, emailVerified }: ActionContext["principal"]["user"],
  ended: string[],
): Promise<boolean> {
  const { error: failure } = await database.rpc("remove_personal_records", {
    person: id,
    verified_email: emailVerified ? email : "",
    ended,
  });
  if (failure?.code === mustBeginAgain) return false;
  if (failure) throw failure;
  // If the answer is lost, the user may be deleted and can not press again. So it is tried a second time here.
  for (const lastTry of [false, true]) {
    const { error } = await database.auth.admin.deleteUser(id);
    if (!error || error.code === "user_not_found") break;
    if (lastTry) throw error;
  }
  return true;
}
