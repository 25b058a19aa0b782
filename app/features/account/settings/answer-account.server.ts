import { type RouterContextProvider, redirect } from "react-router";
import { accountFailures } from "~/content/account";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { GuardRefusal } from "~/features/auth/guard.server";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import { type Principal, sessionContext } from "~/features/auth/session/session.server";
import { ssoProviderOf } from "~/features/auth/sso-identity";
import { appContext } from "~/http/app-context";
import { endTrialPage, nextPath, signInPage } from "~/http/page-addresses";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { closeSessionToReturn } from "../sign-in/sign-out.server";
import type { AccountOutcome, Section } from "./account-outcome";
import {
  type AccountIntent,
  type AccountRequest,
  type ActionContext,
  accountPage,
  checkAccountRequest,
} from "./account-request.server";
import { changeEmail } from "./change-email.server";
import { changePassword } from "./change-password.server";
import { changePhone, finishPhoneChange } from "./change-phone.server";
import { linkIdentity } from "./connecting.server";
import { deleteAccount } from "./delete-account.server";
import { enrolPhone, finishPhone } from "./second-factor/phone-factor.server";
import { renewRecoveryCodes } from "./second-factor/recovery-codes.server";
import { enrol, finishEnrolment, removeFactor } from "./second-factor/second-factor.server";
import { endSession } from "./sessions.server";

/** Answers a post of the account page: with a redirect, or with what the page shows. */
export async function answerAccount(
  request: Request,
  form: URLSearchParams,
  routed: Readonly<RouterContextProvider>,
  principal: Principal | undefined,
): Promise<Response | AccountOutcome> {
  const context = routed.get(appContext);
  const session = routed.get(sessionContext);
  const checked = checkAccountRequest(form);
  const { section } = checked;
  if (!checked.ok) return failed(section, form, { status: 400, message: checked.message });
  const { request: change } = checked;
  if (change.intent === "sign_in_again") {
    if (await isInTrial(session)) return redirect(endTrialPage(form.get("next")), 303);
    const headers = await closeSessionToReturn(context, request, session);
    const next = nextPath(form.get("next"), "/dashboard/account");
    return redirect(signInPage(next), { status: 303, headers });
  }
  if (!principal) throw new Error("Nobody was identified for this action");
  if (managedIntents.has(change.intent) && ssoProviderOf(principal.account)) {
    return failed(section, form, { status: 403, message: accountFailures.managed });
  }
  const answer = await perform(change, { request, context, session, principal });
  if (answer instanceof Response) return answer;
  return answer.state === "failed"
    ? { section, ...answer, ...valueIn(section, form) }
    : { section, ...answer };
}

/**
 * What the auth server changes for no account of single sign-on, and a further way in, by which somebody would stay whom
 * their organisation lets in no more.
 */
const managedIntents: ReadonlySet<AccountIntent> = new Set([
  "change_email",
  "change_phone",
  "finish_phone_change",
  "change_password",
  "link",
]);

/** The guard's refusal, for the section whose form was posted. */
export function refuseAccount(refusal: GuardRefusal, form: URLSearchParams): AccountOutcome {
  return failed(checkAccountRequest(form).section, form, refusal);
}

function failed(
  section: Section,
  form: URLSearchParams,
  { status, message }: { status: number; message: string },
): AccountOutcome {
  return { section, state: "failed", status, message, ...valueIn(section, form) };
}

/** The value of the form's field, to show it again. It is never a password. */
function valueIn(section: Section, form: URLSearchParams): { value?: string } {
  const fields: Partial<Record<Section, string>> = {
    email: "email",
    phone: "phone",
    "second-factor": "phone",
  };
  const value = form.get(fields[section] ?? "confirmation");
  return value ? { value: value.slice(0, 254) } : {};
}

function perform(
  change: Exclude<AccountRequest, { intent: "sign_in_again" }>,
  action: ActionContext,
) {
  switch (change.intent) {
    case "change_email":
      return changeEmail(change.email, action);
    case "change_phone":
      return changePhone(change.phone, action);
    case "finish_phone_change":
      return finishPhoneChange(change, action);
    case "change_password":
      return changePassword(change, action);
    case "link":
      return linkIdentity(change.provider, action);
    case "unlink":
      return unlinkIdentity(change.identity, action);
    case "enrol":
      return enrol(change.name, action);
    case "finish_enrolment":
      return finishEnrolment(change, action);
    case "enrol_phone":
      return enrolPhone(change.phone, action);
    case "finish_phone":
      return finishPhone(change, action);
    case "remove_factor":
      return removeFactor(change.factorId, action);
    case "renew_codes":
      return renewRecoveryCodes(action);
    case "end_session":
      return endSession(change.session, action);
    case "delete":
      return deleteAccount(change.confirmation, action);
    default:
      return change satisfies never;
  }
}

/** Disconnects a provider, unless it is the last way to sign in, and ends every other session of the account. */
async function unlinkIdentity(
  identity: string,
  { principal, context }: ActionContext,
): Promise<Failure | Response> {
  const { sessionId } = principal.assurance;
  const { data, error } = await serviceClient(context.configuration).rpc("remove_identity", {
    person: principal.user.id,
    identity,
    ...(sessionId && { kept_session: sessionId }),
  });
  if (error) {
    log.error("A way to sign in was not removed", describeError(error));
    return { state: "failed", status: 503, message: accountFailures.unavailable };
  }
  if (data === "removed") {
    forgetSessionsOf(principal.user.id);
    return redirect(accountPage("identities", "unlinked"), 303);
  }
  const message = data === "only" ? accountFailures.onlyWayIn : accountFailures.notLinked;
  return { state: "failed", status: 400, message };
}
