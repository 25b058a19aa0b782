/** The sixteen social providers that a site can offer; SIGN_IN_PROVIDERS says which it does. */
export const providerNames = {
  apple: "Apple",
  azure: "Microsoft",
  bitbucket: "Bitbucket",
  discord: "Discord",
  facebook: "Facebook",
  github: "GitHub",
  gitlab: "GitLab",
  google: "Google",
  keycloak: "Keycloak",
  linkedin: "LinkedIn",
  notion: "Notion",
  slack: "Slack",
  spotify: "Spotify",
  twitch: "Twitch",
  twitter: "X",
  workos: "WorkOS",
} as const;

/** A provider's button, here and on /signup. */
export const continueWith = "Continue with {provider}";
