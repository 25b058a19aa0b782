import { join } from "node:path";
import { type FakeAddresses, fakeAddresses } from "./addresses.ts";
import { startAlertsFake } from "./alerts/fake.ts";
import { type NeededFakes, neededFakes, type Variables } from "./dev-vars.ts";
import { startGoogleFake } from "./google/fake.ts";
import { startInternetFake } from "./internet/fake.ts";
import { startMailFake } from "./mail/fake.ts";
import { refuseInProduction } from "./refuse-production.ts";
import { startStripeFake } from "./stripe/fake.ts";
import {
  googleCallbackUrl,
  localGoogleClient,
  type SupabaseFake,
  startSupabaseFake,
} from "./supabase/fake.ts";
import { startTurnstileFake } from "./turnstile/fake.ts";

export interface Fakes {
  addresses: FakeAddresses;
  running: NeededFakes;
  /** The Supabase fake itself, whose `query` a test may need. */
  supabase: SupabaseFake | undefined;
  /** Empties all of them. `POST {mail}/_local/reset-all` does the same from outside. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

function required(variables: Variables, name: string): string {
  const value = variables[name];
  if (!value) throw new Error(`${name} is missing in .dev.vars. See .dev.vars.example.`);
  return value;
}

/**
 * Starts the fakes that the variables need, on 127.0.0.1. With `dataDirectory` the database and Stripe's state are
 * kept after the process ends; without it everything is in memory.
 */
export async function startFakes(options: {
  variables: Variables;
  siteUrl: string;
  portBase?: number;
  dataDirectory?: string;
  /** Whether the auth server limits requests by address. People who try the site out do not need that. */
  rateLimits?: boolean;
  /** As `open` of the Supabase fake. */
  openSupabase?: Parameters<typeof startSupabaseFake>[0]["open"];
}): Promise<Fakes> {
  refuseInProduction("local");
  const { variables, siteUrl, dataDirectory } = options;
  const addresses = fakeAddresses(options.portBase);
  const running = neededFakes(variables, addresses);
  const resets: (() => Promise<void>)[] = [];
  const reset = async () => {
    await Promise.all(resets.map((each) => each()));
  };

  await using started = new AsyncDisposableStack();
  const keep = <T extends { reset(): Promise<void>; close(): Promise<void> }>(fake: T): T => {
    started.defer(() => fake.close());
    resets.push(() => fake.reset());
    return fake;
  };

  const mail = keep(
    await startMailFake({
      port: addresses.mail.port,
      apiKeys: [variables.RESEND_API_KEY, variables.ALERT_MAIL_API_KEY].filter((key) => !!key),
      resetAll: reset,
    }),
  );
  if (running.google) {
    keep(
      await startGoogleFake({
        port: addresses.google.port,
        clientId: localGoogleClient.id,
        clientSecret: localGoogleClient.secret,
        redirectUris: [googleCallbackUrl(addresses.supabase.url)],
      }),
    );
  }
  if (running.stripe) {
    keep(
      await startStripeFake({
        port: addresses.stripe.port,
        secretKey: required(variables, "STRIPE_SECRET_KEY"),
        webhook: {
          url: `${siteUrl}/api/stripe/webhook`,
          secret: required(variables, "STRIPE_WEBHOOK_SECRET"),
        },
        prices: {
          basic: required(variables, "STRIPE_PRICE_BASIC"),
          pro: required(variables, "STRIPE_PRICE_PRO"),
          monthly: required(variables, "STRIPE_PRICE_MONTHLY"),
          yearly: required(variables, "STRIPE_PRICE_YEARLY"),
          basicYearly: required(variables, "STRIPE_PRICE_BASIC_YEARLY"),
          proMonthly: required(variables, "STRIPE_PRICE_PRO_MONTHLY"),
        },
        ...(dataDirectory ? { persistTo: join(dataDirectory, "stripe.json") } : {}),
      }),
    );
  }
  if (running.alerts) keep(await startAlertsFake({ port: addresses.alerts.port }));
  if (running.internet) keep(await startInternetFake({ port: addresses.internet.port }));
  if (running.turnstile) keep(await startTurnstileFake({ port: addresses.turnstile.port }));
  const supabase = running.supabase
    ? keep(
        await startSupabaseFake({
          port: addresses.supabase.port,
          publishableKey: required(variables, "SUPABASE_PUBLISHABLE_KEY"),
          secretKey: required(variables, "SUPABASE_SECRET_KEY"),
          siteUrl,
          googleUrl: addresses.google.url,
          sendMail: mail.deliver,
          rateLimits: options.rateLimits ?? false,
          ...(dataDirectory ? { dataDirectory: join(dataDirectory, "supabase") } : {}),
          ...(options.openSupabase && { open: options.openSupabase }),
        }),
      )
    : undefined;

  const transferred = started.move();
  return { addresses, running, supabase, reset, close: () => transferred.disposeAsync() };
}
