import { redirect } from "react-router";
import { accountFailures } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import { type AttemptLimit, resetAttempts } from "~/features/auth/attempt-limit.server";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import { withConstantTiming } from "~/features/auth/constant-timing.server";
import type { Principal } from "~/features/auth/session/session.server";
import { refuseText } from "~/features/auth/text-limits.server";
import { mailClient } from "~/platform/auth-server/auth-server-fetch.server";
import { log } from "~/platform/log/log.server";
import { type ActionContext, accountPage, sentCode } from "./account-request.server";
import { refuseAttempt } from "./second-factor/code-attempts.server";
import { phoneFactorsOf } from "./second-factor/phone-factor.server";

type Texted = { state: "phone-texted"; status: number; phone: string; message?: string };

const codeAttempts: AttemptLimit = { kind: "phone-change", maxAttempts: 5, seconds: 10 * 60 };

const isFactor: Failure = {
  state: "failed",
  status: 400,
  message: accountFailures.phoneIsFactor,
};
const notOffered: Failure = { state: "failed", status: 400, message: signInFailures.notOffered };

/**
 * Asks the auth server to text a code to a new phone number. The answer is the same for a number of another account, to
 * which nothing is sent.
 */
export async function changePhone(
  phone: string,
  { session, principal, context }: ActionContext,
): Promise<Failure | Texted> {
  if (!context.configuration.SIGN_IN_SMS) return notOffered;
  if (digitsOf(phone) === principal.account.phone) {
    return { state: "failed", status: 400, message: accountFailures.phoneSame };
  }
  if (isPhoneFactor(principal, phone)) return isFactor;
  const person = principal.user.id;
  const refusal = await refuseText(context, { person, phone, isNew: true });
  if (refusal) return refusal;
  return withConstantTiming(async () => {
    const { error } = await session.supabase.auth.updateUser({ phone });
    const texted: Texted = { state: "phone-texted", status: 200, phone };
    if (!error) {
      log.info("A code was texted", { for: "phone number" });
      return texted;
    }
    if (error.code === "phone_exists") {
      log.warn("A new phone number is another account's");
      return texted;
    }
    // The auth server texts one code a minute to each person. The one before stays good for its own number alone.
    if (error.code === "over_sms_send_rate_limit" && error.message.includes("security purposes")) {
      const message = accountFailures.textedBefore;
      return { state: "failed", status: 429, message, retryAfter: 60 };
    }
    return failureOf(error, signInFailures.phoneWrong);
  });
}

/**
 * Takes the code that was texted to the new number. The auth server answers with one more session, as if the person had
 * signed in by it. It is ended at once, and the present session stays: in the new one a second factor would be due again.
 */
export async function finishPhoneChange(
  { phone, code }: { phone: string; code: string },
  { principal, context }: ActionContext,
): Promise<Failure | Texted | Response> {
  if (!context.configuration.SIGN_IN_SMS) return notOffered;
  // It may have become one since the code was asked for.
  if (isPhoneFactor(principal, phone)) return isFactor;
  const { id } = principal.user;
  const refusal = await refuseAttempt(context, id, codeAttempts);
  if (refusal) return refusal;
  return withConstantTiming(async () => {
    const again = (message: string): Texted => ({
      state: "phone-texted",
      status: 400,
      phone,
      message,
    });
    const checked = sentCode.safeParse(code);
    // Only the number that this very account waits for: the auth server finds the person by the number.
    if (!checked.success || principal.account.new_phone !== digitsOf(phone)) {
      return again(accountFailures.phoneCode);
    }
    const { auth } = mailClient(context);
    const given = { phone, token: checked.data, type: "phone_change" } as const;
    const { data, error } = await auth.verifyOtp(given);
    if (error) {
      const failure = failureOf(error, accountFailures.phoneCode);
      return failure.status === 400 ? again(failure.message) : failure;
    }
    if (data.session) await auth.signOut({ scope: "local" });
    if (data.user?.id !== id) {
      log.error("A texted code has changed the number of another account");
      return again(accountFailures.phoneCode);
    }
    await resetAttempts(context, id, codeAttempts);
    return redirect(accountPage("phone", "phone-changed"), 303);
  });
}

/** Whether a number is a second factor: one telephone would then be the way in and the second proof. */
function isPhoneFactor({ account }: Principal, number: string): boolean {
  return phoneFactorsOf(account).some(
    ({ phone, status }) => status === "verified" && digitsOf(phone) === digitsOf(number),
  );
}

function digitsOf(phone: string): string {
  return phone.replace("+", "");
}
