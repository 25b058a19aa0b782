import type { AuthError, User } from "@supabase/supabase-js";
import type { RouterContextProvider } from "react-router";
import { principalIfAny, type Refusal } from "~/access/guarded-action.server";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import { log } from "~/observability/log.server";
import { nextPath } from "~/request/next-path";
import { withinLimit } from "~/request/rate-limit.server";
import { type RequestContext, requestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import { arrive, arriveByMail, arriveToChoosePassword } from "./arrive.server";
import { type Failure, failureOf, failureOfSending } from "./auth-errors.server";
import { rememberCodeRequest } from "./code-request.server";
import { refuseEasyPassword } from "./easy-password.server";
import { atEvenPace } from "./even-pace.server";
import { presentAccount } from "./link-account.server";
import { mailClient } from "./mail-client.server";
import { refuseToMail } from "./mail-limits.server";
import { afterRightCode, mayTryCode } from "./mailed-code.server";
import type { Principal } from "./principal.server";
import { startProviderSignIn } from "./provider-sign-in.server";
import { refuseNewPassword, saveNewPassword } from "./save-new-password.server";
import { type Session, sessionContext } from "./session.server";
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

/** What the form shows, and the headers that go with it. */
export type Shown = { outcome: SignInOutcome; headers: Headers };

type Asked = {
  request: Request;
  context: RequestContext;
  session: Session;
  next: string;
  principal: Principal | undefined;
};
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
  routed: Readonly<RouterContextProvider>,
): Promise<Response | Shown> {
  const context = routed.get(requestContext);
  const session = routed.get(sessionContext);
  const typed = typedIn(form);
  const intent = intentOf(form);
  const shown = (view: View, failure: Failure) => failedIn(view, form, failure);
  if (!intent) {
    return shown("sign_in", { state: "failed", status: 400, message: signInFailures.noChoice });
  }
  const view = viewOfIntent[intent];
  const checked = checkRequest(intent, form);
  if (!checked.ok) return shown(view, { state: "failed", status: 400, message: checked.message });

  const asked = {
    request,
    context,
    session,
    next: nextPath(form.get("next"), "/dashboard"),
    principal: principalIfAny(routed),
  };
  const to = accountOf(checked.request);
  if (
    !countedElsewhere.has(intent) &&
    !(await withinLimit(context, "SIGN_IN_LIMIT", request, ...(await accountKeys(to))))
  ) {
    return shown(view, { state: "failed", status: 429, message: tooOften });
  }
  const answer =
    (await refuseToMail(context, request, form, { intent, to })) ??
    (await otherAccountHere(checked.request, asked)) ??
    (await perform(checked.request, asked));
  if (answer instanceof Response) {
    if (signsIn.has(intent))
      log.info("Somebody signed in", { requestId: context.requestId, by: intent });
    return answer;
  }
  if (answer.state === "failed") return shown(view, answer);
  const cookie = await rememberCodeRequest(context, { to, kind: answer.code });
  return {
    outcome: { ...answer, view, typed, status: 200 },
    headers: new Headers({ "set-cookie": cookie }),
  };
}

/** The guard's refusal, in the one view whose rule identifies somebody. */
export function refuseSignIn(refusal: Refusal, form: URLSearchParams): Shown {
  return failedIn("update_password", form, refuseNewPassword(refusal));
}

function failedIn(view: View, form: URLSearchParams, { retryAfter, ...rest }: Failure): Shown {
  return {
    outcome: { ...rest, view, typed: typedIn(form) },
    headers: new Headers(retryAfter ? { "retry-after": String(retryAfter) } : {}),
  };
}

/** The start of a provider's sign-in counts by itself, and the guard counts new passwords. */
const countedElsewhere: ReadonlySet<Intent> = new Set(["provider", "update_password"]);

/** What ends in a session, where it leads on at all. */
const signsIn: ReadonlySet<Intent> = new Set([
  "sign_in",
  "sign_up",
  "verify_email_code",
  "verify_phone_code",
]);

/** Whose account an attempt is about, by address or number; "" where it does not say. */
function accountOf(request: SignInRequest): string {
  return "email" in request ? request.email : "phone" in request ? request.phone : "";
}

/** A code that somebody was told to type must not replace the session of whoever is in here. */
async function otherAccountHere(
  wanted: SignInRequest,
  { context, session }: Asked,
): Promise<Failure | undefined> {
  const [named] =
    wanted.intent === "verify_email_code"
      ? [wanted.email.toLowerCase()]
      : wanted.intent === "verify_phone_code"
        ? [wanted.phone.replace("+", "")]
        : [];
  if (!named) return;
  const present = await presentAccount(session, context.requestId);
  if (present === "unavailable") return unavailable;
  if (!present || present.name.toLowerCase() === named) return;
  const message = signInFailures.otherAccount.replace("{name}", present.name);
  return { state: "failed", status: 409, message };
}

/** What an attempt counts against besides its network address; the address itself stays unreadable. */
async function accountKeys(name: string): Promise<string[]> {
  if (!name) return [];
  const bytes = new TextEncoder().encode(name.toLowerCase());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [`account:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`];
}

async function perform(wanted: SignInRequest, asked: Asked): Promise<Answer> {
  const { context, session, next } = asked;
  const mail = mailClient(context);
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
    case "sign_up": {
      const { email, password } = wanted;
      // It says nothing of the account: the answer is the same for every address.
      const easy = await refuseEasyPassword(password, email);
      if (easy) return easy;
      return atEvenPace(async () => {
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
        // That sign-ups are closed is said of every address, known or not.
        if (error?.code === "signup_disabled") return failureOf(error, context.requestId, "");
        return sentUnless(error, asked, { message: signInLabels.sign_up.sent, code: "email" });
      });
    }
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
    case "verify_email_code": {
      const { email, code } = wanted;
      const may = await mayTryCode(context, asked.request, { to: email, kind: wanted.kind });
      if (!may.ok) return may.failure;
      const type = may.kind === "recovery" ? "recovery" : "email";
      return atEvenPaceUnlessIn(
        async () => {
          const check = { email, token: code, type } as const;
          const { data, error } = await session.supabase.auth.verifyOtp(check);
          return { user: data.user, error, otherwise: signInFailures.code };
        },
        asked,
        afterRightCode(email, type === "recovery" ? arriveToChoosePassword : arriveByMail),
      );
    }
    case "verify_phone_code": {
      if (!context.configuration.SIGN_IN_SMS) return notOffered;
      const { phone, code } = wanted;
      const may = await mayTryCode(context, asked.request, { to: phone, kind: "phone" });
      if (!may.ok) return may.failure;
      return atEvenPaceUnlessIn(
        async () => {
          const check = { phone, token: code, type: "sms" } as const;
          const { data, error } = await session.supabase.auth.verifyOtp(check);
          return { user: data.user, error, otherwise: signInFailures.code };
        },
        asked,
        afterRightCode(phone, arrive),
      );
    }
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
  const otherwise = sent.code === "phone" ? signInFailures.phoneWrong : signInFailures.emailWrong;
  const failure = error && failureOfSending(error, context.requestId, otherwise);
  return failure ?? { state: "sent", ...sent };
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
