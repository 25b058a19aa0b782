/** Which sessions a sign-out ends: that of this browser, all others, or all. */
const signOutScopes = ["local", "others", "global"] as const;

export type SignOutScope = (typeof signOutScopes)[number];

/** The scope that a form names: "local" when it names none; undefined for an unknown one. */
export function signOutScope(wanted: string | null): SignOutScope | undefined {
  return signOutScopes.find((scope) => scope === (wanted ?? "local"));
}

/** Messages after a sign-out of other sessions, by the `notice` in the URL. */
const notices = {
  "others-signed-out": {
    kind: "success",
    message: "All other devices are signed out. Pages open there close within a minute.",
  },
  "not-signed-out": {
    kind: "failure",
    message: "The other devices could not be signed out. Nothing was changed. Please try again.",
  },
} as const;

export type SignOutNotice = keyof typeof notices;

/** The message for a `notice` in the URL; undefined for an unknown one. */
export function signOutNotice(key: string | null) {
  return key !== null && Object.hasOwn(notices, key) ? notices[key as SignOutNotice] : undefined;
}
