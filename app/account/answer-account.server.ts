import { redirect } from "react-router";
import { isRecent } from "~/auth/assurance.server";
import { closeSession } from "~/auth/close-session.server";
import type { Session } from "~/auth/session.server";
import { identifyForSure, secondFactorPage } from "~/auth/writer.server";
import { accountFailures } from "~/content/account";
import { withinLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import type { AccountOutcome, Section } from "./account-outcome";
import {
  type AccountIntent,
  type AccountRequest,
  checkAccountRequest,
} from "./account-request.server";
import type { Asked } from "./asked.server";
import { changeEmail } from "./change-email.server";
import { changePassword } from "./change-password.server";
import { deleteAccount } from "./delete-account.server";
import { linkIdentity, unlinkIdentity } from "./identities.server";
import { enrol, finishEnrolment, removeFactor } from "./second-factor.server";

/** A browser that was left open must not give somebody else a way in, or take the owner's. */
const newWaysIn: ReadonlySet<AccountIntent> = new Set(["link", "unlink", "enrol"]);

/** Answers one post of the account page: a redirect, or what the page shows. */
export async function answerAccount(
  request: Request,
  form: URLSearchParams,
  context: RequestContext,
  session: Session,
): Promise<Response | AccountOutcome> {
  const checked = checkAccountRequest(form);
  const { section } = checked;
  const failed = (status: number, message: string): AccountOutcome => ({
    section,
    state: "failed",
    status,
    message,
    ...typedIn(section, form),
  });
  if (!checked.ok) return failed(400, checked.message);
  if (checked.request.intent === "sign_in_again") {
    const headers = await closeSession(request, session);
    return redirect("/signin?next=/dashboard/account", { status: 303, headers });
  }
  const writer = await identifyForSure(session, context.requestId);
  if (!writer.ok && writer.status === 403) {
    return redirect(secondFactorPage(`/dashboard/account#${section}`), 303);
  }
  if (!writer.ok && writer.status === 401) return redirect("/signin?next=/dashboard/account", 303);
  if (!writer.ok) return failed(writer.status, writer.message);
  if (!(await withinLimit(context, "SIGN_IN_LIMIT", request, `user:${writer.user.id}`))) {
    return failed(429, tooOften);
  }
  if (newWaysIn.has(checked.request.intent) && !isRecent(writer.assurance)) {
    return failed(403, accountFailures.signInAgain);
  }
  const answer = await perform(checked.request, { request, context, session, writer });
  if (answer instanceof Response) return answer;
  return answer.state === "failed"
    ? { section, ...answer, ...typedIn(section, form) }
    : { section, ...answer };
}

/** What was typed, to show it again. Never a password. */
function typedIn(section: Section, form: URLSearchParams): { typed?: string } {
  const typed = section === "email" ? form.get("email") : form.get("confirmation");
  return typed ? { typed: typed.slice(0, 254) } : {};
}

function perform(wanted: Exclude<AccountRequest, { intent: "sign_in_again" }>, asked: Asked) {
  switch (wanted.intent) {
    case "change_email":
      return changeEmail(wanted.email, asked);
    case "change_password":
      return changePassword(wanted, asked);
    case "link":
      return linkIdentity(wanted.provider, asked);
    case "unlink":
      return unlinkIdentity(wanted.identity, asked);
    case "enrol":
      return enrol(wanted.name, asked);
    case "finish_enrolment":
      return finishEnrolment(wanted, asked);
    case "remove_factor":
      return removeFactor(wanted.factorId, asked);
    case "delete":
      return deleteAccount(wanted.confirmation, asked);
    default:
      return wanted satisfies never;
  }
}
