import { redirect } from "react-router";
import { linkWords } from "~/content/link-words";
import { type AttemptLimit, takeAttempt } from "~/features/auth/attempt-limit.server";
import { failureOf } from "~/features/auth/auth-errors.server";
import type { Session } from "~/features/auth/session/session.server";
import {
  type AccountHolder,
  accountHolder,
} from "~/features/billing/subscriptions/customers.server";
import { syncSubscription } from "~/features/billing/subscriptions/sync-subscription.server";
import type { AppContext } from "~/http/app-context";
import { signedCookie } from "~/http/cookies.server";
import { networkOf } from "~/http/network";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { mailClient } from "~/platform/auth-server/auth-server-fetch.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { arriveByMail, arriveToChoosePassword } from "./arrive.server";
import {
  accountOfLink,
  currentAccount,
  type LinkAccount,
  type MailedLink,
} from "./mailed-link.server";
import { closeSession } from "./sign-out.server";

/**
 * What the page of a mailed link shows: before its button is pressed, and after a press that was not answered with a
 * redirect.
 */
export type LinkView = {
  link: MailedLink | undefined;
  /** Undefined for a link that has expired, was used, or is not ours. */
  account?: LinkAccount | undefined;
  /** Somebody else who is signed in here. The press would sign them out. */
  other?: { id: string; name: string } | undefined;
  problem?: string | undefined;
  /** Whether another press cannot succeed. The page then shows no button. */
  final?: boolean;
  /** A sentence that says who is signed in here. The page then leads to the link's `next`. */
  signedInAs?: string;
};

const linksOfNobody: AttemptLimit = { kind: "link", maxAttempts: 30, seconds: 60 * 60 };

export type Answered = { view: LinkView; status: number; headers?: Headers };

type LinkContext = { request: Request; context: AppContext; session: Session };

/** The page of a link that somebody opens. Opening a link changes nothing; only the button does. */
export async function showLink(link: MailedLink, attempt: LinkContext): Promise<Answered> {
  if (!(await withinLimit(attempt.context, "SIGN_IN_LIMIT", attempt.request))) {
    return { view: { link, problem: tooOften }, status: 429 };
  }
  const view = await viewOf(link, attempt);
  if (view.problem) return { view, status: 503 };
  const refusal = view.account ? undefined : await refuseGuesses(link, attempt);
  return refusal ?? { view, status: 200 };
}

/**
 * Counts a link of no account by network, and refuses it if there were too many in an hour. The hash of a link is
 * made of the address and the mailed code, so guessing links would be a way to guess codes. The limit leaves room for
 * people who open old links.
 */
async function refuseGuesses(
  link: MailedLink,
  attempt: LinkContext,
): Promise<Answered | undefined> {
  const network = networkOf(attempt.context.caller.address ?? "unknown");
  const guess = await takeAttempt(attempt.context, network, linksOfNobody);
  log.warn("A mailed link of nobody was refused", {
    type: link.type,
  });
  if (guess === "taken") return;
  return guess === "unknown"
    ? { view: { link, problem: linkWords.unavailable }, status: 503 }
    : { view: { link, problem: linkWords.tooMany }, status: 429 };
}

async function viewOf(link: MailedLink, { context, session }: LinkContext): Promise<LinkView> {
  const [account, current] = await Promise.all([
    accountOfLink(context, link),
    currentAccount(session),
  ]);
  if (account === "unavailable" || current === "unavailable") {
    return { link, problem: linkWords.unavailable };
  }
  return { link, account, other: account && current?.id !== account.id ? current : undefined };
}

/** The user ids that the form names: the account that the link signs in, and the account that it signs out. */
export type Choice = { account: string | null; insteadOf: string | null };

/**
 * Signs in with the link, in whatever browser it was opened. If somebody else is signed in there, their session ends
 * only if the form names both accounts, because the page had shown both.
 */
