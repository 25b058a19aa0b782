import { signInFailures } from "~/content/sign-in-labels";
import { signInUnavailable } from "~/features/auth/session/sign-in-problems";
import { tooOften } from "~/http/rate-limit.server";

/** Why a sign-in did not succeed for somebody who comes back from a provider or a mail. The URL has only the key. */
const signInProblems = {
  cancelled: "Sign-in was cancelled. You can try again whenever you like.",
  expired: "This sign-in has expired or was already used. Please start again.",
  "other-browser":
    "This sign-in was started in another browser. Please start again in the browser you use now.",
  "link-expired":
    "This link has expired or was already used. Have a new one mailed, or sign in another way.",
  "identity-taken":
    "That sign-in belongs to an account on this site already. Sign in with it to use that account.",
  "other-person": "This was started while somebody else was signed in here. Nothing was done.",
  "no-cookies":
    "Your browser keeps no cookies from this site, so nobody can be signed in here. Allow them, then sign in again.",
  "sso-address":
    "Your organisation's sign-in may not speak for this address: its domain is not verified here. Ask whoever runs it.",
  refused: "The provider did not let you in. Try again, or choose another way.",
  "not-confirmed":
    "Your provider has not confirmed your e-mail address. Look for a mail from us or from the provider, follow its link, then sign in again.",
  "no-new-accounts": signInFailures.signUpClosed,
  "not-offered": signInFailures.notOffered,
  "too-often": tooOften,
  fault:
    "This did not work because of a fault on our side or at the provider, not because of anything you did. Try again, or choose another way.",
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
 * The problem that a URL names: by our own key, or by the fields that the auth server or a provider adds to it. Texts
 * from the URL are never shown, because anybody can write a URL.
 */
export function problemOfQuery(query: URLSearchParams): SignInProblem | undefined {
  const named = query.get("problem");
  if (named && Object.hasOwn(signInProblems, named)) return named as SignInProblem;
  if (!query.has("error") && !query.has("error_code") && !query.has("error_description")) return;
  const code = query.get("error_code") ?? "";
  const problem = problemOfCode(code);
  if (problem) return problem;
  switch (query.get("error")) {
    case "access_denied":
      return code ? "refused" : "cancelled";
    case "temporarily_unavailable":
    case "server_error":
      return "fault";
    default:
      return code ? "fault" : "expired";
  }
}

/** The problem for an error code of the auth server; undefined for a code that is not in the list. */
export function problemOfCode(code: string): SignInProblem | undefined {
  return Object.hasOwn(problemsByCode, code)
    ? problemsByCode[code as keyof typeof problemsByCode]
    : undefined;
}

const problemsByCode = {
  otp_expired: "link-expired",
  flow_state_expired: "link-expired",
  flow_state_not_found: "link-expired",
  bad_oauth_state: "expired",
  bad_oauth_callback: "expired",
  bad_code_verifier: "expired",
  flow_state_already_used: "expired",
  saml_relay_state_expired: "expired",
  saml_relay_state_not_found: "expired",
  identity_already_exists: "identity-taken",
  user_banned: "refused",
  provider_email_needs_verification: "not-confirmed",
  email_not_confirmed: "not-confirmed",
  signup_disabled: "no-new-accounts",
  provider_disabled: "not-offered",
  oauth_provider_not_supported: "not-offered",
  over_request_rate_limit: "too-often",
  over_email_send_rate_limit: "unavailable",
  unexpected_failure: "fault",
  hook_timeout: "fault",
  hook_timeout_after_retry: "fault",
  request_timeout: "unavailable",
} as const satisfies Record<string, SignInProblem>;
