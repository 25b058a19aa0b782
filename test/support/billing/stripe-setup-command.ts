import Stripe from "stripe";
import { startStripeFake } from "../../../fakes/stripe/fake.ts";
import { runCommand } from "../commands/run-command.ts";
import { portBase } from "../site/own-site.ts";

export const testKey = "sk_test_setup_0123456789abcdef";
export const siteUrl = "https://livekit-deploy.example";
/** What a first run makes, as it names it. */
export const everything = [
  "product Basic",
  "product Pro",
  "price livekit_deploy_basic (109.99 USD every month)",
  "price livekit_deploy_pro (999.99 USD every year)",
  "price livekit_deploy_monthly (109.99 USD every month)",
  "price livekit_deploy_yearly (999.00 USD every year)",
  "price livekit_deploy_basic_yearly (899.99 USD every year)",
  "price livekit_deploy_pro_monthly (149.99 USD every month)",
  `customer portal configuration of ${siteUrl}`,
  `webhook endpoint ${siteUrl}/api/stripe/webhook`,
];

/** An account of its own, and the command run against it. */
export async function startAccount(secretKey = testKey) {
  const port = portBase + 9;
  const prices = { basic: "price_b", pro: "price_p", monthly: "price_m", yearly: "price_y" };
  const { url, close } = await startStripeFake({
    port,
    secretKey,
    webhook: { url: "http://127.0.0.1:9/unused", secret: "whsec_unused" },
    prices,
  });
  const settings = { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: url, SITE_URL: siteUrl };
  return {
    url,
    stripe: new Stripe(secretKey, { host: "127.0.0.1", port, protocol: "http", telemetry: false }),
    setUp: (args: string[] = [], changed: Record<string, string> = {}) =>
      run(args, { ...settings, ...changed }),
    async requests(): Promise<{ method: string; path: string }[]> {
      return (await fetch(`${url}/_local/requests`)).json();
    },
    async writes(): Promise<string[]> {
      const requests = await this.requests();
      return requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
    },
    async fail(mode: string): Promise<void> {
      await fetch(`${url}/_local/faults`, { method: "POST", body: JSON.stringify({ mode }) });
    },
    [Symbol.asyncDispose]: close,
  };
}

/** An empty variable counts as a missing one, so the command sees these settings only. */
const none = { STRIPE_SECRET_KEY: "", STRIPE_API_URL: "", SITE_URL: "", STRIPE_AUTOMATIC_TAX: "" };

/** `npm run stripe:setup` with these arguments. */
export function run(args: readonly string[], settings: Record<string, string>) {
  return runCommand("scripts/stripe-setup/stripe-setup.ts", args, {
    environment: { ...none, ...settings },
  });
}

/** The variables that it prints, to be configured. */
export function variablesIn(output: string): Record<string, string> {
  return Object.fromEntries(
    [...output.matchAll(/^(STRIPE_[A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
}
