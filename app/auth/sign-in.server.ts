import type { AuthError, User } from "@supabase/supabase-js";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import { nextPath } from "~/request/next-path";
import { withinLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import { arrive, arriveByMail, arriveToChoosePassword } from "./arrive.server";
import { type Failure, failureOf, tellsOfAccount } from "./auth-errors.server";
import { atEvenPace } from "./even-pace.server";
import { mailClient } from "./mail-client.server";
import { startProviderSignIn } from "./provider-sign-in.server";
import { saveNewPassword } from "./save-new-password.server";
import type { Session } from "./session.server";
import type { SignInOutcome } from "./sign-in-outcome";
import {
  checkRequest,
  type Intent,
  intentOf,
  type SignInRequest,
  typedIn,
} from "./sign-in-request.server";
import { voidUnconfirmedPassword } from "./unconfirmed-password.server";
import type { View } from "./views";

type Asked = { request: Request; context: RequestContext; session: Session; next: string };
type Sent = { state: "sent"; message: string; code: "email" | "recovery" | "phone" };
/** What an intent comes to: the way on, or what its view says. */
type Answer = Response | Failure | Sent;

const viewOfIntent: Record<Intent, View> = {
  provider: "sign_in",
  sign_in: "sign_in",
  sign_up: "sign_up",
  resend_confirmation: "sign_up",
  forgotten_password: "forgotten_password",
  magic_link: "magic_link",
  phone_code: "magic_link",
  update_password: "update_password",
  verify_email_code: "verify_otp",
  verify_phone_code: "verify_otp",
};

/** Answers one post of the sign-in form: a redirect, or what the form shows. */
export async function answerSignIn(
  request: Request,
  form: URLSearchParams,
  context: RequestContext,
  session: Session,
): Promise<Response | SignInOutcome> {
  const typed = typedIn(form);
  const intent = intentOf(form);
  const shown = (view: View, rest: Failure | Sent): SignInOutcome =>
    rest.state === "sent" ? { ...rest, view, typed, status: 200 } : { ...rest, view, typed };
  if (!intent) {
    return shown("sign_in", { state: "failed", status: 400, message: signInFailures.noChoice });
  }
  const view = viewOfIntent[intent];
  const checked = checkRequest(intent, form);
  if (!checked.ok) return shown(view, { state: "failed", status: 400, message: checked.message });

  const asked = { request, context, session, next: nextPath(form.get("next"), "/dashboard") };
  const account = await accountKeys(checked.request);
  // The start of a provider's sign-in counts for itself.
  if (
    intent !== "provider" &&
    !(await withinLimit(context, "SIGN_IN_LIMIT", request, ...account))
  ) {
    return shown(view, { state: "failed", status: 429, message: tooOften });
  }
  const answer = await perform(checked.request, asked);
  return answer instanceof Response ? answer : shown(view, answer);
}

/** What an attempt counts against besides its network address; the address itself stays unreadable. */
async function accountKeys(request: SignInRequest): Promise<string[]> {
  const name = "email" in request ? request.email : "phone" in request ? request.phone : undefined;
  if (!name) return [];
  const bytes = new TextEncoder().encode(name.toLowerCase());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [`account:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`];
}

async function perform(wanted: SignInRequest, asked: Asked): Promise<Answer> {
  const { context, session, next } = asked;
  const mail = mailClient(context.configuration);
  switch (wanted.intent) {
    case "provider": {
      const start = await startProviderSignIn(
        asked.request,
        context,
        session,
        wanted.provider,
        next,
      );
      return start.ok ? start.response : { state: "failed", ...start };
    }
    case "sign_in":
      return atEvenPaceUnlessIn(async () => {
        const { email, password } = wanted;
        const { data, error } = await session.supabase.auth.signInWithPassword({ email, password });
        return { user: data.user, error, otherwise: signInFailures.credentials };
      }, asked);
    case "sign_up":
      return atEvenPace(async () => {
        const { email, password } = wanted;
        if (!(await voidUnconfirmedPassword(context, email, { signingUp: true }))) {
          return unavailable;
        }
        const { data, error } = await mail.auth.signUp({
          email,
          password,
          options: { emailRedirectTo: mailedNext(asked) },
        });
        // Where a project asks for no confirmation, the account is open at once.
        if (data.session && data.user) {
          await session.supabase.auth.setSession(data.session);
          return arrive(context, data.user, next);
        }
        return sentUnless(error, asked, { message: signInLabels.sign_up.sent, code: "email" });
      });
    case "resend_confirmation":
      return atEvenPace(async () => {
        const { error } = await mail.auth.resend({
          type: "signup",
          email: wanted.email,
          options: { emailRedirectTo: mailedNext(asked) },
        });
        return sentUnless(error, asked, { message: signInLabels.sign_up.sent, code: "email" });
      });
    case "forgotten_password":
      return atEvenPace(async () => {
        if (!(await voidUnconfirmedPassword(context, wanted.email))) return unavailable;
        const { error } = await mail.auth.resetPasswordForEmail(wanted.email, {
          redirectTo: mailedNext(asked),
        });
        const { sent } = signInLabels.forgotten_password;
        return sentUnless(error, asked, { message: sent, code: "recovery" });
      });
    case "magic_link":
      return atEvenPace(async () => {
        if (!(await voidUnconfirmedPassword(context, wanted.email))) return unavailable;
        const { error } = await mail.auth.signInWithOtp({
          email: wanted.email,
          options: { emailRedirectTo: mailedNext(asked) },
        });
        return sentUnless(error, asked, { message: signInLabels.magic_link.sent, code: "email" });
      });
    case "phone_code":
      if (!context.configuration.SIGN_IN_SMS) return notOffered;
      return atEvenPace(async () => {
        const { error } = await mail.auth.signInWithOtp({ phone: wanted.phone });
        const { phoneSent } = signInLabels.magic_link;
        return sentUnless(error, asked, { message: phoneSent, code: "phone" });
      });
    case "update_password":
      return saveNewPassword(wanted.password, asked);
    case "verify_email_code":
      return atEvenPaceUnlessIn(
        async () => {
          const { email, code, kind } = wanted;
          const check = { email, token: code, type: kind };
          const { data, error } = await session.supabase.auth.verifyOtp(check);
          return { user: data.user, error, otherwise: signInFailures.code };
        },
        asked,
        wanted.kind === "recovery" ? arriveToChoosePassword : arriveByMail,
      );
    case "verify_phone_code":
      if (!context.configuration.SIGN_IN_SMS) return notOffered;
      return atEvenPaceUnlessIn(async () => {
        const check = { phone: wanted.phone, token: wanted.code, type: "sms" } as const;
        const { data, error } = await session.supabase.auth.verifyOtp(check);
        return { user: data.user, error, otherwise: signInFailures.code };
      }, asked);
    default:
      return wanted satisfies never;
  }
}

const notOffered: Failure = { state: "failed", status: 400, message: signInFailures.notOffered };

const unavailable: Failure = {
  state: "failed",
  status: 503,
  message: signInFailures.unavailable,
};

/** Where the mail's link leads in the end. Our templates hand it to /auth/confirm. */
function mailedNext({ context, next }: Asked): string {
  return context.configuration.SITE_URL + next;
}

function sentUnless(
  error: AuthError | null,
  { context }: Asked,
  sent: Omit<Sent, "state">,
): Answer {
  if (!error || tellsOfAccount(error)) return { state: "sent", ...sent };
  return failureOf(error, context.requestId, signInFailures.emailWrong);
}

/** Signs in; only failures keep the even pace, whoever is in learns nothing from the clock. */
async function atEvenPaceUnlessIn(
  attempt: () => Promise<{ user: User | null; error: AuthError | null; otherwise: string }>,
  { context, next }: Asked,
  arriving = arrive,
): Promise<Answer> {
  const start = Promise.withResolvers<User | undefined>();
  const failed = atEvenPace(async (): Promise<Answer> => {
    const { user, error, otherwise } = await attempt();
    start.resolve(user && !error ? user : undefined);
    if (!error) return { state: "failed", status: 400, message: otherwise };
    return failureOf(error, context.requestId, otherwise);
  });
  failed.catch((error) => start.reject(error));
  const user = await start.promise;
  if (!user) return failed;
  return arriving(context, user, next);
}
