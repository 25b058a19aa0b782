import type { RouterContextProvider } from "react-router";
import { signInFailures } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { GuardRefusal } from "~/features/auth/guard.server";
import { type Principal, sessionContext } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { nextPath } from "~/http/page-addresses";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { log } from "~/platform/log/log.server";
import { refuseToMail } from "./mail-limits.server";
import { rememberCodeRequest } from "./mailed-code.server";
import { currentAccount } from "./mailed-link.server";
import { refuseNewPassword } from "./save-new-password.server";
import { performIntent, type SignInContext, unavailable } from "./sign-in-intents.server";
import {
  checkRequest,
  type Intent,
  intentOf,
  type SignInRequest,
  signInValues,
} from "./sign-in-request.server";
import type { SignInOutcome, View } from "./views";

/** What the form shows, and the headers that go with it. */
export type SignInAnswer = { outcome: SignInOutcome; headers: Headers };

const viewOfIntent: Record<Intent, View> = {
  provider: "sign_in",
  one_tap: "sign_in",
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
  principal: Principal | undefined,
): Promise<Response | SignInAnswer> {
  const context = routed.get(appContext);
  const session = routed.get(sessionContext);
  const values = signInValues(form);
  const intent = intentOf(form);
  const fail = (view: View, failure: Failure) => failedIn(view, form, failure);
  if (!intent) {
    return fail("sign_in", { state: "failed", status: 400, message: signInFailures.noChoice });
  }
  const view = viewOfIntent[intent];
  const checked = checkRequest(intent, form);
  if (!checked.ok) return fail(view, { state: "failed", status: 400, message: checked.message });

  const attempt = {
    request,
    context,
    session,
    next: nextPath(form.get("next"), "/dashboard"),
    principal,
  };
  const to = accountOf(checked.request);
  if (
    !countedElsewhere.has(intent) &&
    !(await withinLimit(context, "SIGN_IN_LIMIT", request, ...(await accountKeys(to))))
  ) {
    return fail(view, { state: "failed", status: 429, message: tooOften });
  }
  const answer =
    (await refuseToMail(context, request, form, { intent, to })) ??
    (await otherAccountHere(checked.request, attempt)) ??
    (await performIntent(checked.request, attempt));
  if (answer instanceof Response) {
    if (signsIn.has(intent)) log.info("Somebody signed in", { by: intent });
    return answer;
  }
  if (answer.state === "failed") return fail(view, answer);
  const cookie = await rememberCodeRequest(context, { to, kind: answer.code });
  return {
    outcome: { ...answer, view, values, status: 200 },
    headers: new Headers({ "set-cookie": cookie }),
  };
}

/** Shows the guard's refusal in the form for a new password, the only one whose rule asks for a signed-in person. */
export function refuseSignIn(refusal: GuardRefusal, form: URLSearchParams): SignInAnswer {
  return failedIn("update_password", form, refuseNewPassword(refusal));
}

function failedIn(
  view: View,
  form: URLSearchParams,
  { retryAfter, ...rest }: Failure,
): SignInAnswer {
  return {
    outcome: { ...rest, view, values: signInValues(form) },
    headers: new Headers(retryAfter ? { "retry-after": String(retryAfter) } : {}),
  };
}

/** Intents that are counted elsewhere: the first in `startProviderSignIn`, the second by the guard. */
const countedElsewhere: ReadonlySet<Intent> = new Set(["provider", "update_password"]);

/** Intents that have signed somebody in when the answer is a redirect. */
const signsIn: ReadonlySet<Intent> = new Set([
  "one_tap",
  "sign_in",
  "sign_up",
  "verify_email_code",
  "verify_phone_code",
]);

/** The address or phone number that a request names; "" if it names none. */
function accountOf(request: SignInRequest): string {
  return "email" in request ? request.email : "phone" in request ? request.phone : "";
}

/**
 * Refuses a code for another account than the one that is signed in here: a person who is talked into typing a
 * stranger's code must not lose their own session.
 */
async function otherAccountHere(
  request: SignInRequest,
  { session }: SignInContext,
): Promise<Failure | undefined> {
  const [named] =
    request.intent === "verify_email_code"
      ? [request.email.toLowerCase()]
      : request.intent === "verify_phone_code"
        ? [request.phone.replace("+", "")]
        : [];
  if (!named) return;
  const current = await currentAccount(session);
  if (current === "unavailable") return unavailable;
  if (!current || current.name.toLowerCase() === named) return;
  const message = signInFailures.otherAccount.replace("{name}", current.name);
  return { state: "failed", status: 409, message };
}

/** The key by which an attempt is counted for its account. It has a hash in place of the address. */
async function accountKeys(name: string): Promise<string[]> {
  if (!name) return [];
  return [`account:${await sha256Hex(name.toLowerCase())}`];
}
