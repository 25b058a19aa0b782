import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { completeCheckout, currentSession } from "../flows/checkout.ts";
import { cardHelp, readCard } from "../objects/cards.ts";
import { redeemable } from "../objects/discounts.ts";
import { applySessionTotals } from "../objects/session-totals.ts";
import { idOf } from "../state.ts";
import { authenticationPage, notAuthenticated } from "./authentication.ts";
import {
  addressFields,
  addressOf,
  customFields,
  type FieldError,
  field,
  readDetails,
  readTyped,
  requestedFields,
  type Typed,
} from "./checkout-fields.ts";
import { type Html, html, money, page, seeOther } from "./page.ts";

const prefilledCard = "4242 4242 4242 4242";

/** The hosted page of a checkout session. */
export function showCheckout(account: Account, id: string): Response {
  const session = currentSession(account, id);
  if (session?.status !== "open") return closedPage(session);
  return checkoutPage(account, session, {
    email: existingCustomer(account, session)?.email ?? session.customer_email ?? "",
    card: prefilledCard,
  });
}

/** What the buttons on the hosted page do. */
export async function submitCheckout(
  account: Account,
  id: string,
  request: Request,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const session = currentSession(account, id);
  if (session?.status !== "open") return closedPage(session);
  const typed = { ...readTyped(form) };
  typed.email = existingEmail(account, session) ?? typed.email;
  const back = (error?: FieldError) => checkoutPage(account, session, typed, error);
  if (form.get("intent") === "code") return back(applyCode(account, session, typed));
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(typed.email))
    return back({
      field: "email",
      message: typed.email ? "Your email is invalid." : "Your email is required.",
    });
  const card = readCard(typed.card, typed.expires);
  if ("declined" in card) return back({ field: "card", message: card.declined });
  const read = readDetails(session, typed);
  if ("error" in read) return back(read.error);
  const answer = form.get("authentication");
  if (answer === "fail") return back({ field: "card", message: notAuthenticated });
  if (card.behaviour === "authenticating" && answer !== "complete")
    return authenticationPage({
      action: `/c/pay/${session.id}`,
      amount: session.amount_total ?? 0,
      currency: session.currency ?? "usd",
      fields: typed,
    });
  completeCheckout(account, session, { email: typed.email, card, ...read.details });
  return seeOther((session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id));
}

/** Applies a typed promotion code to the session. An empty one removes the discount. */
function applyCode(
  account: Account,
  session: Stripe.Checkout.Session,
  typed: Typed,
): FieldError | undefined {
  const code = redeemable(account.state, typed.promotion_code);
  if (!requestedFields(session).promotionCode || (typed.promotion_code !== "" && !code))
    return { field: "promotion_code", message: "This code is invalid." };
  session.discounts = code ? [{ coupon: null, promotion_code: code.id }] : [];
  const customer = existingCustomer(account, session);
  const payer = customer ?? { id: "", address: addressOf(typed), tax_exempt: null };
  applySessionTotals(account.state, session, payer);
  return undefined;
}

function existingCustomer(
  account: Account,
  session: Stripe.Checkout.Session,
): Stripe.Customer | undefined {
  const customer = session.customer ? account.state.customers[idOf(session.customer)] : undefined;
  return customer && !customer.deleted ? customer : undefined;
}

function existingEmail(account: Account, session: Stripe.Checkout.Session): string | null {
  return session.customer_email ?? existingCustomer(account, session)?.email ?? null;
}

function checkoutPage(
  account: Account,
  session: Stripe.Checkout.Session,
  typed: Partial<Typed>,
  error?: FieldError,
): Response {
  const items = account.state.checkoutOrders[session.id]?.lineItems ?? [];
  const hasEmail = existingEmail(account, session) !== null;
  const back = session.cancel_url && html`<p><a href="${session.cancel_url}">← Back</a></p>`;
  const asks = requestedFields(session);
  const terms = error?.field === "terms" ? error.message : undefined;
  return page(
    "Checkout",
    html`${back}
<h1>Subscribe</h1>
<section class="card" aria-label="Your order">${items.map(orderLine)}${totals(session)}</section>
<form class="card" method="post" action="/c/pay/${session.id}">
  ${field("email", "Email", typed, error, { html: hasEmail ? "readonly" : 'type="email" autocomplete="email" required' })}
  ${field("card", "Card number", typed, error, { html: 'inputmode="numeric" autocomplete="off" required' })}
  ${field("expires", "Expires (MM / YY)", typed, error, { html: 'inputmode="numeric" autocomplete="off" placeholder="MM / YY"' })}
  ${asks.address && addressFields(typed, error)}
  ${asks.taxId && html`${field("business_name", "Business name", typed, error)}${field("tax_id", "Tax ID", typed, error)}`}
  ${customFields(session, typed, error)}
  ${
    asks.terms &&
    html`<label><input type="checkbox" name="terms" value="yes" style="width:auto"> I agree to the terms of service</label>
  ${terms && html`<p class="wrong" role="alert">${terms}</p>`}`
  }
  <button class="main" type="submit">Pay and subscribe</button>
  ${
    asks.promotionCode &&
    html`${field("promotion_code", "Add promotion code", typed, error)}
  <button name="intent" value="code" formnovalidate>Apply</button>`
  }
</form>
<p class="soft small">Local fake for Stripe Checkout: no money moves. ${cardHelp}</p>`,
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
<p class="price">${money(item.amount_subtotal, item.currency)} <small>${every}</small></p>${quantity}`;
}

/** The discount, the tax and the total; nothing if there is neither discount nor tax. */
function totals(session: Stripe.Checkout.Session): Html | false {
  const { amount_discount = 0, amount_tax = 0 } = session.total_details ?? {};
  if (amount_discount === 0 && amount_tax === 0) return false;
  const { currency } = session;
  return html`${amount_discount > 0 && html`<p>Discount −${money(amount_discount, currency)}</p>`}
${amount_tax > 0 && html`<p>Tax ${money(amount_tax, currency)}</p>`}
<p><strong>Total due today ${money(session.amount_total, currency)}</strong></p>`;
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
