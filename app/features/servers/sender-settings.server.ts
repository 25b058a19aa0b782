import * as z from "zod/mini";

const address = z.string().check(z.regex(/^https?:\/\//));
const optional = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value || undefined),
);
const addressOr = (standard: string) =>
  z.pipe(
    z.pipe(
      z.optional(z.string()),
      z.transform((value): string => (value || standard).replace(/\/$/, "")),
    ),
    address,
  );

const variables = z.object({
  SITE_URL: address,
  SUPPORT_EMAIL: z.string().check(z.minLength(3)),
  RESEND_API_URL: addressOr("https://api.resend.com"),
  ALERT_MAIL_API_KEY: optional,
  PAGERDUTY_API_URL: addressOr("https://events.pagerduty.com"),
  DNS_API_URL: addressOr("https://cloudflare-dns.com/dns-query"),
  WEBHOOK_TEST_ORIGIN: optional,
  VAPID_PUBLIC_KEY: optional,
  VAPID_PRIVATE_KEY: optional,
});

/** `vapid`: the key pair by which push services identify us; without it no browser is offered push. */
export type SenderSettings = Omit<
  z.output<typeof variables>,
  "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY"
> & { vapid?: { publicKey: string; privateKey: string } | undefined };

/** The settings for sending messages; undefined where it is not set up for that. `.dev.vars.example` explains each. */
export function senderSettings(env: object): SenderSettings | undefined {
  const read = variables.safeParse(env).data;
  if (!read) return;
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, ...settings } = read;
  return publicKey && privateKey ? { ...settings, vapid: { publicKey, privateKey } } : settings;
}
