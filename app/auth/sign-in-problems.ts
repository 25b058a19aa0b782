export const notSignedIn = "Sign in to continue.";
export const signInUnavailable =
  "Sign-in is not available right now. Nothing was changed. Please try again in a moment.";

/** Why a way back from a provider failed, in words. The key travels in the URL, the words do not. */
export const signInProblems = {
  cancelled: "Sign-in was cancelled. You can try again whenever you like.",
  expired: "This sign-in has expired or was already used. Please start again.",
  "other-browser":
    "This sign-in was started in another browser. Please start again in the browser you use now.",
  unavailable: signInUnavailable,
} as const;

export type SignInProblem = keyof typeof signInProblems;

/** The sentence for a key from a URL; undefined for any other word. */
export function problemSentence(key: string | null): string | undefined {
  return key !== null && Object.hasOwn(signInProblems, key)
    ? signInProblems[key as SignInProblem]
    : undefined;
}
