import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { noSuch } from "../errors.ts";
import { apiVersion } from "../events.ts";
import { pageOf } from "../lists.ts";
import { flag, metadata, paging, parameters, text, webAddress } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { newId, now, onTheWire } from "../state.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";

function webhookEndpointOf(account: Account, id: string): Stripe.WebhookEndpoint {
  const found = account.state.webhookEndpoints[id];
  if (!found) throw noSuch("webhook endpoint", id);
  return found;
}

const maxEndpoints = 16;

/** `/v1/webhook_endpoints` */
export const webhookEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/webhook_endpoints",
    parameters({
      api_version: text.optional(),
      description: text.optional(),
      enabled_events: z.array(text).min(1),
      metadata: metadata.optional(),
      url: webAddress,
    }),
    ({ account, params }): Stripe.WebhookEndpoint => {
      if (Object.keys(account.state.webhookEndpoints).length >= maxEndpoints)
        throw refusalOf("seventeenth-webhook-endpoint");
      const created = onTheWire<Stripe.WebhookEndpoint>({
        id: newId("we"),
        object: "webhook_endpoint",
        api_version: params.api_version ?? apiVersion,
        application: null,
        created: now(),
        description: params.description ?? null,
        enabled_events: params.enabled_events,
        livemode: false,
        metadata: mergedMetadata({}, params.metadata),
        status: "enabled",
        url: params.url,
      });
      const secret = newId("whsec", 32);
      account.state.webhookEndpoints[created.id] = created;
      account.state.webhookSecrets[created.id] = secret;
      // Stripe shows the secret once, in the answer that creates the endpoint.
      return { ...created, secret };
    },
  ),

  endpoint(
    "GET",
    "/v1/webhook_endpoints",
    parameters(paging),
    ({ account, params }): Stripe.ApiList<Stripe.WebhookEndpoint> =>
      pageOf("/v1/webhook_endpoints", Object.values(account.state.webhookEndpoints), params),
  ),

  endpoint("GET", "/v1/webhook_endpoints/:id", parameters({}), ({ account, id }) =>
    webhookEndpointOf(account, id),
  ),

  endpoint(
    "POST",
    "/v1/webhook_endpoints/:id",
    parameters({
      description: text.optional(),
      disabled: flag.optional(),
      enabled_events: z.array(text).min(1).optional(),
      metadata: metadata.optional(),
      url: webAddress.optional(),
    }),
    ({ account, params, id }): Stripe.WebhookEndpoint => {
      const found = webhookEndpointOf(account, id);
      if (params.description !== undefined) found.description = params.description || null;
      if (params.disabled !== undefined) found.status = params.disabled ? "disabled" : "enabled";
      found.enabled_events = params.enabled_events ?? found.enabled_events;
      found.url = params.url ?? found.url;
      found.metadata = mergedMetadata(found.metadata, params.metadata);
      return found;
    },
  ),

  endpoint(
    "DELETE",
    "/v1/webhook_endpoints/:id",
    parameters({}),
    ({ account, id }): Stripe.DeletedWebhookEndpoint => {
      webhookEndpointOf(account, id);
      delete account.state.webhookEndpoints[id];
      delete account.state.webhookSecrets[id];
      return { id, object: "webhook_endpoint", deleted: true };
    },
  ),
];

/** `/v1/events` */
export const eventEndpoints: Endpoint[] = [
  endpoint(
    "GET",
    "/v1/events",
    parameters({ ...paging, type: text.optional(), types: z.array(text).max(20).optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Event> => {
      const events = Object.values(account.state.events).filter(
        (event) =>
          (params.type === undefined || matches(params.type, event.type)) &&
          (params.types === undefined || params.types.includes(event.type)),
      );
      return pageOf("/v1/events", events, params);
    },
  ),

  endpoint("GET", "/v1/events/:id", parameters({}), ({ account, id }): Stripe.Event => {
    const event = account.state.events[id];
    if (!event) throw noSuch("event", id);
    return event;
  }),
];

/** `invoice.*` stands for every event about invoices. */
function matches(pattern: string, type: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
