import { redirect } from "react-router";
import * as z from "zod/mini";
import { accountFailures } from "~/content/account";
import { type Failure, failureOf, failureOfSending } from "~/features/auth/auth-errors.server";
import { withConstantTiming } from "~/features/auth/constant-timing.server";
import { countMail } from "../sign-in/mail-limits.server";
import { type ActionContext, accountPage } from "./account-request.server";

const linkValidMs = 60 * 60 * 1_000;

const pendingChange = z.object({ pending_email: z.object({ to: z.string(), at: z.number() }) });

/**
 * Asks the auth server to mail links to the new address and to the present one. The new address is first saved in
 * the person's own profile, so that the page looks the same whether the address is free or belongs to somebody
 * else.
 */
export async function changeEmail(
  email: string,
  action: ActionContext,
): Promise<Failure | Response> {
  const { session, principal, context } = action;
  if (email.toLowerCase() === principal.user.email.toLowerCase()) {
    return { state: "failed", status: 400, message: accountFailures.emailSame };
  }
  // These mails count too, so that nobody can fill a stranger's inbox with them.
  const tooMuchMail = await countMail(context, { to: email, purpose: "confirmation" });
  if (tooMuchMail) return tooMuchMail;
  return withConstantTiming(async () => {
    const { auth } = session.supabase;
    const noted = await auth.updateUser({ data: { pending_email: { to: email, at: Date.now() } } });
    if (noted.error) return failureOf(noted.error, accountFailures.unavailable);
    const { error } = await auth.updateUser(
      { email },
      { emailRedirectTo: `${context.configuration.SITE_URL}/dashboard/account` },
    );
    const { emailRefused } = accountFailures;
    const failure = error && failureOfSending(error, emailRefused);
    if (!failure) return redirect(accountPage("email", "address-asked"), 303);
    // No mail was sent, so the earlier pending address, if any, is restored.
    const { pending_email = null } = principal.account.user_metadata;
    await auth.updateUser({ data: { pending_email } });
    return failure;
  });
}

/** The new address that a person has asked for and not confirmed yet; undefined when its links have expired. */
export function pendingEmail(
  profile: Record<string, unknown>,
  currentAddress: string,
): { address: string; requestedAt: number } | undefined {
  const { data } = pendingChange.safeParse(profile);
  if (!data) return;
  const { to, at } = data.pending_email;
  if (to.toLowerCase() === currentAddress.toLowerCase() || Date.now() - at > linkValidMs) return;
  return { address: to, requestedAt: at };
}
