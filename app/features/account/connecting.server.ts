import { redirect } from "react-router";
import * as z from "zod/mini";
import { connectingFailures } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/refusals/auth-errors.server";
import { identifyPrincipal } from "~/features/auth/session/principal.server";
import type { Session } from "~/features/auth/session/session.server";
import { beginSideFlow, finishSideFlow } from "~/features/auth/session/side-flow.server";
import {
  problemOfQuery,
  type SignInProblem,
} from "~/features/sign-in/mailed/way-back-problems.server";
import { providerRefusal } from "~/features/sign-in/providers/provider-sign-in.server";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies/sealed-cookie.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { type Provider, providerFacts } from "~/platform/env/providers";
import { describeError, log } from "~/platform/log/log.server";
import { type ActionContext, accountPage } from "./action-context.server";

/** Where somebody connects a provider to an account. */
export const identitiesSection = "/dashboard/account#identities";

const shape = z.object({
  verifier: z.string(),
  /** Who connects. */
  person: z.string(),
  provider: z.string(),
  /** When, in Unix milliseconds. */
  begun: z.number(),
});

/** Ties what comes back from the provider to this browser and to the account that began it here. */
function connectingCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "connecting-provider", shape);
}

/** Sends the browser to a provider, to connect it to the account. Its way back is /auth/connected. */
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
  const kept = { verifier, person: principal.user.id, provider: supabaseName, begun: Date.now() };
  const cookie = await connectingCookie(context).keep(kept);
  return redirect(url, { status: 303, headers: { "set-cookie": cookie } });
}

/** The way back from the provider: connects it when the person who began it, here, is still in. */
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
  const present = await identifyPrincipal(session);
  if (!present.ok && present.status === 503) return problem("unavailable");
  if (!present.ok || present.principal.user.id !== begun.person) return problem("other-person");
  if (present.principal.assurance.secondFactor === "due") return problem("other-person");
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
 * Whoever the provider named is this person already, an account with nothing but this identity, which
 * moves to this one, or somebody else. The database looks again at all of that before it moves anything.
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

/** Where a failed way back leads somebody who is signed in. The key travels in the URL, the words do not. */
export function connectingFailedPage(problem: SignInProblem): string {
  return `/dashboard/account?problem=${problem}#identities`;
}

/** Why connecting a provider failed, in words; undefined when the query tells of no failure. */
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
