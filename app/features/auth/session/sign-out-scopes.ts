/** Which sessions a sign-out ends: this browser's, all others, or every one. */
const signOutScopes = ["local", "others", "global"] as const;

export type SignOutScope = (typeof signOutScopes)[number];

/** A form's `scope`, this browser when it names none; undefined for any other word. */
export function signOutScope(wanted: string | null): SignOutScope | undefined {
  return signOutScopes.find((scope) => scope === (wanted ?? "local"));
}

/** How a sign-out elsewhere ended. The key travels as `notice` in the URL, the words do not. */
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

/** What to show for a `notice` from the URL; undefined for any other word. */
export function signOutNotice(key: string | null) {
  return key !== null && Object.hasOwn(notices, key) ? notices[key as SignOutNotice] : undefined;
}
