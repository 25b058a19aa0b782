import type { AuthError, User } from "@supabase/supabase-js";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import { type Failure, failureOf, failureOfSending } from "~/features/auth/auth-errors.server";
import { withConstantTiming } from "~/features/auth/constant-timing.server";
import type { Principal, Session } from "~/features/auth/session/session.server";
import { forgetSignInTexts } from "~/features/auth/text-limits.server";
import type { AppContext } from "~/http/app-context";
import { mailClient } from "~/platform/auth-server/auth-server-fetch.server";
import { log } from "~/platform/log/log.server";
import { arrive, arriveByMail, arriveToChoosePassword } from "./arrive.server";
import { refuseEasyPassword } from "./easy-password.server";
import { afterRightCode, mayTryCode } from "./mailed-code.server";
import { signInWithIdToken } from "./one-tap.server";
import { voidUnconfirmedPassword } from "./pending-password.server";
import { startProviderSignIn } from "./provider-sign-in.server";
import { saveNewPassword } from "./save-new-password.server";
import type { SignInRequest } from "./sign-in-request.server";

/** What the handling of an intent needs besides the checked form. */
export type SignInContext = {
  request: Request;
  context: AppContext;
  session: Session;
  next: string;
  principal: Principal | undefined;
};
type Sent = { state: "sent"; message: string; code: "email" | "recovery" | "phone" };
/** A redirect, or what the view shows. */
type Answer = Response | Failure | Sent;

/** Carries out a checked request. No answer reveals whether an account exists. */
export async function performIntent(
  request: SignInRequest,
  attempt: SignInContext,
): Promise<Answer> {
  const { context, session, next } = attempt;
  const mail = mailClient(context);
  switch (request.intent) {
    case "provider": {
      const start = await startProviderSignIn(
        attempt.request,
        context,
        session,
        request.provider,
        next,
      );
      return start.ok ? start.response : { state: "failed", ...start };
    }
    case "one_tap":
      return signInWithIdToken(request.credential, attempt);
    case "sign_in":
      return withConstantTimingUnlessSignedIn(async () => {
        const { email, password } = request;
        const { data, error } = await session.supabase.auth.signInWithPassword({ email, password });
        return { user: data.user, error, otherwise: signInFailures.credentials };
      }, attempt);
    case "sign_up": {
      const { email, password } = request;
      // This reveals nothing: it does not depend on whether the address has an account.
      const easy = await refuseEasyPassword(password, email, context);
      if (easy) return easy;
      return withConstantTiming(async () => {
        if (!(await voidUnconfirmedPassword(context, email, { signingUp: true }))) {
          return unavailable;
        }
        const { data, error } = await mail.auth.signUp({
          email,
          password,
          options: { emailRedirectTo: mailedNext(attempt) },
        });
        // In a project that does not confirm addresses, the session is open at once.
        if (data.session && data.user) {
          await session.supabase.auth.setSession(data.session);
          return arrive(context, data.user, next);
        }
        // This reveals nothing: the answer for every address is that sign-ups are closed.
        if (error?.code === "signup_disabled") return failureOf(error, "");
        return sentUnless(error, { message: signInLabels.sign_up.sent, code: "email" });
      });
    }
    case "resend_confirmation":
      return withConstantTiming(async () => {
        const { error } = await mail.auth.resend({
          type: "signup",
          email: request.email,
          options: { emailRedirectTo: mailedNext(attempt) },
        });
        return sentUnless(error, { message: signInLabels.sign_up.sent, code: "email" });
      });
    case "forgotten_password":
      return withConstantTiming(async () => {
        if (!(await voidUnconfirmedPassword(context, request.email))) return unavailable;
        const { error } = await mail.auth.resetPasswordForEmail(request.email, {
          redirectTo: mailedNext(attempt),
        });
        const { sent } = signInLabels.forgotten_password;
        return sentUnless(error, { message: sent, code: "recovery" });
      });
    case "magic_link":
      return withConstantTiming(async () => {
        if (!(await voidUnconfirmedPassword(context, request.email))) return unavailable;
        const { error } = await mail.auth.signInWithOtp({
          email: request.email,
          options: { emailRedirectTo: mailedNext(attempt) },
        });
        return sentUnless(error, { message: signInLabels.magic_link.sent, code: "email" });
      });
    case "phone_code":
      if (!context.configuration.SIGN_IN_SMS) return notOffered;
      return withConstantTiming(async () => {
        // No account begins by a text: it would have no address for what is bought, and each number would cost one.
        const { error } = await mail.auth.signInWithOtp({
          phone: request.phone,
          options: { shouldCreateUser: false },
        });
        if (!error) log.info("A code was texted", { for: "sign-in" });
        const { phoneSent } = signInLabels.magic_link;
        return sentUnless(error, { message: phoneSent, code: "phone" });
      });
    case "update_password":
      return saveNewPassword(request.password, attempt);
    case "verify_email_code": {
      const { email, code } = request;
      const may = await mayTryCode(context, attempt.request, { to: email, kind: request.kind });
      if (!may.ok) return may.failure;
      const type = may.kind === "recovery" ? "recovery" : "email";
      const arriving = type === "recovery" ? arriveToChoosePassword : arriveByMail;
      return withConstantTimingUnlessSignedIn(
        async () => {
          const check = { email, token: code, type } as const;
          const { data, error } = await session.supabase.auth.verifyOtp(check);
          return { user: data.user, error, otherwise: signInFailures.code };
        },
        attempt,
        afterRightCode(email, (_, user, then) => arriving(attempt, user, then)),
      );
    }
    case "verify_phone_code": {
      if (!context.configuration.SIGN_IN_SMS) return notOffered;
      const { phone, code } = request;
      const may = await mayTryCode(context, attempt.request, { to: phone, kind: "phone" });
      if (!may.ok) return may.failure;
      return withConstantTimingUnlessSignedIn(
        async () => {
          const check = { phone, token: code, type: "sms" } as const;
          const { data, error } = await session.supabase.auth.verifyOtp(check);
          return { user: data.user, error, otherwise: signInFailures.code };
        },
        attempt,
        afterRightCode(phone, (...arrival) => {
          context.waitUntil(forgetSignInTexts(context, phone));
          return arrive(...arrival);
        }),
      );
    }
    default:
      return request satisfies never;
  }
}

