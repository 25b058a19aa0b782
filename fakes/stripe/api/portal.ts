import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import { pageOf } from "../lists.ts";
import { existingCustomer } from "../objects/customers.ts";
import { makePortalConfiguration, makePortalSession } from "../objects/portal.ts";
import { flag, metadata, paging, parameters, text, webAddress } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { now, onTheWire } from "../state.ts";
import { type Endpoint, endpoint, givenFields, mergedMetadata } from "./endpoint.ts";
import { checkedFlow, flowData } from "./portal-flow.ts";

const feature = { enabled: flag.optional() };
const details = {
  business_profile: z
    .strictObject({
      headline: text.optional(),
      privacy_policy_url: webAddress.optional(),
      terms_of_service_url: webAddress.optional(),
    })
    .optional(),
  default_return_url: webAddress.optional(),
  features: z
    .strictObject({
      customer_update: z
        .strictObject({
          ...feature,
          allowed_updates: z
            .array(z.enum(["address", "email", "name", "phone", "shipping", "tax_id"]))
            .optional(),
        })
        .optional(),
      invoice_history: z.strictObject(feature).optional(),
      payment_method_update: z.strictObject(feature).optional(),
      subscription_cancel: z
        .strictObject({
          ...feature,
          cancellation_reason: z
            .strictObject({ ...feature, options: z.array(text).optional() })
            .optional(),
          mode: z.enum(["at_period_end", "immediately"]).optional(),
          proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
        })
        .optional(),
      subscription_update: z
        .strictObject({
          ...feature,
          default_allowed_updates: z
            .array(z.enum(["price", "promotion_code", "quantity"]))
            .optional(),
          products: z.array(z.strictObject({ product: text, prices: z.array(text) })).optional(),
          proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
        })
        .optional(),
    })
    .optional(),
  login_page: z.strictObject(feature).optional(),
  metadata: metadata.optional(),
  name: text.optional(),
};

type Details = z.output<z.ZodObject<typeof details>>;

function configurationOf(account: Account, id: string, param?: string) {
  const configuration = account.state.portalConfigurations[id];
  if (!configuration) throw noSuch("configuration", id, param);
  return configuration;
}

function applyDetails(configuration: Stripe.BillingPortal.Configuration, given: Details): void {
  const { business_profile, features, login_page, metadata: change, ...fields } = given;
  Object.assign(configuration, givenFields(fields));
  Object.assign(configuration.business_profile, givenFields(business_profile ?? {}));
  Object.assign(configuration.login_page, login_page);
  const { subscription_update, ...others } = features ?? {};
  Object.assign(configuration.features.customer_update, others.customer_update);
  Object.assign(configuration.features.invoice_history, others.invoice_history);
  Object.assign(configuration.features.payment_method_update, others.payment_method_update);
  const { cancellation_reason, ...cancel } = others.subscription_cancel ?? {};
  Object.assign(configuration.features.subscription_cancel, cancel);
  Object.assign(
    configuration.features.subscription_cancel.cancellation_reason,
    cancellation_reason,
  );
  const { products, ...update } = subscription_update ?? {};
  Object.assign(configuration.features.subscription_update, update);
  if (products)
    configuration.features.subscription_update.products = products.map((product) => ({
      ...product,
      adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
    }));
  configuration.metadata = mergedMetadata(configuration.metadata ?? {}, change);
}

/** `/v1/billing_portal` */
export const portalEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/billing_portal/sessions",
    parameters({
      configuration: text.optional(),
      customer: text,
      flow_data: flowData.optional(),
      locale: text.optional(),
      return_url: webAddress.optional(),
    }),
    ({ account, params }): Stripe.BillingPortal.Session => {
      existingCustomer(account.state, params.customer, "customer");
      const configuration = params.configuration
        ? configurationOf(account, params.configuration, "configuration")
        : Object.values(account.state.portalConfigurations).find((each) => each.is_default);
      if (!configuration || !(params.configuration || account.settings.hasPortal))
        throw refusalOf("portal-without-a-configuration");
      const session = makePortalSession(account.baseUrl, {
        configuration: configuration.id,
        customer: params.customer,
        return_url: params.return_url ?? configuration.default_return_url,
        flow: params.flow_data
          ? checkedFlow(account, params.customer, configuration, params.flow_data)
          : null,
      });
      account.state.portalSessions[session.id] = session;
      account.record("billing_portal.session.created", session);
      return session;
    },
  ),

  endpoint(
    "POST",
    "/v1/billing_portal/configurations",
    parameters({ ...details, features: details.features.unwrap() }),
    ({ account, params }): Stripe.BillingPortal.Configuration => {
      const { expand: _, ...given } = params;
      const configuration = makePortalConfiguration();
      const { features } = configuration;
      features.customer_update = { allowed_updates: [], enabled: false };
      features.invoice_history.enabled = false;
      features.payment_method_update.enabled = false;
      features.subscription_cancel.enabled = false;
      applyDetails(configuration, given);
      account.state.portalConfigurations[configuration.id] = configuration;
      account.record("billing_portal.configuration.created", configuration);
      return configuration;
    },
  ),

  endpoint(
    "GET",
    "/v1/billing_portal/configurations",
    parameters({ ...paging, active: flag.optional(), is_default: flag.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.BillingPortal.Configuration> => {
      const configurations = Object.values(account.state.portalConfigurations).filter(
        (each) =>
          (params.active === undefined || each.active === params.active) &&
          (params.is_default === undefined || each.is_default === params.is_default),
      );
      return pageOf("/v1/billing_portal/configurations", configurations, params);
    },
  ),

  endpoint("GET", "/v1/billing_portal/configurations/:id", parameters({}), ({ account, id }) =>
    configurationOf(account, id),
  ),

  endpoint(
    "POST",
    "/v1/billing_portal/configurations/:id",
    parameters({ ...details, active: flag.optional() }),
    ({ account, params, id }): Stripe.BillingPortal.Configuration => {
      const { expand: _, active, ...given } = params;
      const configuration = configurationOf(account, id);
      const before = onTheWire(configuration);
      if (active === false && configuration.is_default)
        throw invalidRequest("You cannot deactivate the default configuration.", "active");
      if (active !== undefined) configuration.active = active;
      applyDetails(configuration, given);
      configuration.updated = now();
      account.record("billing_portal.configuration.updated", configuration, before);
      return configuration;
    },
  ),
];
