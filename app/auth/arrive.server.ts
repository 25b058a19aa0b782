import type { User } from "@supabase/supabase-js";
import { redirect } from "react-router";
import { claimGuestPurchases } from "~/billing/guest-purchases.server";
import type { RequestContext } from "~/request/request-context";
import { allowNewPassword } from "./password-recovery.server";
import { viewAddress } from "./views";

/** Sends somebody who has just signed in to where they were going, with what they bought as a guest. */
export async function arrive(context: RequestContext, user: User, next: string): Promise<Response> {
  await claimGuestPurchases(context, {
    id: user.id,
    email: user.email ?? "",
    emailVerified: Boolean(user.email_confirmed_at),
  });
  return redirect(next, 303);
}

/** The same after a reset link or code: a new password comes first. */
export async function arriveToChoosePassword(
  context: RequestContext,
  user: User,
  next: string,
): Promise<Response> {
  const response = await arrive(context, user, viewAddress("update_password", next));
  response.headers.append("set-cookie", await allowNewPassword(context.configuration, user.id));
  return response;
}
