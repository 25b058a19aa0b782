export const notSignedIn = "Sign in to continue.";
export const secondFactorDue = "Give the code of your second factor first, then try again.";
export const signInUnavailable =
  "Sign-in is not available right now. Nothing was changed. Please try again in a moment.";

/** Why a way back from a provider failed, in words. The key travels in the URL, the words do not. */
export const signInProblems = {
  cancelled: "Sign-in was cancelled. You can try again whenever you like.",
  expired: "This sign-in has expired or was already used. Please start again.",
  "other-browser":
    "This sign-in was started in another browser. Please start again in the browser you use now.",
  "link-expired":
    "This link has expired or was already used. Have a new one mailed, or sign in another way.",
  "identity-taken":
    "That sign-in belongs to an account on this site already. Sign in with it to use that account.",
  refused: "The provider did not let you in. Try again, or choose another way.",
  unavailable: signInUnavailable,
} as const;

export type SignInProblem = keyof typeof signInProblems;

/** The sentence for a key from a URL; undefined for any other word. */
export function problemSentence(key: string | null | undefined): string | undefined {
  return key != null && Object.hasOwn(signInProblems, key)
    ? signInProblems[key as SignInProblem]
    : undefined;
}

/**
 * What went wrong by the fields that an auth server or a provider puts in the URL. They are never
 * shown: anybody can write a URL.
 */
export function problemOfQuery(query: URLSearchParams): SignInProblem | undefined {
  const named = query.get("problem");
  if (named && Object.hasOwn(signInProblems, named)) return named as SignInProblem;
  if (!query.has("error") && !query.has("error_code") && !query.has("error_description")) return;
  const code = query.get("error_code") ?? "";
  if (/^(otp_expired|flow_state_expired|flow_state_not_found)$/.test(code)) return "link-expired";
  if (/^(bad_oauth_state|bad_oauth_callback|bad_code_verifier)$/.test(code)) return "expired";
  if (code === "identity_already_exists") return "identity-taken";
  switch (query.get("error")) {
    case "access_denied":
      return code ? "refused" : "cancelled";
    case "temporarily_unavailable":
    case "server_error":
      return "refused";
    default:
      return "expired";
  }
}
