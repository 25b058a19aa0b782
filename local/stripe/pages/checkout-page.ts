import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { completeCheckout, currentSession } from "../flows/checkout.ts";
import { type CardBehaviour, idOf } from "../state.ts";
import { type Html, html, money, page, seeOther } from "./page.ts";

const prefilledCard = "4242 4242 4242 4242";

type Entry = { email: string; card: string };
type EntryError = { field: "email" | "card"; message: string };

/** The hosted page of a checkout session. */
export function showCheckout(account: Account, id: string): Response {
  const session = currentSession(account, id);
  if (session?.status !== "open") return closedPage(session);
  return checkoutPage(account, session, {
    email: knownEmail(account, session) ?? "",
    card: prefilledCard,
  });
}

/** What the button on the hosted page does. */
export async function submitCheckout(
  account: Account,
  id: string,
  request: Request,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const session = currentSession(account, id);
  if (session?.status !== "open") return closedPage(session);
  const entry = {
    email: knownEmail(account, session) ?? (form.get("email") ?? "").trim(),
    card: form.get("card") ?? "",
  };
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(entry.email))
    return checkoutPage(account, session, entry, {
      field: "email",
      message: entry.email ? "Your email is invalid." : "Your email is required.",
    });
  const card = readCard(entry.card);
  if (typeof card === "object")
    return checkoutPage(account, session, entry, { field: "card", message: card.declined });
  completeCheckout(account, session, { email: entry.email, card });
  return seeOther((session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id));
}

/** Stripe's test numbers: one that works, one that works once, and one that never does. */
function readCard(number: string): CardBehaviour | { declined: string } {
  const digits = number.replace(/[\s-]/g, "");
  if (digits === "4242424242424242") return "good";
  if (digits === "4000000000000341") return "failing";
  if (digits === "4000000000000002") return { declined: "Your card was declined." };
  if (/^\d{13,19}$/.test(digits)) return { declined: "Your card number is invalid." };
  return { declined: "Your card number is incomplete." };
}

function knownEmail(account: Account, session: Stripe.Checkout.Session): string | null {
  if (session.customer_email) return session.customer_email;
  const customer = session.customer ? account.state.customers[idOf(session.customer)] : undefined;
  return customer && !customer.deleted ? customer.email : null;
}

function checkoutPage(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: Entry,
  error?: EntryError,
): Response {
  const items = account.state.checkoutOrders[session.id]?.lineItems ?? [];
  const known = knownEmail(account, session) !== null;
  const back = session.cancel_url && html`<p><a href="${session.cancel_url}">← Back</a></p>`;
  return page(
    "Checkout",
    html`${back}
<h1>Subscribe</h1>
<section class="card" aria-label="Your order">${items.map(orderLine)}</section>
<form class="card" method="post" action="/c/pay/${session.id}">
  ${field("email", "Email", entry.email, error, { html: known ? "readonly" : 'type="email" autocomplete="email" required' })}
  ${field("card", "Card number", entry.card, error, { html: 'inputmode="numeric" autocomplete="off" required' })}
  <button class="main" type="submit">Pay and subscribe</button>
</form>
<p class="soft small">Local stand-in for Stripe Checkout: no money moves. Other cards: 4000 0000 0000 0002 is declined, 4000 0000 0000 0341 pays now and fails at renewal.</p>`,
  );
}

function orderLine(item: Stripe.LineItem): Html {
  const recurring = item.price?.recurring;
  const every =
    recurring && recurring.interval_count > 1
      ? `every ${recurring.interval_count} ${recurring.interval}s`
      : `per ${recurring?.interval}`;
  const quantity = (item.quantity ?? 1) > 1 && html`<p class="soft">Quantity ${item.quantity}</p>`;
  return html`<h2>${item.description}</h2>
<p class="price">${money(item.amount_total, item.currency)} <small>${every}</small></p>${quantity}`;
}

function field(
  name: "email" | "card",
  label: string,
  value: string,
  error: EntryError | undefined,
  attributes: Html,
): Html {
  const message = error?.field === name ? error.message : undefined;
  const described = message ? `aria-invalid="true" aria-describedby="${name}-error"` : "";
  return html`<label for="${name}">${label}</label>
  <input id="${name}" name="${name}" value="${value}" ${attributes} ${{ html: described }}>
  ${message && html`<p class="wrong" id="${name}-error" role="alert">${message}</p>`}`;
}

function closedPage(session: Stripe.Checkout.Session | undefined): Response {
  const back = session?.cancel_url && html`<p><a href="${session.cancel_url}">← Back</a></p>`;
  const [heading, explanation, status] = !session
    ? ["Page not found", "There is no such checkout.", 404]
    : session.status === "complete"
      ? ["You're all done here", "This checkout was paid. You were not charged again.", 200]
      : ["This checkout has expired", "Go back to start again. You were not charged.", 200];
  return page(
    "Checkout",
    html`<div class="card"><h1>${heading}</h1><p>${explanation}</p>${back}</div>`,
    { status: Number(status) },
  );
}
