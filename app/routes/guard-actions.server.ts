import type { User } from "@supabase/supabase-js";
import { createContext, data, type MiddlewareFunction, redirect } from "react-router";
import { accountFailures } from "~/content/account";
import { needsAccount, trialChangesUsed } from "~/content/trial";
import { type Decision, type GuardRefusal, setDecision } from "~/features/auth/guard.server";
import {
  identifyPrincipal,
  isRecent,
  type Principal,
  type RequestScope,
  sessionContext,
  sessionMiddleware,
} from "~/features/auth/session/session.server";
import {
  addressUnconfirmed,
  notSignedIn,
  secondFactorDue,
  signInUnavailable,
} from "~/features/auth/session/sign-in-problems";
import { keepForm } from "~/features/deployments/wizard/saved-form.server";
import { takeTrialChange } from "~/features/trial/trial-changes.server";
import { notAllowed, roleMay, roleUnreadable } from "~/features/workspaces/roles";
import {
  closedPage,
  lastWorkspace,
  namedWorkspace,
  workspaceAt,
  workspaceClosed,
} from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { codePage, pageOf, signInPage } from "~/http/page-addresses";
import { tooOften, withinLimit, withinLimitOf } from "~/http/rate-limit.server";
import { log } from "~/platform/log/log.server";
import { consoleBase } from "~/ui/console/console-path";
import { type ActionRule, actionRules } from "./action-rules.server";

/** What was posted to which route, and the rule for it. */
type Posted = { rule: ActionRule; form: URLSearchParams; pattern: string };

/** Null where nobody need be identified. */
const postedContext = createContext<Posted | null>(null);

const findRule: MiddlewareFunction<Response> = async ({ request, context, pattern: relative }) => {
  if (request.method === "GET") return;
  // The router leaves out the first slash, except of "/" itself. A page has one rule, whichever workspace it shows.
  const pattern = relative.replace(/^\/?/, "/").replace("/dashboard/w/:slug", "/dashboard");
  const found = await ruleFor(pattern, request);
  if (!found) {
    log.warn("An action without a rule was refused", { pattern });
    throw data(null, { status: 405 });
  }
  const { who } = found.rule;
  if (who === "program" || who === "anyone") setDecision(context, { allowed: true });
  else context.set(postedContext, { ...found, pattern });
};

const openSession: MiddlewareFunction<Response> = (args, next) =>
  args.context.get(postedContext) ? sessionMiddleware(args, next) : next();

const enforceRule: MiddlewareFunction<Response> = async ({ request, context, params }, next) => {
  const posted = context.get(postedContext);
  if (!posted) return;
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const decision = await decide(posted, {
    context: app,
    session,
    request,
    // Only an address outside the console names its workspace in the query.
    workspace: () =>
      posted.pattern.startsWith("/dashboard")
        ? workspaceAt(context, params.slug)
        : posted.rule.inLastWorkspace
          ? lastWorkspace(request, context)
          : namedWorkspace(request, context),
  });
  setDecision(context, decision);
  if (decision.allowed) return;
  const { refusal } = decision;
  await logRefusal(refusal, { context: app, session, pattern: posted.pattern });
  const page = posted.rule.answers ? undefined : refusal.page;
  // Who is led to another page, or cannot be identified for now, finds what they typed on coming back.
  const savesForm = page !== undefined || refusal.why === "unavailable";
  const formCookie = savesForm ? await keepForm(app, request.clone() as Request) : undefined;
  const headers = new Headers(formCookie ? [["set-cookie", formCookie]] : []);
  if (page !== undefined) throw redirect(page, { status: 303, headers });
  const response = await next();
  for (const header of headers) response.headers.append(...header);
  return response;
};

/**
 * Stands before the actions of all routes. It finds the rule for what was posted, identifies the principal,
 * and decides. A refusal leads to the page that asks for what is missing, or is answered by the
 * action's `refused`; what the action does when allowed runs in neither case.
 */
export const guardActions = [findRule, openSession, enforceRule];

/** The rule for what was posted, with the form if it takes one to know. */
async function ruleFor(
  pattern: string,
  request: Request,
): Promise<{ rule: ActionRule; form: URLSearchParams } | undefined> {
  const named = Object.hasOwn(actionRules, pattern) ? actionRules[pattern] : undefined;
  if (!named) return;
  if ("who" in named) return { rule: named, form: new URLSearchParams() };
  const form = await readForm(request.clone() as Request);
  const intent = named.intentOf(form);
  const isListed = intent !== undefined && Object.hasOwn(named.intents, intent);
  return { rule: (isListed && named.intents[intent]) || named.unlisted, form };
}

