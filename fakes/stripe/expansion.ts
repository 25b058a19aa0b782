import { invalidRequest } from "./errors.ts";
import { wholeList } from "./lists.ts";
import { taxIdsOf } from "./objects/tax.ts";
import { refusalOf } from "./rules/rules.ts";
import { onTheWire, type StripeState } from "./state.ts";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const deepest = 4;

/** The resource with the asked-for ids replaced by what they stand for. */
export function expanded(state: StripeState, resource: object, paths: string[]): object {
  const result: JsonObject = JSON.parse(JSON.stringify(resource));
  for (const path of paths) {
    const fields = path.split(".");
    if (fields.length > deepest) throw refusalOf("expansion-that-is-too-deep", { property: path });
    expandField(state, result, fields, path);
  }
  return result;
}

function expandField(state: StripeState, owner: JsonObject, fields: string[], path: string): void {
  const [field, ...rest] = fields;
  if (field === undefined) return;
  // What was deleted has its id and nothing to expand.
  if (!(field in owner) && owner.deleted === true) return;
  const entry = field in owner ? owner[field] : includable(state, owner, field);
  if (entry === undefined) throw refusalOf("expansion-of-nothing", { property: field });
  const value = Array.isArray(entry)
    ? entry.map((each) => object(state, each))
    : field === "id"
      ? entry
      : object(state, entry);
  owner[field] = value;
  for (const each of Array.isArray(value) ? value : [value]) {
    if (each === null) continue;
    if (typeof each === "object" && !Array.isArray(each)) expandField(state, each, rest, path);
    else throw invalidRequest(`This property cannot be expanded (${path}).`, "expand");
  }
}

/** What an id stands for; anything else as it is. */
function object(state: StripeState, value: Json): Json {
  return typeof value === "string" ? (find(state, value) ?? value) : value;
}

/** Fields that are absent until they are asked for. */
function includable(state: StripeState, owner: JsonObject, field: string): Json | undefined {
  const id = typeof owner.id === "string" ? owner.id : "";
  if (owner.object === "checkout.session" && field === "line_items") {
    const items = state.checkoutOrders[id]?.lineItems ?? [];
    return asJson(wholeList(`/v1/checkout/sessions/${id}/line_items`, items));
  }
  if (owner.object === "customer" && field === "subscriptions") {
    const subscriptions = Object.values(state.subscriptions).filter(
      (subscription) => subscription.customer === id && subscription.status !== "canceled",
    );
    return asJson(wholeList(`/v1/customers/${id}/subscriptions`, subscriptions));
  }
  if (owner.object === "customer" && field === "tax_ids")
    return asJson(wholeList(`/v1/customers/${id}/tax_ids`, taxIdsOf(state, id)));
  if (owner.object === "invoice" && field === "payments") {
    const payments = Object.values(state.invoicePayments).filter(
      (payment) => payment.invoice === id,
    );
    return asJson(wholeList(`/v1/invoice_payments?invoice=${id}`, payments));
  }
  return undefined;
}

function find(state: StripeState, id: string): Json | undefined {
  const found =
    state.customers[id] ??
    state.subscriptions[id] ??
    state.schedules[id] ??
    state.invoices[id] ??
    state.prices[id] ??
    state.products[id] ??
    state.paymentMethods[id] ??
    state.discounts[id] ??
    state.coupons[id] ??
    state.promotionCodes[id] ??
    state.paymentIntents[id] ??
    state.charges[id] ??
    state.portalConfigurations[id];
  return found && asJson(found);
}

function asJson(resource: object): Json {
  const copy: unknown = onTheWire(resource);
  return copy as Json;
}
