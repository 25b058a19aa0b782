import { join } from "node:path";
import { type StandInAddresses, standInAddresses } from "./addresses.ts";
import { type NeededStandIns, neededStandIns, type Variables } from "./dev-vars.ts";
import { startGoogleStandIn } from "./google/fake.ts";
import { startMailStandIn } from "./mail/fake.ts";
import { refuseInProduction } from "./refuse-production.ts";
import { startStripeStandIn } from "./stripe/fake.ts";
import {
  googleCallbackUrl,
  localGoogleClient,
  type SupabaseStandIn,
  startSupabaseStandIn,
} from "./supabase/fake.ts";
import { startTurnstileFake } from "./turnstile/fake.ts";

export interface StandIns {
  addresses: StandInAddresses;
  running: NeededStandIns;
  /** The Supabase stand-in itself, whose `query` a test may need. */
  supabase: SupabaseStandIn | undefined;
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
 * Starts the stand-ins for Supabase, Google, Stripe and mail on 127.0.0.1. With `dataDirectory`
 * the database and Stripe's state outlive the process; without it everything is in memory.
 */
export async function startStandIns(options: {
  variables: Variables;
  siteUrl: string;
  portBase?: number;
  dataDirectory?: string;
  /** Whether the auth server counts requests by address, which nobody needs who tries the site out. */
  rateLimits?: boolean;
}): Promise<StandIns> {
  refuseInProduction("local");
  const { variables, siteUrl, dataDirectory } = options;
  const addresses = standInAddresses(options.portBase);
  const running = neededStandIns(variables, addresses);
  const resets: (() => Promise<void>)[] = [];
  const reset = async () => {
    await Promise.all(resets.map((each) => each()));
  };

  await using started = new AsyncDisposableStack();
  const keep = <T extends { reset(): Promise<void>; close(): Promise<void> }>(standIn: T): T => {
    started.defer(() => standIn.close());
    resets.push(() => standIn.reset());
    return standIn;
  };

  const mail = keep(
    await startMailStandIn({
      port: addresses.mail.port,
      apiKey: variables.RESEND_API_KEY ?? "",
      resetAll: reset,
    }),
  );
  if (running.google) {
    keep(
      await startGoogleStandIn({
        port: addresses.google.port,
        clientId: localGoogleClient.id,
        clientSecret: localGoogleClient.secret,
        redirectUris: [googleCallbackUrl(addresses.supabase.url)],
      }),
    );
  }
  if (running.stripe) {
    keep(
      await startStripeStandIn({
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
        },
        ...(dataDirectory ? { persistTo: join(dataDirectory, "stripe.json") } : {}),
      }),
    );
  }
  if (running.turnstile) keep(await startTurnstileFake({ port: addresses.turnstile.port }));
  const supabase = running.supabase
    ? keep(
        await startSupabaseStandIn({
          port: addresses.supabase.port,
          publishableKey: required(variables, "SUPABASE_PUBLISHABLE_KEY"),
          secretKey: required(variables, "SUPABASE_SECRET_KEY"),
          siteUrl,
          googleUrl: addresses.google.url,
          sendMail: mail.deliver,
          rateLimits: options.rateLimits ?? false,
          ...(dataDirectory ? { dataDirectory: join(dataDirectory, "supabase") } : {}),
        }),
      )
    : undefined;

  const keptOpen = started.move();
  return { addresses, running, supabase, reset, close: () => keptOpen.disposeAsync() };
}
