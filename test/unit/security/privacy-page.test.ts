import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { providerNames } from "~/content/provider-names";
import { channelKinds } from "~/features/servers/notifications/channel";

const page = readFileSync("app/content/legal/privacy.md", "utf8");
const settings = [...readFileSync(".dev.vars.example", "utf8").matchAll(/^([A-Z_]+)=/gm)].map(
  ([, name = ""]) => name,
);

/** Settings that let somebody receive personal data, each with what the page calls those. */
const receivers: Readonly<Record<string, readonly string[]>> = {
  SUPABASE_URL: ["Supabase"],
  STRIPE_API_URL: ["Stripe"],
  STRIPE_PUBLISHABLE_KEY: ["Stripe's script"],
  GOOGLE_ONE_TAP_CLIENT_ID: ["Google One Tap", "Google then learns who opens that page"],
  GOOGLE_API_URL: ["the Google tools"],
  RESEND_API_KEY: ["Resend"],
  SIGN_IN_PROVIDERS: Object.values(providerNames),
  KEYCLOAK_URL: ["Keycloak"],
  SIGN_IN_SMS: ["A code by text message", "Twilio", "Vonage"],
  SECOND_FACTOR_SMS: ["a phone, where this site offers that", "text provider sees the number"],
  SINGLE_SIGN_ON: ["Single sign-on of your organisation, by SAML", "identity provider"],
  TURNSTILE_SITE_KEY: ["Turnstile"],
  DNS_API_URL: ["Cloudflare's public resolver"],
  SERVERS_URL: ["reports each minute", "*Try the console*"],
  PAGERDUTY_API_URL: ["PagerDuty"],
  VAPID_PUBLIC_KEY: ["push to a browser"],
};

/** The others: keys and addresses of those, words of this site, and what changes only how something looks or is paid. */
const others = new Set([
  "SITE_URL",
  "SUPABASE_PUBLISHABLE_KEY",
  "SUPABASE_SECRET_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_PRICE_BASIC",
  "STRIPE_PRICE_PRO",
  "STRIPE_PRICE_MONTHLY",
  "STRIPE_PRICE_YEARLY",
  "STRIPE_PRICE_BASIC_YEARLY",
  "STRIPE_PRICE_PRO_MONTHLY",
  "STRIPE_PORTAL_CONFIGURATION",
  "STRIPE_AUTOMATIC_TAX",
  "STRIPE_BANK_TRANSFER",
  "STRIPE_TAX_IDS",
  "STRIPE_BILLING_ADDRESS",
  "STRIPE_TERMS_CONSENT",
  "GOOGLE_IDENTITY_URL",
  "RESEND_API_URL",
  "ALERT_MAIL_API_KEY",
  "SUPPORT_EMAIL",
  "SUPPORT_CHAT_URL",
  "SITE_OPERATOR",
  "COOKIE_SECRET",
  "FORMER_COOKIE_SECRETS",
  "SMS_COUNTRIES",
  "TURNSTILE_SECRET_KEY",
  "TURNSTILE_API_URL",
  "SERVER_PROBE_URL",
  "SERVER_SOCKETS_URL",
  "SERVER_KEY_SECRET",
  "WEBHOOK_TEST_ORIGIN",
  "VAPID_PRIVATE_KEY",
]);

test("of every setting it is decided whether somebody receives personal data by it", () => {
  expect([...Object.keys(receivers), ...others].toSorted()).toEqual(settings.toSorted());
});

test.each(Object.entries(receivers))(
  "the privacy page names who receives data by %s",
  (_, names) => {
    for (const name of names) expect.soft(page).toContain(name);
  },
);

test("and each service that alerts may go to", () => {
  const { mail, push, ...services } = channelKinds;
  for (const name of Object.values(services)) expect.soft(page).toContain(name);
});

test("and no single way to sign in stands for all", () => {
  expect(page).not.toMatch(/^You sign in with/m);
});
