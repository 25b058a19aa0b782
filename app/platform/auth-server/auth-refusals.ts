/**
 * What a refusal of the auth server means for the person who asked, by its error code:
 * - `typed`: something that was typed, pressed or chosen is wrong; the form says what.
 * - `account`: the answer would reveal whether an account exists. Forms that send a mail answer as if it was sent.
 * - `closed`: the site takes no new accounts. At a form that mails only known addresses, this would reveal the same.
 * - `weak`, `same`: the new password is too weak, or is the old one.
 * - `factor`: a second factor is due. `again`: the sign-in is too long ago. `over`: the session has ended.
 * - `often`: too many attempts.
 * - `mail`, `text`: the server sends no mail or no text message now, for any request.
 * - `off`: our site offers something that is switched off at the server.
 * - `fault`: a fault of ours, of the server, or of something that the server calls.
 */
export type Meaning =
  | "typed"
  | "account"
  | "closed"
  | "weak"
  | "same"
  | "factor"
  | "again"
  | "over"
  | "often"
  | "mail"
  | "text"
  | "off"
  | "fault";

const codes = {
  typed: [
    "bad_code_verifier",
    "current_password_invalid",
    "email_address_invalid",
    "email_conflict_identity_not_deletable",
    "email_not_confirmed",
    "flow_state_already_used",
    "flow_state_expired",
    "flow_state_not_found",
    "identity_already_exists",
    "identity_not_found",
    "invalid_credentials",
    "invite_not_found",
    "mfa_challenge_expired",
    "mfa_factor_name_conflict",
    "mfa_factor_not_found",
    "mfa_recovery_codes_locked",
    "mfa_recovery_codes_sole_factor",
    "mfa_verification_failed",
    "mfa_verification_rejected",
    "mfa_verified_factor_exists",
    "otp_expired",
    "phone_not_confirmed",
    "reauth_nonce_missing",
    "reauthentication_not_valid",
    "single_identity_not_deletable",
    "too_many_enrolled_mfa_factors",
    "user_sso_managed",
    "validation_failed",
    "webauthn_challenge_expired",
  ],
  account: ["email_exists", "otp_disabled", "phone_exists", "user_already_exists", "user_banned"],
  closed: ["signup_disabled"],
  weak: ["weak_password"],
  same: ["same_password"],
  factor: ["insufficient_aal"],
  again: ["current_password_required", "reauthentication_needed"],
  over: [
    "bad_jwt",
    "no_authorization",
    "refresh_token_already_used",
    "refresh_token_not_found",
    "session_expired",
    "session_not_found",
    "user_not_found",
  ],
  often: ["over_request_rate_limit"],
  mail: ["email_address_not_authorized", "over_email_send_rate_limit"],
  text: ["over_sms_send_rate_limit", "sms_send_failed"],
  off: [
    "anonymous_provider_disabled",
    "email_provider_disabled",
    "manual_linking_disabled",
    "mfa_phone_enroll_not_enabled",
    "mfa_phone_verify_not_enabled",
    "mfa_recovery_codes_enroll_not_enabled",
    "mfa_recovery_codes_verify_not_enabled",
    "mfa_totp_enroll_not_enabled",
    "mfa_totp_verify_not_enabled",
    "mfa_webauthn_enroll_not_enabled",
    "mfa_webauthn_verify_not_enabled",
    "oauth_provider_not_supported",
    "phone_provider_disabled",
    "provider_disabled",
    "saml_provider_disabled",
  ],
  fault: [
    "bad_json",
    "bad_oauth_callback",
    "bad_oauth_state",
    "captcha_failed",
    "conflict",
    "hook_payload_invalid_content_type",
    "hook_payload_over_size_limit",
    "hook_timeout",
    "hook_timeout_after_retry",
    "mfa_ip_address_mismatch",
    "not_admin",
    "provider_email_needs_verification",
    "request_timeout",
    "saml_assertion_no_email",
    "saml_assertion_no_user_id",
    "saml_entity_id_mismatch",
    "saml_idp_already_exists",
    "saml_idp_not_found",
    "saml_metadata_fetch_failed",
    "saml_relay_state_expired",
    "saml_relay_state_not_found",
    "sso_domain_already_exists",
    "sso_provider_not_found",
    "unexpected_audience",
    "unexpected_failure",
  ],
} as const satisfies Record<Meaning, readonly string[]>;

const meanings = new Map(
  Object.entries(codes).flatMap(([meaning, all]) =>
    all.map((code) => [code as string, meaning as Meaning] as const),
  ),
);

export type AuthRefusal = {
  code?: string | undefined;
  status?: number | undefined;
  message: string;
};

/** What a refusal means; undefined when the server says something that we do not know. */
export function meaningOf({ code, status, message }: AuthRefusal): Meaning | undefined {
  const meaning = meanings.get(code ?? "");
  // Two rules have this code. One allows each person a mail a minute, and its message names the seconds to wait. It
  // must not reveal that the person has an account.
  const isOwnPace = /^For security purposes, you can only request this/.test(message);
  if (/^over_(email|sms)_send_rate_limit$/.test(code ?? "")) return isOwnPace ? "account" : meaning;
  return meaning ?? (status === 429 ? "often" : undefined);
}
