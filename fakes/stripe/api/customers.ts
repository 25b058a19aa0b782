import type Stripe from "stripe";
import { z } from "zod";
import { subscriptionsOf } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import { endSubscription } from "../flows/time.ts";
import { pageOf } from "../lists.ts";
import { existingCustomer, makeCustomer } from "../objects/customers.ts";
import { isOver } from "../objects/subscriptions.ts";
import { integer, metadata, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { now, onTheWire } from "../state.ts";
import { type Endpoint, endpoint, givenFields, mergedMetadata } from "./endpoint.ts";

const address = z.strictObject({
  line1: text.optional(),
  line2: text.optional(),
  city: text.optional(),
  state: text.optional(),
  postal_code: text.optional(),
  country: text.optional(),
});

const details = {
  address: z.union([z.literal(""), address]).optional(),
  description: text.optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
  preferred_locales: z.array(text).optional(),
  metadata: metadata.optional(),
};

function checkedEmail(email: string | undefined): void {
  if (email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw refusalOf("address-that-is-none", { email });
}

const customFields = z.union([
  z.literal(""),
  z.array(z.strictObject({ name: text.max(40), value: text })),
]);

function checkedCustomFields(
  given: z.output<typeof customFields>,
): Stripe.Customer.InvoiceSettings.CustomField[] | null {
  if (given === "") return null;
  if (given.length > 4) throw refusalOf("five-lines-on-invoices");
  const long = given.findIndex(({ value }) => value.length > 140);
  if (long >= 0)
    throw refusalOf("line-on-invoices-that-is-too-long", {
      param: `invoice_settings[custom_fields][${long}][value]`,
    });
  return given;
}

function fullAddress(given: z.output<typeof address>): Stripe.Address {
  const { line1, line2, city, state, postal_code, country } = given;
  return {
    line1: line1 || null,
    line2: line2 || null,
    city: city || null,
    state: state || null,
    postal_code: postal_code || null,
    country: country || null,
  };
}

/** `/v1/customers` */
export const customerEndpoints: Endpoint[] = [
  endpoint("POST", "/v1/customers", parameters(details), ({ account, params }): Stripe.Customer => {
    const { expand: _, metadata: given, address: place, ...fields } = params;
    checkedEmail(fields.email);
    const customer = makeCustomer({
      ...givenFields(fields),
      ...(place ? { address: fullAddress(place) } : {}),
      metadata: mergedMetadata({}, given),
    });
    account.state.customers[customer.id] = customer;
    account.record("customer.created", customer);
    return customer;
  }),

  endpoint(
    "GET",
    "/v1/customers",
    parameters({ ...paging, email: text.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Customer> => {
      const customers = Object.values(account.state.customers).filter(
        (customer): customer is Stripe.Customer =>
          !customer.deleted && (params.email === undefined || customer.email === params.email),
      );
      return pageOf("/v1/customers", customers, params);
    },
  ),

  endpoint(
    "GET",
    "/v1/customers/search",
    parameters({ query: text, limit: integer.optional(), page: text.optional() }),
    ({ account, params }): Stripe.ApiSearchResult<Stripe.Customer> => {
      const matches = searchTerms(params.query);
      const found = Object.values(account.state.customers).filter(
        (customer): customer is Stripe.Customer => !customer.deleted && matches(customer),
      );
      return {
        object: "search_result",
        data: found.toReversed().slice(0, params.limit ?? 10),
        has_more: found.length > (params.limit ?? 10),
        next_page: null,
        url: "/v1/customers/search",
      };
    },
  ),

  endpoint(
    "GET",
    "/v1/customers/:id",
    parameters({}),
    ({ account, id }): Stripe.Customer | Stripe.DeletedCustomer => {
      const customer = account.state.customers[id];
      if (!customer) throw noSuch("customer", id);
      return customer;
    },
  ),

  endpoint(
    "POST",
    "/v1/customers/:id",
    parameters({
      ...details,
      invoice_settings: z
        .strictObject({
          custom_fields: customFields.optional(),
          default_payment_method: text.optional(),
        })
        .optional(),
    }),
    ({ account, params, id }): Stripe.Customer => {
      if (account.state.customers[id]?.deleted)
        throw refusalOf("change-of-a-deleted-customer", { customer: id });
      const customer = existingCustomer(account.state, id);
      const before = onTheWire(customer);
      const { expand: _, metadata: given, address: place, invoice_settings, ...fields } = params;
      checkedEmail(fields.email);
      const card = invoice_settings?.default_payment_method;
      if (card && account.state.paymentMethods[card]?.customer !== id)
        throw refusalOf("card-of-somebody-else", { method: card });
      Object.assign(customer, givenFields(fields));
      if (place !== undefined) customer.address = place ? fullAddress(place) : null;
      const lines = invoice_settings?.custom_fields;
      if (lines !== undefined) customer.invoice_settings.custom_fields = checkedCustomFields(lines);
      if (card !== undefined) customer.invoice_settings.default_payment_method = card || null;
      customer.metadata = mergedMetadata(customer.metadata, given);
      if (JSON.stringify(before) !== JSON.stringify(customer))
        account.record("customer.updated", customer, before);
      return customer;
    },
  ),

  endpoint(
    "DELETE",
    "/v1/customers/:id",
    parameters({}),
    ({ account, id }): Stripe.DeletedCustomer => {
      const customer = existingCustomer(account.state, id);
      for (const subscription of subscriptionsOf(account, id))
        if (!isOver(subscription)) endSubscription(account, subscription, now());
      const deleted: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
      account.state.customers[id] = deleted;
      account.record("customer.deleted", customer);
      return deleted;
    },
  ),
];

/** Understands `email:'…'` and `metadata['name']:'…'`, joined by AND. */
function searchTerms(query: string): (customer: Stripe.Customer) => boolean {
  const terms = query.split(/\s+AND\s+/i).map((term) => {
    const match = /^(?:(email|name)|metadata\[(["'])(.+?)\2\]):(["'])(.*)\4$/.exec(term.trim());
    if (!match)
      throw invalidRequest(`We were unable to parse your search query: ${query}`, "query");
    const [, field, , name, , value] = match;
    return (customer: Stripe.Customer) =>
      (field === "email" || field === "name" ? customer[field] : customer.metadata[name ?? ""]) ===
      value;
  });
  return (customer) => terms.every((fits) => fits(customer));
}
