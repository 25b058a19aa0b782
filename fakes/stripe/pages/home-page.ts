import type Stripe from "stripe";
import { type Account, productName, subscriptionsOf } from "../account.ts";
import { currentPeriodEnd, isOver } from "../objects/subscriptions.ts";
import { type Delivery, idOf, now } from "../state.ts";
import { day, type Html, html, money, page } from "./page.ts";

const maxEvents = 50;
const oneDay = 24 * 60 * 60;

/** The home page of the fake: what is in the account, and buttons to move it on. */
export function showHome(account: Account): Response {
  const { state } = account;
  const customers = Object.values(state.customers).filter(
    (customer): customer is Stripe.Customer => !customer.deleted,
  );
  const paused = state.deliveryPaused;
  return page(
    "Local Stripe",
    html`<h1>Local Stripe</h1>
<p>A fake for Stripe on this machine: API, checkout, billing portal and webhooks. No money moves. Nothing renews by itself: the buttons move time on.</p>
<div class="row">
${button("/_local/webhooks", paused ? "Resume webhooks" : "Pause webhooks", { paused: String(!paused) })}
${button("/_local/faults", "API works", { mode: "none" })}
${button("/_local/faults", "API slow", { mode: "slow" })}
${button("/_local/faults", "API fails", { mode: "error500" })}
${button("/_local/faults", "API refuses", { mode: "refuse" })}
${button("/_local/reset", "Reset everything")}
<span class="soft">API: ${account.fault.mode === "none" ? "works" : account.fault.mode}. Webhooks: ${paused ? "paused" : "delivered"}.</span>
</div>
<div class="row">
${button("/_local/clock", "A day later", { advanceTo: String(now() + oneDay) })}
${button("/_local/clock", "A month later", { advanceTo: String(now() + 31 * oneDay) })}
<span class="soft">It is ${day(now())} here.</span>
</div>
<section class="card"><h2>Customers and subscriptions</h2>${customers.length ? customers.toReversed().map((each) => customerBlock(account, each)) : html`<p>None yet.</p>`}</section>
<section class="card"><h2>Checkout sessions</h2>${sessionTable(account)}</section>
<section class="card"><h2>Events</h2>${eventTable(account)}</section>
<p class="soft small">As JSON: <a href="/_local/events">events</a>, <a href="/_local/requests">requests</a>.</p>`,
    { wide: true },
  );
}

function button(action: string, label: string, fields: Record<string, string> = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}">${hidden}<button>${label}</button></form>`;
}

function customerBlock(account: Account, customer: Stripe.Customer): Html {
  const portals = Object.values(account.state.portalSessions).filter(
    (session) => session.customer === customer.id,
  );
  const portal = portals.at(-1);
  return html`<h3>${customer.email ?? "No email"} <code>${customer.id}</code></h3>
<div class="row">
${button(`/_local/customers/${customer.id}/card`, "Card works", { behaviour: "good" })}
${button(`/_local/customers/${customer.id}/card`, "Card fails", { behaviour: "failing" })}
${button(`/_local/customers/${customer.id}/card`, "Card asks its owner", { behaviour: "authenticating" })}
${portal && html`<a href="/p/session/${portal.id}">Billing portal</a>`}
</div>
${subscriptionsOf(account, customer.id).map((each) => subscriptionLine(account, each))}`;
}

function subscriptionLine(account: Account, subscription: Stripe.Subscription): Html {
  const names = subscription.items.data.map(
    ({ price }) =>
      `${productName(account, idOf(price.product))}, ${money(price.unit_amount, price.currency)} per ${price.recurring?.interval}`,
  );
  const at = `/_local/subscriptions/${subscription.id}`;
  const ending = subscription.cancel_at_period_end;
  const until = day(currentPeriodEnd(subscription));
  const status = `${subscription.status}, ${ending ? "ends" : "until"} ${until}`;
  const invoice = subscription.latest_invoice;
  return html`<p>${names.join("; ")}: <strong>${status}</strong> <code>${subscription.id}</code></p>
<div class="row">
${
  !isOver(subscription) &&
  html`${button(`${at}/renew`, "Move to the end of the period")}
${ending ? button(`${at}/keep`, "Don't cancel") : button(`${at}/cancel`, "Cancel at period end")}
${subscription.status === "past_due" && button(`${at}/pay`, "Try the payment again")}`
}
${invoice && html`<a href="/i/${idOf(invoice)}">Latest invoice</a>`}
</div>`;
}

function sessionTable(account: Account): Html {
  const sessions = Object.values(account.state.checkoutSessions).toReversed().slice(0, 20);
  if (sessions.length === 0) return html`<p>None yet.</p>`;
  const rows = sessions.map(
    (session) => html`<tr><td><a href="/c/pay/${session.id}">${session.id.slice(0, 20)}…</a></td>
<td>${money(session.amount_total, session.currency)}</td><td>${session.status}</td>
<td>${session.customer_details?.email ?? session.customer_email}</td></tr>`,
  );
  return html`<div class="scroll"><table>
<thead><tr><th>Page</th><th>Amount</th><th>Status</th><th>Email</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function eventTable(account: Account): Html {
  const events = Object.values(account.state.events).slice(-maxEvents).toReversed();
  if (events.length === 0) return html`<p>None yet.</p>`;
  const rows = events.map((event) => {
    const deliveries = account.state.deliveries.filter((each) => each.event === event.id);
    return html`<tr><td>${event.type}</td><td><code>${event.id}</code></td>
<td>${new Date(event.created * 1000).toISOString().slice(11, 19)}</td>
<td>${deliveries.map(deliveryText)}</td>
<td>${button(`/_local/events/${event.id}/deliver`, "Deliver now")}</td></tr>`;
  });
  return html`<div class="scroll"><table>
<thead><tr><th>Type</th><th>Id</th><th>Time</th><th>Delivery</th><th>Again</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function deliveryText(delivery: Delivery): Html {
  const last = delivery.attempts.at(-1);
  const tries = delivery.attempts.length;
  const result = last ? ` (${last.status ?? last.error}, ${tries} tries)` : "";
  const kind = delivery.state === "delivered" ? "right" : tries > 0 ? "wrong" : "soft";
  return html`<span class="${kind}">${delivery.state}${result}</span> `;
}
