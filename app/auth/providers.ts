import type { Configuration } from "~/configuration/configuration.server";

/** Social providers that a person can sign in with. */
export const providers = {
  google: { name: "Google", signInOrigin: "https://accounts.google.com" },
} as const satisfies Record<string, { name: string; signInOrigin: string }>;

export type Provider = keyof typeof providers;

/** Whether a word from a request names a provider. */
export function isProvider(word: unknown): word is Provider {
  return typeof word === "string" && Object.hasOwn(providers, word);
}

/** Origins that a sign-in form may lead to: the auth server, then the provider. */
export function signInPages(configuration: Configuration): readonly string[] {
  return [
    new URL(configuration.SUPABASE_URL).origin,
    ...Object.values(providers).map(({ signInOrigin }) => signInOrigin),
    ...(configuration.GOOGLE_API_URL.startsWith("http://")
      ? [new URL(configuration.GOOGLE_API_URL).origin]
      : []),
  ];
}