/** One line for each refusal; an outage, a limit and a session that was refused have left theirs. */
async function logRefusal(
  { why }: GuardRefusal,
  { session, pattern }: RequestScope & { pattern: string },
): Promise<void> {
  if (why === "unavailable" || why === "too-often") return;
  if (why === "signed-out") {
    const visitor = await session.visitor();
    if (visitor.state !== "signed-out" || visitor.refused) return;
  }
  log.warn("An action was refused", { reason: why, route: pattern });
}

type PostScope = RequestScope & {
  request: Request;
  /** The workspace that the address names. */
  workspace: () => ReturnType<typeof namedWorkspace>;
};

/**
 * Every post counts for its network address before anybody is identified, since that costs a call of the
 * auth server. It counts for the person once their second factor is given, whether they are refused for
 * something else or not: who has the password alone must not use up what the owner may do.
 */
async function decide({ rule, form }: Posted, scope: PostScope): Promise<Decision> {
  const { context, session, request } = scope;
  const { who, limit } = rule;
  const back =
    typeof rule.back === "function"
      ? rule.back(form, consoleBase(request.url))
      : (rule.back ?? pageOf(request));
  const isWithinLimit = !limit || (await withinLimit(context, limit, request));
  const { state } = await session.visitor();
  // The refusal of the limit is shown on the page that was posted from. A visitor who may not read that page
  // is led away first.
  if (state === "signed-out" && who !== "visitor") return signedOut(back);
  if (state === "second-factor-due" && who !== "user") return secondFactorMissing(back);
  if (!isWithinLimit) return overLimit;
  if (state === "unavailable") return unavailable;
  if (state === "signed-out") return { allowed: true };
  const current = await identifyPrincipal(session);
  if (current.ok) return decideFor(current.principal, rule, back, scope);
  if (current.status === 503) return unavailable;
  return who === "visitor" ? { allowed: true } : signedOut(back);
}

/** The same once it is known who posted. */
async function decideFor(
  principal: Principal,
  { who, limit, recent, may, inTrial, unreadable = roleUnreadable }: ActionRule,
  back: string,
  { context, request, workspace: readWorkspace }: PostScope,
): Promise<Decision> {
  const { user, account, assurance } = principal;
  const isProved = assurance.secondFactor !== "due";
  if (who !== "user" && !isProved) return secondFactorMissing(back);
  if (limit && isProved && !(await withinLimitOf(`user:${user.id}`, context, limit, request))) {
    return overLimit;
  }
  const isTrial = account.is_anonymous === true;
  if (isTrial && !inTrial) return refuse({ why: "trial", status: 403, message: needsAccount });
  if (who !== "user" && !isTrial && !isConfirmed(account)) {
    return refuse({ why: "unconfirmed", status: 403, message: addressUnconfirmed });
  }
  if (may) {
    const workspace = await readWorkspace();
    if (workspace === null) {
      return refuse({ why: "unavailable", status: 503, message: unreadable });
    }
    if (workspace?.isClosed) {
      const page = closedPage(workspace, back);
      return refuse({ why: "second-factor", status: 403, message: workspaceClosed, page });
    }
    // What somebody is no member of, the console or the action itself does not find.
    if (workspace && !roleMay(workspace.role, may)) {
      const message = `${notAllowed(workspace.role, may)} Nothing was changed.`;
      return refuse({ why: "not-allowed", status: 403, message });
    }
  }
  if (recent && !isRecent(assurance)) {
    return refuse({ why: "not-recent", status: 403, message: accountFailures.signInAgain });
  }
  // Who comes back to a trial by its button changes nothing.
  const change = isTrial && may ? await takeTrialChange(context, user.id) : "taken";
  if (change === "unknown") return unavailable;
  if (change === "none left") {
    return refuse({ why: "trial", status: 403, message: trialChangesUsed });
  }
  return { allowed: true, principal };
}

const refuse = (refusal: GuardRefusal): Decision => ({ allowed: false, refusal });
const overLimit = refuse({ why: "too-often", status: 429, message: tooOften });
const unavailable = refuse({ why: "unavailable", status: 503, message: signInUnavailable });
const signedOut = (back: string) =>
  refuse({ why: "signed-out", status: 401, message: notSignedIn, page: signInPage(back) });
const secondFactorMissing = (back: string) =>
  refuse({ why: "second-factor", status: 403, message: secondFactorDue, page: codePage(back) });

/**
 * A confirmed phone number counts like a confirmed address. Where a project asks for no confirmation the
 * auth server marks every address as confirmed.
 */
function isConfirmed({ email_confirmed_at, phone_confirmed_at }: User): boolean {
  return Boolean(email_confirmed_at ?? phone_confirmed_at);
}