export async function pressLink(
  link: MailedLink,
  choice: Choice,
  attempt: LinkContext,
): Promise<Answered | Response> {
  const { request, context, session } = attempt;
  if (!(await withinLimit(context, "SIGN_IN_LIMIT", request))) {
    return { view: { link, problem: tooOften }, status: 429 };
  }
  const view = await viewOf(link, attempt);
  const { account, other } = view;
  if (view.problem) return { view, status: 503 };
  if (!account)
    return (await refuseGuesses(link, attempt)) ?? afterRefusal(link, linkWords.expired, attempt);
  const isChosen = choice.account === account.id && choice.insteadOf === other?.id;
  if (other && !isChosen) return { view, status: 409 };
  // The link belongs to another account than the one that the page named.
  if (choice.account && choice.account !== account.id) return { view, status: 409 };

  const { token_hash, type, next } = link;
  const former = other && (await session.supabase.auth.getSession()).data.session?.access_token;
  const { data, error } = await session.supabase.auth.verifyOtp({ token_hash, type });
  if (error) {
    const { status, message } = failureOf(error, linkWords.expired);
    if (status !== 400) return { view: { ...view, problem: message }, status };
    return afterRefusal(link, message, attempt);
  }
  const { user } = data;
  if (!user) return { view: { link, final: true }, status: 200 };
  if (user.id !== account.id) {
    log.error("A mailed link opened another account than the one that was named");
    const headers = await closeSession(context, request, session);
    return { view: { link, problem: linkWords.expired, final: true }, status: 400, headers };
  }
  log.info("Somebody signed in", { by: `mailed link: ${type}` });
  if (former) {
    const { admin } = mailClient(context).auth;
    context.waitUntil(admin.signOut(former, "local").catch(() => undefined));
  }
  if (type === "email_change") {
    // The answer does not wait for Stripe.
    context.waitUntil(bringAddressToStripe(context, accountHolder(user)));
  }
  const response = await (type === "recovery"
    ? arriveToChoosePassword(attempt, user, next)
    : arriveByMail(attempt, user, next));
  const used = await rememberUsedLink(context.configuration, token_hash, user.id);
  response.headers.append("set-cookie", used);
  return response;
}

/**
 * The answer for a link that has expired or was used. If it has just signed in the same person in this browser, this
 * is a second press, and it leads to where the first one led.
 */
async function afterRefusal(
  link: MailedLink,
  problem: string,
  { request, context, session }: LinkContext,
): Promise<Answered | Response> {
  const current = await currentAccount(session);
  const view = { link, problem, final: true };
  if (!current || current === "unavailable") return { view, status: 400 };
  const { configuration } = context;
  if (
    link.type !== "recovery" &&
    (await hasJustWorked(configuration, request, link.token_hash, current.id))
  ) {
    return redirect(link.next, 303);
  }
  const signedInAs = linkWords.signedInAs.replace("{name}", current.name);
  return { view: { ...view, signedInAs }, status: 400 };
}

function usedLinkCookie(configuration: Configuration) {
  return signedCookie(configuration, "used-link");
}

/** The Set-Cookie header by which this browser remembers the link that has just signed somebody in. */
function rememberUsedLink(
  configuration: Configuration,
  tokenHash: string,
  userId: string,
): Promise<string> {
  return usedLinkCookie(configuration).serialize({ tokenHash, userId });
}

/**
 * Whether this link has just signed in this person in this browser, so that a second press is not shown as an error.
 */
async function hasJustWorked(
  configuration: Configuration,
  request: Request,
  tokenHash: string,
  userId: string,
): Promise<boolean> {
  const stored: unknown = await usedLinkCookie(configuration).parse(request.headers.get("cookie"));
  if (
    typeof stored !== "object" ||
    stored === null ||
    !("tokenHash" in stored && "userId" in stored)
  ) {
    return false;
  }
  return stored.tokenHash === tokenHash && stored.userId === userId;
}

/**
 * Syncs those Stripe customers of a person that still have another e-mail address than the confirmed one of the
 * account. Usually this is one read of our database. A failure is logged and not thrown: the reconciliation
 * compares the addresses too.
 */
async function bringAddressToStripe(
  { configuration }: AppContext,
  { id, email, emailVerified }: AccountHolder,
): Promise<void> {
  if (!email || !emailVerified) return;
  try {
    const { data } = await serviceClient(configuration)
      .from("customers")
      .select("id, email")
      .eq("user_id", id)
      .is("missing_since", null)
      .throwOnError();
    // Customers that were deleted at Stripe have no address in our table. They cannot get one.
    const others = data.filter(
      (customer) => customer.email && customer.email.toLowerCase() !== email.toLowerCase(),
    );
    await Promise.all(others.map((customer) => syncSubscription(configuration, customer.id)));
  } catch (error) {
    log.error("An address did not reach Stripe", describeError(error));
  }
}
