import type Stripe from "stripe";
import { type Account, productName } from "../account.ts";
import { currentPeriodEnd, isOver } from "../objects/subscriptions.ts";
import { taxIdsOf } from "../objects/tax.ts";
import { idOf } from "../state.ts";
import { addressFields, field } from "./checkout-fields.ts";
import { day, type Html, html, money } from "./page.ts";

export type PortalVisit = {
  account: Account;
  session: Stripe.BillingPortal.Session;
  customer: Stripe.Customer;
  features: Stripe.BillingPortal.Configuration.Features;
};

/** A form that posts to the portal. In a flow it ends the flow; otherwise the portal is shown again. */
function form({ session }: PortalVisit, body: Html): Html {
  return html`<form method="post" action="/p/session/${session.id}">${body}</form>`;
}

export function subscriptionBlock(visit: PortalVisit, subscription: Stripe.Subscription): Html {
  const { account, features } = visit;
  const lines = subscription.items.data.map(
    ({ price }) => html`<h3>${productName(account, idOf(price.product))}</h3>
<p class="price">${money(price.unit_amount, price.currency)} <small>per ${price.recurring?.interval}</small></p>`,
  );
  const end = day(currentPeriodEnd(subscription));
  const ending = subscription.cancel_at_period_end;
  const state = isOver(subscription)
    ? html`<p>Ended.</p>`
    : subscription.status === "past_due"
      ? html`<p class="wrong">Your last payment failed. Update your card to keep your plan.</p>`
      : html`<p>${ending ? "Your plan ends on" : "Your plan renews on"} ${end}.</p>`;
  if (isOver(subscription)) return html`${lines}${state}`;
  return html`${lines}${state}${
    ending
      ? form(
          visit,
          html`${subscriptionField(subscription)}<button name="intent" value="renew">${"Don't cancel"}</button>`,
        )
      : features.subscription_cancel.enabled && cancelBlock(visit, subscription)
  }${features.subscription_update.enabled && planBlock(visit, subscription)}`;
}

function subscriptionField(subscription: Stripe.Subscription): Html {
  return html`<input type="hidden" name="subscription" value="${subscription.id}">`;
}

/** The button that cancels, with the reasons that the configuration asks for. */
export function cancelBlock(visit: PortalVisit, subscription: Stripe.Subscription): Html {
  const { enabled, options } = visit.features.subscription_cancel.cancellation_reason;
  const reasons =
    enabled &&
    html`<label for="feedback">Why do you cancel?</label><select id="feedback" name="feedback">
<option value=""></option>${options.map((each) => html`<option>${each}</option>`)}</select>`;
  return form(
    visit,
    html`${subscriptionField(subscription)}${reasons}<button name="intent" value="cancel">Cancel plan</button>`,
  );
}

/** The plans to choose from, or the one that a flow has chosen. */
export function planBlock(
  visit: PortalVisit,
  subscription: Stripe.Subscription,
  chosen?: string,
): Html {
  const { account, features } = visit;
  const offered = (features.subscription_update.products ?? []).flatMap(({ prices }) => prices);
  const currentPrice = subscription.items.data[0]?.price.id;
  const priceIds = chosen === undefined ? offered.filter((id) => id !== currentPrice) : [chosen];
  const prices = priceIds.flatMap((id) => account.state.prices[id] ?? []);
  return html`${prices.map((price) =>
    form(
      visit,
      html`${subscriptionField(subscription)}<input type="hidden" name="price" value="${price.id}">
<p>${productName(account, idOf(price.product))}, ${money(price.unit_amount, price.currency)} per ${price.recurring?.interval}</p>
<button name="intent" value="plan">${chosen === undefined ? "Switch to this plan" : "Confirm"}</button>`,
    ),
  )}`;
}

export function cardBlock(visit: PortalVisit): Html {
  const { account, customer } = visit;
  const cards = Object.values(account.state.paymentMethods);
  const card = cards.findLast((each) => each.customer === customer.id)?.card;
  const brand = card && card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return html`<p>${card ? `${brand} ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}` : "No card yet."}</p>
${form(
  visit,
  html`${field("card", "Card number", {}, undefined, { html: 'inputmode="numeric" autocomplete="off"' })}
${field("expires", "Expires (MM / YY)", {}, undefined, { html: 'inputmode="numeric" autocomplete="off" placeholder="MM / YY"' })}
<button class="main" name="intent" value="card">Save card</button>
<div class="row" style="margin-top:1rem">
<button name="intent" value="good">Use a card that works</button>
<button name="intent" value="failing">Use a card that fails</button></div>`,
)}`;
}

/** Name, address and tax id, as far as the configuration allows. */
export function detailsBlock(visit: PortalVisit): Html {
  const { account, customer, features } = visit;
  const { allowed_updates } = features.customer_update;
  const taxId = taxIdsOf(account.state, customer.id).at(-1)?.value ?? "";
  const { country, line1, city, postal_code } = customer.address ?? {};
  const typed = {
    business_name: customer.name ?? "",
    country: country ?? "",
    line1: line1 ?? "",
    city: city ?? "",
    postal_code: postal_code ?? "",
    tax_id: taxId,
  };
  return form(
    visit,
    html`${allowed_updates.includes("name") && field("business_name", "Name", typed, undefined)}
${allowed_updates.includes("address") && addressFields(typed)}
${allowed_updates.includes("tax_id") && field("tax_id", "Tax ID", typed, undefined)}
<button class="main" name="intent" value="details">Save</button>`,
  );
}

export function invoiceTable(invoices: Stripe.Invoice[]): Html {
  if (invoices.length === 0) return html`<p>No invoices.</p>`;
  const rows = invoices.map(
    (invoice) => html`<tr><td>${day(invoice.created)}</td>
<td><a href="/i/${invoice.id}">${invoice.number}</a></td>
<td>${money(invoice.total, invoice.currency)}</td><td>${invoice.status}</td></tr>`,
  );
  return html`<div class="scroll"><table>
<thead><tr><th>Date</th><th>Number</th><th>Amount</th><th>Status</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
