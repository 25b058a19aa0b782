import type Stripe from "stripe";
import { type Account, noFault, release, type Seed, usualSettings } from "./account.ts";
import { startDeliveries } from "./deliveries.ts";
import { apiVersion, eventRecorder } from "./events.ts";
import { seedCatalogue } from "./objects/catalogue.ts";
import { makePortalConfiguration } from "./objects/portal.ts";
import { recordEvent } from "./recording.ts";
import { emptyState, now, onTheWire, type StripeState } from "./state.ts";

const configuredEndpoint = "we_local";
const maxEvents = 1_000;
const eventsBetweenForgetting = 100;

/** Opens the account that the state holds, and puts in what every account starts with. */
export function openAccount(
  state: StripeState,
  seed: Seed,
  given: Pick<Account, "baseUrl" | "secretKey" | "signal">,
): Account {
  // A state file of an earlier version lacks fields that were added since.
  Object.assign(state, { ...emptyState(), ...state });
  plant(state, seed);
  const deliveries = startDeliveries(state);
  let eventsSinceForgetting = 0;
  const account: Account = {
    ...given,
    state,
    deliveries,
    record: eventRecorder(
      state,
      () => account.cause,
      (event) => {
        eventsSinceForgetting += 1;
        if (eventsSinceForgetting >= eventsBetweenForgetting) {
          forgetOldEvents(state);
          eventsSinceForgetting = 0;
        }
        deliveries.announce(event);
        recordEvent(event);
      },
    ),
    requests: [],
    refusedRequests: [],
    keysInUse: new Set(),
    held: new AbortController(),
    cause: null,
    fault: { ...noFault },
    settings: { ...usualSettings },
    reset() {
      deliveries.stop();
      Object.assign(state, emptyState());
      plant(state, seed);
      account.requests.length = 0;
      account.refusedRequests.length = 0;
      account.fault = { ...noFault };
      account.settings = { ...usualSettings };
      release(account);
    },
  };
  return account;
}

/**
 * Keeps the newest thousand events. It runs once in a hundred events, because looking for old ones takes longer than
 * recording one.
 */
function forgetOldEvents(state: StripeState): void {
  const forgotten = new Set(Object.keys(state.events).slice(0, -maxEvents));
  if (forgotten.size === 0) return;
  for (const id of forgotten) delete state.events[id];
  state.deliveries = state.deliveries.filter((delivery) => !forgotten.has(delivery.event));
}

/** The site's own endpoint, prices and portal: they follow the configuration, not the file. */
function plant(state: StripeState, seed: Seed): void {
  seedCatalogue(state, seed.prices);
  state.webhookEndpoints[configuredEndpoint] = onTheWire<Stripe.WebhookEndpoint>({
    id: configuredEndpoint,
    object: "webhook_endpoint",
    api_version: apiVersion,
    application: null,
    created: state.webhookEndpoints[configuredEndpoint]?.created ?? now(),
    description: "The site",
    enabled_events: ["*"],
    livemode: false,
    metadata: {},
    status: "enabled",
    url: seed.webhook.url,
  });
  state.webhookSecrets[configuredEndpoint] = seed.webhook.secret;
  if (Object.keys(state.portalConfigurations).length === 0) {
    const configuration = makePortalConfiguration({ is_default: true });
    state.portalConfigurations[configuration.id] = configuration;
  }
}
