import { redirect } from "react-router";
import { type Failure, failureOf } from "~/auth/auth-errors.server";
import { rememberDestination } from "~/auth/provider-sign-in.server";
import { type Provider, providerFacts } from "~/auth/providers";
import { accountFailures } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import { type Asked, accountPage } from "./asked.server";
import { identitiesSection } from "./connecting.server";

/** Sends the browser to a provider, to connect it to the account. Its way back is /auth/callback. */
export async function linkIdentity(
  provider: Provider,
  { session, context }: Asked,
): Promise<Failure | { state: "not-offered"; status: 200 } | Response> {
  const { SITE_URL, SIGN_IN_PROVIDERS } = context.configuration;
  if (!SIGN_IN_PROVIDERS.includes(provider)) {
    return { state: "failed", status: 400, message: signInFailures.notOffered };
  }
  const { supabaseName = provider, scopes } = providerFacts[provider];
  const { data, error } = await session.supabase.auth.linkIdentity({
    provider: supabaseName,
    options: {
      redirectTo: `${SITE_URL}/auth/callback`,
      skipBrowserRedirect: true,
      ...(scopes ? { scopes } : {}),
    },
  });
  if (error?.status === 404) return { state: "not-offered", status: 200 };
  if (error) return failureOf(error, context.requestId, signInFailures.notOffered);
  const cookie = await rememberDestination(context, identitiesSection);
  return redirect(data.url ?? "/dashboard/account", {
    status: 303,
    headers: { "set-cookie": cookie },
  });
}

/** Disconnects a provider, unless it is the last way in. */
export async function unlinkIdentity(
  id: string,
  { session, writer, context }: Asked,
): Promise<Failure | Response> {
  const { identities = [] } = writer.account;
  const identity = identities.find(({ identity_id }) => identity_id === id);
  if (!identity || identity.provider === "email") {
    return { state: "failed", status: 400, message: accountFailures.notLinked };
  }
  if (identities.length < 2) {
    return { state: "failed", status: 400, message: accountFailures.onlyWayIn };
  }
  const { error } = await session.supabase.auth.unlinkIdentity(identity);
  if (error?.code === "single_identity_not_deletable") {
    return { state: "failed", status: 400, message: accountFailures.onlyWayIn };
  }
  if (error) return failureOf(error, context.requestId, accountFailures.notLinked);
  return redirect(accountPage("identities", "unlinked"), 303);
}
