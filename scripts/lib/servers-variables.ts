import type { Variables } from "../../fakes/dev-vars.ts";

/** What the servers Worker reads: secrets of its own, and of the site's variables those that hold no secret. */
const names = [
  "SERVER_KEY_SECRET",
  "SITE_URL",
  "SUPPORT_EMAIL",
  "RESEND_API_URL",
  "ALERT_MAIL_API_KEY",
  "PAGERDUTY_API_URL",
  "DNS_API_URL",
  "SERVER_PROBE_URL",
  "SERVER_SOCKETS_URL",
  "WEBHOOK_TEST_ORIGIN",
  "VAPID_PUBLIC_KEY",
  "VAPID_PRIVATE_KEY",
];

/** The variables of the servers Worker, of all that `.dev.vars` has. */
export function serversVariables(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)));
}
