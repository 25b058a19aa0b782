import type { User } from "@supabase/supabase-js";
import { redirect } from "react-router";
import { codePage } from "~/features/auth/guard/page-addresses";
import { claimGuestPurchases } from "~/features/billing/checkout/guest-purchases.server";
import { accountHolder } from "~/features/billing/subscriptions/customers.server";
import type { AppContext } from "~/http/app-context";
import { allowNewPassword } from "./password/password-recovery.server";
import { forgetVoidedPassword, hasVoidedPassword } from "./password/unconfirmed-password.server";
import { viewAddress } from "./views";

/** Sends somebody who has just signed in to where they were going, with what they bought as a guest. */
export async function arrive(context: AppContext, user: User, next: string): Promise<Response> {
  if (hasVoidedPassword(user)) await forgetVoidedPassword(context, user.id);
  await claimGuestPurchases(context, accountHolder(user));
  return redirect(next, 303);
}

/** The same after a mailed link or code. Whose password from before that does not work may choose one. */
export async function arriveByMail(
  context: AppContext,
  user: User,
  next: string,
): Promise<Response> {
  if (!hasVoidedPassword(user)) return arrive(context, user, next);
  return choosePassword(context, user, viewAddress("update_password", next, "address-confirmed"));
}

/** The same after a reset link or code: a new password comes first, and before it a second factor. */
export function arriveToChoosePassword(
  context: AppContext,
  user: User,
  next: string,
): Promise<Response> {
  return choosePassword(context, user, viewAddress("update_password", next));
}

async function choosePassword(context: AppContext, user: User, view: string) {
  const enrolled = user.factors?.some(({ status }) => status === "verified");
  const response = await arrive(context, user, enrolled ? codePage(view) : view);
  response.headers.append("set-cookie", await allowNewPassword(context.configuration, user.id));
  return response;
}
