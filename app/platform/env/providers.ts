import type { Provider as SupabaseProvider } from "@supabase/supabase-js";
import { providerNames } from "~/content/provider-names";

export type Provider = keyof typeof providerNames;

type ProviderFacts = {
  /** What Supabase Auth calls it, where that differs from our word. */
  supabaseName?: SupabaseProvider;
  /** Where its sign-in pages are; the content policy lets a form lead there. */
  signInOrigins: readonly string[];
  /** What must be asked for, where the standard scopes bring no e-mail address. */
  scopes?: string;
};

/** What signing in with each of them takes. */
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