const notOffered: Failure = { state: "failed", status: 400, message: signInFailures.notOffered };

export const unavailable: Failure = {
  state: "failed",
  status: 503,
  message: signInFailures.unavailable,
};

/** The URL to which the mail's link leads in the end. Our mail templates make it the `next` of /auth/confirm. */
function mailedNext({ context, next }: SignInContext): string {
  return context.configuration.SITE_URL + next;
}

function sentUnless(error: AuthError | null, sent: Omit<Sent, "state">): Answer {
  const otherwise = sent.code === "phone" ? signInFailures.phoneWrong : signInFailures.emailWrong;
  const failure = error && failureOfSending(error, otherwise);
  return failure ?? { state: "sent", ...sent };
}

/** Signs a user in. Only failures take a constant time: success reveals the account to its own user alone. */
async function withConstantTimingUnlessSignedIn(
  attempt: () => Promise<{ user: User | null; error: AuthError | null; otherwise: string }>,
  { context, next }: SignInContext,
  arriving = arrive,
): Promise<Answer> {
  const start = Promise.withResolvers<User | undefined>();
  const failed = withConstantTiming(async (): Promise<Answer> => {
    const { user, error, otherwise } = await attempt();
    start.resolve(user && !error ? user : undefined);
    if (!error) return { state: "failed", status: 400, message: otherwise };
    return failureOf(error, otherwise);
  });
  failed.catch((error) => start.reject(error));
  const user = await start.promise;
  if (!user) return failed;
  return arriving(context, user, next);
}
