import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import type { Session } from "~/features/auth/session/session.server";
import { beginSideFlow, finishSideFlow } from "~/features/auth/session/side-flow.server";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";
import { describeError, log } from "~/platform/log/log.server";
import type { ConsentProblem } from "./connection-view";
import { keepConnection } from "./google-connection.server";
import { fullScope, tokenFacts } from "./token-facts.server";

const shape = z.object({
  verifier: z.string(),
  userId: z.string(),
  tool: z.string(),
  tab: z.string(),
});

/** Keeps what the person asked to connect while they are at Google. */
function consentCookie(context: AppContext) {
  return sealedCookie(context, "google-consent", shape);
}

const returnPath = "/google-services/connected";

export type ConsentStart =
  | { ok: true; url: string; cookie: string }
  | { ok: false; reason: "unavailable" | "no-google-identity" };

/**
 * The address at which Google asks the person for permissions. This is a PKCE flow beside the sign-in: the
 * session that Supabase makes at its end is closed at once, and the person's own session stays. It never
 * adds a Google identity to an account: a new way to sign in takes the proofs of the account page.
 */
export async function startConsent(
  context: AppContext,
  account: User,
  request: { tool: string; tab: string; scopes: readonly string[] },
): Promise<ConsentStart> {
  const google = account.identities?.find(({ provider }) => provider === "google");
  if (!google) return { ok: false, reason: "no-google-identity" };
  const hint: unknown = google.identity_data?.email ?? account.email;
  try {
    const { url, verifier } = await beginSideFlow(context, returnPath, {
      provider: "google",
      scopes: request.scopes.map(fullScope).join(" "),
      include_granted_scopes: "true",
      ...(typeof hint === "string" && { login_hint: hint }),
    });
    const { tool, tab } = request;
    const consentFlow = { verifier, userId: account.id, tool, tab };
    return { ok: true, url, cookie: await consentCookie(context).keep(consentFlow) };
  } catch (error) {
    log.error("Google's permissions could not be asked for", describeError(error));
    return { ok: false, reason: "unavailable" };
  }
}

export type ConsentEnd = {
  /** The tab that was open. */
  tool: string;
  tab: string;
  cookies: string[];
  problem?: ConsentProblem;
};

/** Handles the return from Google. Makes the connection only if the same person began the consent. */
export async function finishConsent(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<ConsentEnd> {
  const cookie = consentCookie(context);
  const consent = await cookie.read(request);
  const { tool = "", tab = "" } = consent ?? {};
  const forget = cookie.forget();
  const end = (problem: ConsentProblem) => ({ tool, tab, cookies: [forget], problem });
  const query = new URL(request.url).searchParams;
  if (query.has("error") || query.has("error_code")) {
    const code = query.get("error_code");
    return end(query.get("error") === "access_denied" && !code ? "cancelled" : "unavailable");
  }
  const code = query.get("code");
  if (!consent || !code) return end("expired");
  try {
    const { verifier } = consent;
    const tokens = await finishSideFlow(context, { code, verifier }, (named) => named);
    if (!tokens) return end("expired");
    const visitor = await session.visitor();
    if (visitor.state === "unavailable") return end("unavailable");
    const isSame =
      visitor.state === "signed-in" &&
      visitor.userId === consent.userId &&
      tokens.userId === consent.userId;
    if (!isSame) return end("other-account");
    if (!tokens.providerToken) return end("unavailable");
    const { scopes, seconds, email } = await tokenFacts(
      context.configuration,
      tokens.providerToken,
    );
    const connection = { token: tokens.providerToken, scopes, userId: consent.userId, email };
    return { tool, tab, cookies: [forget, await keepConnection(context, connection, seconds)] };
  } catch (error) {
    log.error("Google's permissions were not taken over", describeError(error));
    return end("unavailable");
  }
}
