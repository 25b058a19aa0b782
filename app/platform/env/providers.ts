import type { Provider as SupabaseProvider } from "@supabase/supabase-js";
import { providerNames } from "~/content/provider-names";

export type Provider = keyof typeof providerNames;

type ProviderFacts = {
  /** Its name at Supabase Auth, if that is not ours. */
  supabaseName?: SupabaseProvider;
  /** The origins of its sign-in pages. The content policy allows forms to lead there. */
  signInOrigins: readonly string[];
  /** The scopes to ask for, if the standard ones do not include the e-mail address. */
  scopes?: string;
};

/** What must be known to sign in with each provider. */
export const providerFacts: Readonly<Record<Provider, ProviderFacts>> = {
  apple: { signInOrigins: ["https://appleid.apple.com"] },
  azure: {
    signInOrigins: ["https://login.microsoftonline.com", "https://login.live.com"],
    scopes: "email",
  },
  bitbucket: {
    signInOrigins: ["https://bitbucket.org", "https://id.atlassian.com"],
  },
  discord: { signInOrigins: ["https://discord.com"] },
  facebook: { signInOrigins: ["https://www.facebook.com"] },
  github: { signInOrigins: ["https://github.com"] },
  gitlab: { signInOrigins: ["https://gitlab.com"] },
  google: { signInOrigins: ["https://accounts.google.com"] },
  keycloak: { signInOrigins: [], scopes: "openid" },
  linkedin: {
    supabaseName: "linkedin_oidc",
    signInOrigins: ["https://www.linkedin.com"],
  },
  notion: {
    signInOrigins: ["https://api.notion.com", "https://www.notion.so", "https://app.notion.com"],
  },
  slack: { supabaseName: "slack_oidc", signInOrigins: ["https://slack.com"] },
  spotify: { signInOrigins: ["https://accounts.spotify.com"] },
  twitch: { signInOrigins: ["https://id.twitch.tv", "https://www.twitch.tv"] },
  twitter: {
    signInOrigins: ["https://api.twitter.com", "https://api.x.com", "https://x.com"],
  },
  workos: { signInOrigins: ["https://api.workos.com"] },
};

export const standardProviders: readonly Provider[] = ["github", "google", "azure"];

/** Whether a word names a provider that a site could offer. */
export function isProvider(word: unknown): word is Provider {
  return typeof word === "string" && Object.hasOwn(providerNames, word);
}
