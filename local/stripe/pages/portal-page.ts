import type Stripe from "stripe";
import { type Account, invoicesOf, productName, subscriptionsOf } from "../account.ts";
import { cardThatIs } from "../cards.ts";
import { replaceCard } from "../flows/payment.ts";
import { cancelAtPeriodEnd, payOpenInvoice } from "../flows/time.ts";
import { idOf } from "../state.ts";
import { currentPeriodEnd, isOver } from "../subscriptions.ts";
import { day, type Html, html, money, page, seeOther } from "./page.ts";

type Visit = { session: Stripe.BillingPortal.Session; customer: Stripe.Customer };

/** The billing portal as one customer sees it. */
export function showPortal(account: Account, id: string): Response {
  const visit = visitOf(account, id);
  if (!visit) return gonePage();
  const { session, customer } = visit;
  const back = session.return_url;
  const subscriptions = subscriptionsOf(account, customer.id);
  const invoices = invoicesOf(account, customer.id);
  return page(
    "Billing",
    html`${back && html`<p><a href="${back}">← Return to ${new URL(back).host}</a></p>`}
<h1>Your plan and billing</h1>
<p class="soft">${customer.email}</p>
<section class="card"><h2>Current plan</h2>
${subscriptions.length ? subscriptions.map((each) => subscriptionBlock(account, session, each)) : html`<p>No plan.</p>`}
</section>
<section class="card"><h2>Card</h2>${cardBlock(account, session, customer)}</section>
<section class="card"><h2>Invoices</h2>${invoices.length ? invoiceTable(invoices) : html`<p>No invoices.</p>`}</section>
<p class="soft small">Local stand-in for Stripe's billing portal: no money moves.</p>`,
  );
}

/** What the portal's buttons do. */
export async function submitPortal(
  account: Account,
  id: string,
  request: Request,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const visit = visitOf(account, id);
  if (!visit) return gonePage();
  const intent = form.get("intent");
  if (intent === "good" || intent === "failing") {
    replaceCard(account, visit.customer, cardThatIs(intent));
    for (const subscription of subscriptionsOf(account, visit.customer.id))
      if (intent === "good" && subscription.status === "past_due")
        payOpenInvoice(account, subscription);
  }
  const subscription = account.state.subscriptions[form.get("subscription") ?? ""];
  const isOwn = subscription?.customer === visit.customer.id && !isOver(subscription);
  if (subscription && isOwn && (intent === "cancel" || intent === "renew"))
    cancelAtPeriodEnd(account, subscription, intent === "cancel");
  return seeOther(`/p/session/${id}`);
}

function visitOf(account: Account, id: string): Visit | undefined {
  const session = account.state.portalSessions[id];
  const customer = session && account.state.customers[session.customer];
  return session && customer && !customer.deleted ? { session, customer } : undefined;
}

function gonePage(): Response {
  return page("Billing", html`<div class="card"><h1>This link is not valid</h1></div>`, {
    status: 404,
  });
}

function subscriptionBlock(
  account: Account,
  session: Stripe.BillingPortal.Session,
  subscription: Stripe.Subscription,
): Html {
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
  const button = ending ? ["renew", "Don't cancel"] : ["cancel", "Cancel plan"];
  return html`${lines}${state}${
    !isOver(subscription) &&
    html`<form method="post" action="/p/session/${session.id}">
<input type="hidden" name="subscription" value="${subscription.id}">
<button name="intent" value="${button[0]}">${button[1]}</button></form>`
  }`;
}

function cardBlock(
  account: Account,
  session: Stripe.BillingPortal.Session,
  customer: Stripe.Customer,
): Html {
  const cards = Object.values(account.state.paymentMethods);
  const last = cards.findLast((card) => card.customer === customer.id);
  return html`<p>${last ? `Visa ending in ${last.card?.last4}` : "No card yet."}</p>
<form class="row" method="post" action="/p/session/${session.id}">
<button name="intent" value="good">Use a card that works</button>
<button name="intent" value="failing">Use a card that fails</button></form>`;
}

function invoiceTable(invoices: Stripe.Invoice[]): Html {
  const rows = invoices.map(
    (invoice) => html`<tr><td>${day(invoice.created)}</td>
<td><a href="/i/${invoice.id}">${invoice.number}</a></td>
<td>${money(invoice.total, invoice.currency)}</td><td>${invoice.status}</td></tr>`,
  );
  return html`<div class="scroll"><table>
<thead><tr><th>Date</th><th>Number</th><th>Amount</th><th>Status</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
