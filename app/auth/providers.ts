import type { Provider as SupabaseProvider } from "@supabase/supabase-js";
import type { Configuration } from "~/configuration/configuration.server";

type ProviderFacts = {
  name: string;
  /** What Supabase Auth calls it, where that differs from our word. */
  supabaseName?: SupabaseProvider;
  /** Where its sign-in pages are; the content policy lets a form lead there. */
  signInOrigins: readonly string[];
  /** What must be asked for, where the standard scopes bring no e-mail address. */
  scopes?: string;
};

const sixteen = {
  apple: { name: "Apple", signInOrigins: ["https://appleid.apple.com"] },
  azure: {
    name: "Microsoft",
    signInOrigins: ["https://login.microsoftonline.com", "https://login.live.com"],
    scopes: "email",
  },
  bitbucket: {
    name: "Bitbucket",
    signInOrigins: ["https://bitbucket.org", "https://id.atlassian.com"],
  },
  discord: { name: "Discord", signInOrigins: ["https://discord.com"] },
  facebook: { name: "Facebook", signInOrigins: ["https://www.facebook.com"] },
  github: { name: "GitHub", signInOrigins: ["https://github.com"] },
  gitlab: { name: "GitLab", signInOrigins: ["https://gitlab.com"] },
  google: { name: "Google", signInOrigins: ["https://accounts.google.com"] },
  keycloak: { name: "Keycloak", signInOrigins: [], scopes: "openid" },
  linkedin: {
    name: "LinkedIn",
    supabaseName: "linkedin_oidc",
    signInOrigins: ["https://www.linkedin.com"],
  },
  notion: {
    name: "Notion",
    signInOrigins: ["https://api.notion.com", "https://www.notion.so", "https://app.notion.com"],
  },
  slack: { name: "Slack", supabaseName: "slack_oidc", signInOrigins: ["https://slack.com"] },
  spotify: { name: "Spotify", signInOrigins: ["https://accounts.spotify.com"] },
  twitch: { name: "Twitch", signInOrigins: ["https://id.twitch.tv", "https://www.twitch.tv"] },
  twitter: {
    name: "X",
    signInOrigins: ["https://api.twitter.com", "https://api.x.com", "https://x.com"],
  },
  workos: { name: "WorkOS", signInOrigins: ["https://api.workos.com"] },
} as const satisfies Record<string, ProviderFacts>;

export type Provider = keyof typeof sixteen;

/** The sixteen social providers that a site can offer; SIGN_IN_PROVIDERS says which it does. */
export const providerFacts: Readonly<Record<Provider, ProviderFacts>> = sixteen;

export const standardProviders: readonly Provider[] = ["github", "google", "azure"];

/** Whether a word names a provider that a site could offer. */
export function isProvider(word: unknown): word is Provider {
  return typeof word === "string" && Object.hasOwn(sixteen, word);
}

/** Origins that a sign-in form may lead to: the auth server, then the providers that are offered. */
export function signInPages(configuration: Configuration): readonly string[] {
  // /signup offers Google whatever /signin offers.
  const offered = new Set<Provider>([...configuration.SIGN_IN_PROVIDERS, "google"]);
  return [
    new URL(configuration.SUPABASE_URL).origin,
    ...[...offered].flatMap((provider) => providerFacts[provider].signInOrigins),
    ...(offered.has("keycloak") && configuration.KEYCLOAK_URL
      ? [new URL(configuration.KEYCLOAK_URL).origin]
      : []),
    ...(configuration.GOOGLE_API_URL.startsWith("http://")
      ? [new URL(configuration.GOOGLE_API_URL).origin]
      : []),
  ];
}
