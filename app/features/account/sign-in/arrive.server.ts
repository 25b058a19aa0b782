import type { User } from "@supabase/supabase-js";
import { redirectDocument } from "react-router";
import { rememberMailProof } from "~/features/auth/session/mail-proof.server";
import type { RequestScope } from "~/features/auth/session/session.server";
import { claimGuestPurchases } from "~/features/billing/checkout/guest-purchases.server";
import { accountHolder } from "~/features/billing/subscriptions/customers.server";
import type { AppContext } from "~/http/app-context";
import { codePage } from "~/http/page-addresses";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import {
  allowNewPassword,
  forgetVoidedPassword,
  hasVoidedPassword,
} from "./pending-password.server";
import { viewAddress } from "./views";

/**
 * Finishes a sign-in: gives the account its personal workspace and what was bought as a guest with its address, and
 * redirects to `next`.
 */
export async function arrive(context: AppContext, user: User, next: string): Promise<Response> {
  if (hasVoidedPassword(user)) await forgetVoidedPassword(context, user.id);
  await arriveInWorkspaces(context, user.id);
  await claimGuestPurchases(context, accountHolder(user));
  // A document of its own: the content policy of the console is another (workers/headers/security-headers.ts).
  return redirectDocument(next, 303);
}

/**
 * Makes the personal workspace, and notes the sign-in in those that the person shares, unless a second factor is due.
 * Without an answer the first page of the console makes it.
 */
async function arriveInWorkspaces({ configuration, caller }: AppContext, person: string) {
  const { error } = await serviceClient(configuration, caller).rpc("arrive", { person });
  if (error) log.error("A personal workspace could not be made", describeError(error));
}

/** Like `arrive`, after a mailed link or code. Somebody whose password was voided may first choose a new one. */
export async function arriveByMail(
  scope: RequestScope,
  user: User,
  next: string,
): Promise<Response> {
  if (hasVoidedPassword(user)) {
    return choosePassword(scope, user, viewAddress("update_password", next, "address-confirmed"));
  }
  return withMailProof(scope, await arrive(scope.context, user, next));
}

/**
 * Like `arrive`, after a reset link or code: leads to the form for a new password, and before it to the page that
 * asks for the second factor if there is one.
 */
export function arriveToChoosePassword(
  scope: RequestScope,
  user: User,
  next: string,
): Promise<Response> {
  return choosePassword(scope, user, viewAddress("update_password", next));
}

async function choosePassword(scope: RequestScope, user: User, view: string) {
  const { context } = scope;
  const enrolled = user.factors?.some(({ status }) => status === "verified");
  const response = await arrive(context, user, enrolled ? codePage(view) : view);
  response.headers.append("set-cookie", await allowNewPassword(context.configuration, user.id));
  return withMailProof(scope, response);
}

async function withMailProof({ context, session }: RequestScope, response: Response) {
  response.headers.append("set-cookie", await rememberMailProof(context, session));
  return response;
}

/**
 * Notes a sign-in whose second factor was just given in the audit logs of the workspaces that the person shares. Nobody
 * waits for it, and no sign-in fails with it.
 */
export function noteSignIn(context: AppContext, person: string): void {
  context.waitUntil(note(context, person));
}

async function note({ configuration, caller }: AppContext, person: string): Promise<void> {
  const { error } = await serviceClient(configuration, caller).rpc("note_sign_in", { person });
  if (error) log.error("A sign-in was not noted", describeError(error));
}
