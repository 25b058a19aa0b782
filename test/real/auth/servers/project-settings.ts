import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import * as z from "zod";

const onOff = z.boolean().transform(String);
const template = z.object({ subject: z.string(), content_path: z.string() });

/** What supabase/config.toml may say of the auth server; an unknown setting there fails the proof. */
const settings = z.strictObject({
  enabled: z.literal(true),
  site_url: z.string(),
  additional_redirect_urls: z.array(z.string()),
  jwt_expiry: z.number(),
  enable_signup: z.boolean(),
  enable_manual_linking: onOff,
  enable_anonymous_sign_ins: onOff.optional(),
  enable_refresh_token_rotation: onOff,
  refresh_token_reuse_interval: z.number(),
  minimum_password_length: z.number(),
  password_requirements: z.literal("").optional(),
  rate_limit: z
    .strictObject({
      email_sent: z.number(),
      sms_sent: z.number().optional(),
      anonymous_users: z.number().optional(),
      token_refresh: z.number(),
      sign_in_sign_ups: z.number(),
      token_verifications: z.number(),
      web3: z.number().optional(),
    })
    .optional(),
  sessions: z.strictObject({ timebox: z.string(), inactivity_timeout: z.string() }).optional(),
  mfa: z.strictObject({
    max_enrolled_factors: z.number().optional(),
    totp: z.strictObject({ enroll_enabled: onOff, verify_enabled: onOff }),
    phone: z.strictObject({
      enroll_enabled: onOff,
      verify_enabled: onOff,
      otp_length: z.number(),
      max_frequency: z.string(),
      template: z.string(),
    }),
  }),
  email: z.strictObject({
    enable_signup: onOff,
    enable_confirmations: z.boolean(),
    double_confirm_changes: onOff,
    secure_password_change: onOff.optional(),
    max_frequency: z.string(),
    otp_length: z.number(),
    otp_expiry: z.number(),
    template: z.record(z.string(), template),
    notification: z.record(z.string(), template.extend({ enabled: onOff })),
  }),
  sms: z
    .strictObject({
      enable_signup: onOff,
      enable_confirmations: z.boolean(),
      template: z.string(),
      twilio: z.looseObject({ enabled: z.literal(false) }),
      vonage: z.looseObject({ enabled: z.literal(false) }),
    })
    .optional(),
  external: z.record(z.string(), z.looseObject({ enabled: onOff })),
});

/** The settings of the auth server as the repository keeps them for a hosted project. */
function projectSettings(file = "supabase/config.toml") {
  const { auth } = z.looseObject({ auth: settings }).parse(parse(readFileSync(file, "utf8")));
  return auth;
}

/**
 * The same as the auth server's own variables, in the way in which the Supabase CLI and platform map
 * them. `templatesUrl` is where the templates can be read: the server loads them over HTTP.
 */
export function serverVariables(siteUrl: string, templatesUrl: string): Record<string, string> {
  const auth = projectSettings();
  const { email, rate_limit: limit, sessions, mfa } = auth;
  const mails = Object.entries(email.template).flatMap(([name, { subject, content_path }]) => [
    [`MAILER_SUBJECTS_${name}`, subject],
    [`MAILER_TEMPLATES_${name}`, `${templatesUrl}/${content_path.split("/").at(-1)}`],
  ]);
  const notifications = Object.entries(email.notification).flatMap(
    ([name, { enabled, subject, content_path }]) => [
      [`MAILER_NOTIFICATIONS_${name}_ENABLED`, enabled],
      [`MAILER_SUBJECTS_${name}_NOTIFICATION`, subject],
      [
        `MAILER_TEMPLATES_${name}_NOTIFICATION`,
        `${templatesUrl}/${content_path.split("/").at(-1)}`,
      ],
    ],
  );
  const variables: Record<string, string | number | undefined> = {
    SITE_URL: siteUrl,
    URI_ALLOW_LIST: auth.additional_redirect_urls
      .map((each) => each.replace(auth.site_url, siteUrl.replace(/\/$/, "")))
      .join(","),
    DISABLE_SIGNUP: String(!auth.enable_signup),
    JWT_EXP: auth.jwt_expiry,
    SECURITY_MANUAL_LINKING_ENABLED: auth.enable_manual_linking,
    SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: auth.enable_refresh_token_rotation,
    SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: auth.refresh_token_reuse_interval,
    SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: email.secure_password_change,
    PASSWORD_MIN_LENGTH: auth.minimum_password_length,
    EXTERNAL_EMAIL_ENABLED: email.enable_signup,
    EXTERNAL_PHONE_ENABLED: auth.sms?.enable_signup ?? "false",
    EXTERNAL_ANONYMOUS_USERS_ENABLED: auth.enable_anonymous_sign_ins,
    MAILER_AUTOCONFIRM: String(!email.enable_confirmations),
    MAILER_SECURE_EMAIL_CHANGE_ENABLED: email.double_confirm_changes,
    MAILER_OTP_LENGTH: email.otp_length,
    MAILER_OTP_EXP: email.otp_expiry,
    SMTP_MAX_FREQUENCY: email.max_frequency,
    SESSIONS_TIMEBOX: sessions?.timebox,
    SESSIONS_INACTIVITY_TIMEOUT: sessions?.inactivity_timeout,
    MFA_TOTP_ENROLL_ENABLED: mfa.totp.enroll_enabled,
    MFA_TOTP_VERIFY_ENABLED: mfa.totp.verify_enabled,
    RATE_LIMIT_EMAIL_SENT: limit?.email_sent,
    RATE_LIMIT_TOKEN_REFRESH: limit?.token_refresh,
    RATE_LIMIT_OTP: limit?.sign_in_sign_ups,
    RATE_LIMIT_VERIFY: limit?.token_verifications,
    MFA_PHONE_ENROLL_ENABLED: mfa.phone.enroll_enabled,
    MFA_PHONE_VERIFY_ENABLED: mfa.phone.verify_enabled,
    MFA_PHONE_OTP_LENGTH: mfa.phone.otp_length,
    MFA_PHONE_MAX_FREQUENCY: mfa.phone.max_frequency,
    MFA_PHONE_TEMPLATE: mfa.phone.template,
    SMS_AUTOCONFIRM: String(!auth.sms?.enable_confirmations),
    SMS_TEMPLATE: auth.sms?.template,
    ...Object.fromEntries(
      [...mails, ...notifications].map(([name = "", value]) => [name.toUpperCase(), value]),
    ),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[`GOTRUE_${name}`, String(value)]],
    ),
  );
}
