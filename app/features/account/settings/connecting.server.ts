import { redirect } from "react-router";
import * as z from "zod/mini";
import { connectingFailures } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/auth-errors.server";
import { identifyPrincipal, type Session } from "~/features/auth/session/session.server";
import { beginSideFlow, finishSideFlow } from "~/features/auth/session/side-flow.server";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { type Provider, providerFacts } from "~/platform/env/providers";
import { describeError, log } from "~/platform/log/log.server";
import { problemOfQuery, type SignInProblem } from "../sign-in/callback-problems.server";
import { providerRefusal } from "../sign-in/provider-sign-in.server";
import { type ActionContext, accountPage } from "./account-request.server";

/** The section of the account page in which somebody connects a provider to the account. */
export const identitiesSection = "/dashboard/account#identities";

const shape = z.object({
  verifier: z.string(),
  /** The user id of the account that the provider is connected to. */
  person: z.string(),
  provider: z.string(),
  /** When it began, in milliseconds since 1970. */
  begun: z.number(),
});

/** An encrypted cookie that binds the answer of the provider to this browser, and to the account that began. */
function connectingCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "connecting-provider", shape);
}

/** Redirects the browser to a provider, to connect it to the account. The provider leads back to /auth/connected. */
export async function linkIdentity(
  provider: Provider,
  { context, principal }: ActionContext,
): Promise<Failure | Response> {
  const { supabaseName = provider, scopes } = providerFacts[provider];
  const refusal = context.configuration.SIGN_IN_PROVIDERS.includes(provider)
    ? await providerRefusal(context, supabaseName)
    : 400;
  if (refusal) {
    const message = refusal === 400 ? signInFailures.notOffered : signInFailures.unavailable;
    return { state: "failed", status: refusal, message };
  }
  const { url, verifier } = await beginSideFlow(context, "/auth/connected", {
    provider: supabaseName,
    ...(scopes && { scopes }),
  });
  const flow = { verifier, person: principal.user.id, provider: supabaseName, begun: Date.now() };
  const cookie = await connectingCookie(context).keep(flow);
  return redirect(url, { status: 303, headers: { "set-cookie": cookie } });
}

/** Answers /auth/connected: connects the provider if the person who began is still signed in in this browser. */
export async function finishConnecting(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<Response> {
  const cookie = connectingCookie(context);
  const headers = { "set-cookie": cookie.forget() };
  const problem = (reason: SignInProblem) =>
    redirect(connectingFailedPage(reason), { status: 303, headers });
  const query = new URL(request.url).searchParams;
  const refused = problemOfQuery(query);
  if (refused) return problem(refused);
  const begun = await cookie.read(request);
  if (!begun) return problem("other-browser");
  const code = query.get("code");
  if (!code) return problem("expired");
  const current = await identifyPrincipal(session);
  if (!current.ok && current.status === 503) return problem("unavailable");
  if (!current.ok || current.principal.user.id !== begun.person) return problem("other-person");
  if (current.principal.assurance.secondFactor === "due") return problem("other-person");
  try {
    const outcome = await connect(context, code, begun);
    return outcome === "connected"
      ? redirect(accountPage("identities", "linked"), { status: 303, headers })
      : problem(outcome);
  } catch (error) {
    log.error("A provider was not connected", describeError(error));
    return problem("unavailable");
  }
}

/**
 * Connects the identity that the provider named. It may belong to this person already; then nothing is to be done.
 * It may belong to an account that has nothing else; then it moves to this account. Otherwise it is taken. The
 * database function checks all of that again before it moves anything.
 */
async function connect(
  context: AppContext,
  code: string,
  { verifier, person, provider, begun }: z.output<typeof shape>,
): Promise<"connected" | "expired" | "identity-taken"> {
  const outcome = await finishSideFlow(context, { code, verifier }, async (named) => {
    if (named.userId === person) return "connected";
    const { data } = await serviceClient(context.configuration)
      .rpc("adopt_identity", {
        person,
        newcomer: named.userId,
        flow_session: named.sessionId,
        wanted_provider: provider,
        begun: new Date(begun).toISOString(),
      })
      .throwOnError();
    return data === "connected" ? "connected" : "identity-taken";
  });
  return outcome ?? "expired";
}

/** The address that says why connecting failed. The URL has a key; the words are not in it. */
export function connectingFailedPage(problem: SignInProblem): string {
  return `/dashboard/account?problem=${problem}#identities`;
}

/** Why connecting a provider failed, in words; undefined when the query names no problem. */
export function connectingFailure(query: URLSearchParams): string | undefined {
  switch (problemOfQuery(query)) {
    case undefined:
      return;
    case "cancelled":
      return connectingFailures.cancelled;
    case "identity-taken":
      return connectingFailures.taken;
    case "other-browser":
    case "other-person":
      return connectingFailures.elsewhere;
    default:
      return connectingFailures.other;
  }
}
