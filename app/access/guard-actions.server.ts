import type { User } from "@supabase/supabase-js";
import { createContext, data, type MiddlewareFunction, redirect } from "react-router";
import { isRecent } from "~/auth/assurance.server";
import { identifyPrincipal } from "~/auth/principal.server";
import { type Session, sessionContext, sessionMiddleware } from "~/auth/session.server";
import {
  addressUnconfirmed,
  notSignedIn,
  secondFactorDue,
  signInUnavailable,
} from "~/auth/sign-in-problems";
import { accountFailures } from "~/content/account";
import { keepForm } from "~/deployments/wizard/kept-form.server";
import { log } from "~/observability/log.server";
import { readForm } from "~/request/form.server";
import { withinLimit } from "~/request/rate-limit.server";
import { type RequestContext, requestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import { type ActionRule, actionRules } from "./action-rules.server";
import { type Asker, type Refusal, setAsker, wentUnheard } from "./asker.server";
import { codePage, pageOf, signInPage } from "./ways-on";

const postedContext = createContext<Posted | null>(null);

/** What was posted, and the rule for it; null where nobody need be identified. */
type Posted = { rule: ActionRule; form: URLSearchParams; pattern: string };

const findRule: MiddlewareFunction<Response> = async ({ request, context, pattern: relative }) => {
  if (request.method === "GET") return;
  // The router leaves out the first slash, except of "/" itself.
  const pattern = relative.replace(/^\/?/, "/");
  const found = await ruleFor(pattern, request);
  if (!found) {
    const { requestId } = context.get(requestContext);
    log.warn("An action without a rule was refused", { requestId, pattern });
    throw data(null, { status: 405 });
  }
  const { who } = found.rule;
  if (who !== "program" && who !== "anyone") context.set(postedContext, { ...found, pattern });
};

const openSession: MiddlewareFunction<Response> = (args, next) =>
  args.context.get(postedContext) ? sessionMiddleware(args, next) : next();

const letThrough: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const posted = context.get(postedContext);
  if (!posted) return;
  const { rule, form, pattern } = posted;
  const asked = context.get(requestContext);
  const back = typeof rule.back === "function" ? rule.back(form) : (rule.back ?? pageOf(request));
  const asker = await askerUnder(rule, back, {
    asked,
    session: context.get(sessionContext),
    request,
  });
  if (!asker.ok)
    await logRefusal(asker, rule, { asked, session: context.get(sessionContext), pattern });
  // What was typed must survive the way over another page, and an outage.
  const losing = !asker.ok && (asker.status === 503 || leadsAway(rule, asker));
  const kept = losing ? await keepForm(asked, request.clone() as Request) : undefined;
  const headers = new Headers(kept ? [["set-cookie", kept]] : []);
  if (!asker.ok && leadsAway(rule, asker)) {
    throw redirect(asker.page ?? "/signin", { status: 303, headers });
  }
  setAsker(context, asker);
  const response = await next();
  if (response.status < 400 && wentUnheard(context)) {
    throw new Error(`The action of ${pattern} did not look whether it may`);
  }
  if (kept) response.headers.append("set-cookie", kept);
  return response;
};

/**
 * Stands before every action of every route: looks up what it asks for, identifies who posts, and lets
 * the action run with what came of it, or leads to the page that asks for what is missing.
 */
export const guardActions = [findRule, openSession, letThrough];

/** The rule for what was posted, with the form if it takes one to know. */
async function ruleFor(
  pattern: string,
  request: Request,
): Promise<{ rule: ActionRule; form: URLSearchParams } | undefined> {
  const named = Object.hasOwn(actionRules, pattern) ? actionRules[pattern] : undefined;
  if (!named) return;
  if ("who" in named) return { rule: named, form: new URLSearchParams() };
  const form = await readForm(request.clone() as Request);
  const intent = named.of(form);
  const isListed = intent !== undefined && Object.hasOwn(named.intents, intent);
  return { rule: (isListed && named.intents[intent]) || named.unlisted, form };
}

/** One line for each refusal; an outage, a limit and a session that was refused have left theirs. */
async function logRefusal(
  { why }: Refusal,
  { who }: ActionRule,
  { asked, session, pattern }: { asked: RequestContext; session: Session; pattern: string },
): Promise<void> {
  if (why === "unavailable" || why === "too-often") return;
  if (why === "signed-out") {
    const visitor = await session.visitor();
    if (who === "visitor" || visitor.state !== "signed-out" || visitor.refused) return;
  }
  log.warn("An action was refused", { requestId: asked.requestId, reason: why, route: pattern });
}

/** Whether the guard answers by itself. */
function leadsAway({ who, answers }: ActionRule, { why }: Refusal): boolean {
  if (answers) return false;
  return why === "second-factor" || (why === "signed-out" && who !== "visitor");
}

type Asking = { asked: RequestContext; session: Session; request: Request };

/**
 * Who posts, or why not under this rule. Whoever is refused is counted all the same, but against the
 * person only once their second factor is given: who has the password alone must not spend what is theirs.
 */
async function askerUnder(rule: ActionRule, back: string, asking: Asking): Promise<Asker> {
  const { asked, session, request } = asking;
  const asker = await identifyUnder(rule, back, session, asked.requestId);
  const isProved = asker.ok && asker.assurance.secondFactor !== "due";
  const person = isProved ? [`user:${asker.user.id}`] : [];
  const isGuest = !asker.ok && asker.why === "signed-out" && rule.who === "visitor";
  if (rule.limit && (asker.ok || isGuest)) {
    if (!(await withinLimit(asked, rule.limit, request, ...person))) {
      return { ok: false, why: "too-often", status: 429, message: tooOften };
    }
  }
  if (asker.ok && rule.recent && !isRecent(asker.assurance)) {
    return { ok: false, why: "not-recent", status: 403, message: accountFailures.signInAgain };
  }
  return asker;
}

async function identifyUnder(
  { who }: ActionRule,
  back: string,
  session: Session,
  requestId: string,
): Promise<Asker> {
  const signedOut: Refusal = {
    ok: false,
    why: "signed-out",
    status: 401,
    message: notSignedIn,
    page: signInPage(back),
  };
  const { state } = await session.visitor();
  if (state === "unavailable") {
    return { ok: false, why: "unavailable", status: 503, message: signInUnavailable };
  }
  if (state === "signed-out") return signedOut;
  const present = await identifyPrincipal(session, requestId);
  if (!present.ok) return present.status === 401 ? signedOut : { ...present, why: "unavailable" };
  const { account, assurance } = present.principal;
  if (who !== "user" && assurance.secondFactor === "due") {
    const page = codePage(back);
    return { ok: false, why: "second-factor", status: 403, message: secondFactorDue, page };
  }
  if (who !== "user" && !isConfirmed(account)) {
    return { ok: false, why: "unconfirmed", status: 403, message: addressUnconfirmed };
  }
  return { ok: true, ...present.principal };
}

/** A project that asks for no confirmation confirms by itself; a number given by SMS counts as one. */
function isConfirmed({ email_confirmed_at, phone_confirmed_at }: User): boolean {
  return Boolean(email_confirmed_at ?? phone_confirmed_at);
}
