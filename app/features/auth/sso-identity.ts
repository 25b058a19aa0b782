import type { User } from "@supabase/supabase-js";

/** As identities name a provider of single sign-on, before its id at the auth server. */
export const ssoPrefix = "sso:";

/** The provider of single sign-on whose account this is, as identities name it; undefined for every other account. */
export function ssoProviderOf({ identities = [] }: Pick<User, "identities">): string | undefined {
  return identities.find(({ provider }) => provider.startsWith(ssoPrefix))?.provider;
}
