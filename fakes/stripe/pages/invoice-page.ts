import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { receiveTransfer } from "../flows/by-invoice.ts";
import { payInvoice } from "../flows/pending-update.ts";
import { cardHelp, readCard } from "../objects/cards.ts";
import { attachCard, cardFor, existingCustomer } from "../objects/customers.ts";
import { idOf } from "../state.ts";
import { authenticationPage, notAuthenticated } from "./authentication.ts";
import { day, type Html, html, money, page, seeOther } from "./page.ts";

/** The hosted page of an invoice. */
export function showInvoice(account: Account, id: string, problem?: string): Response {
  const invoice = account.state.invoices[id];
  if (!invoice) return noInvoice();
  const lines = invoice.lines.data.map(
    (line) => html`<tr><td>${line.description}</td>
<td>${day(line.period.start)} – ${day(line.period.end)}</td>
<td class="amount">${money(line.amount, line.currency)}</td></tr>`,
  );
  return page(
    `Invoice ${invoice.number}`,
    html`<h1>Invoice ${invoice.number}</h1>
<div class="card">
<p class="price">${money(invoice.total, invoice.currency)} <small>${invoice.status}</small></p>
<p>${[invoice.customer_name, invoice.customer_email].filter(Boolean).join(", ")}</p>
${invoice.customer_tax_ids?.map(({ value }) => html`<p>Tax ID ${value}</p>`)}
${invoice.custom_fields?.map(({ name, value }) => html`<p>${name}: ${value}</p>`)}
${stateOf(invoice)}
<div class="scroll"><table>
<thead><tr><th>What</th><th>Period</th><th class="amount">Amount</th></tr></thead>
<tbody>${lines}</tbody></table></div>
</div>
${invoice.status === "open" && invoice.due_date !== null && transferForm(invoice)}
${invoice.status === "open" && payForm(account, invoice, problem)}
<p class="soft small">Local fake for Stripe: no money moves. ${cardHelp}</p>`,
  );
}

/** What the buttons on the hosted page do: pay, and confirm the payment where the bank asks for it. */
export async function submitInvoice(
  account: Account,
  id: string,
  request: Request,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const invoice = account.state.invoices[id];
  if (!invoice) return noInvoice();
  if (invoice.status !== "open") return showInvoice(account, id);
  if (form.get("intent") === "transfer") {
    const subscription = subscriptionOf(account, invoice);
    if (subscription) receiveTransfer(account, subscription, invoice);
    return seeOther(`/i/${id}`);
  }
  const answer = form.get("authentication");
  if (answer === "fail") return showInvoice(account, id, notAuthenticated);
  const card = chosenCard(account, invoice, form);
  if (card && "declined" in card) return showInvoice(account, id, card.declined);
  const outcome = payInvoice(account, invoice, { card, authenticated: answer === "complete" });
  if (outcome === "declined") return showInvoice(account, id, "Your card was declined.");
  if (outcome === "paid") return seeOther(`/i/${id}`);
  return authenticationPage({
    action: `/i/${id}`,
    amount: invoice.amount_due,
    currency: invoice.currency,
    fields: card ? { method: card.id } : {},
  });
}

/** The card that was typed, or the one that the bank asked about; undefined for the one on file. */
function chosenCard(
  account: Account,
  invoice: Stripe.Invoice,
  form: URLSearchParams,
): Stripe.PaymentMethod | { declined: string } | undefined {
  const { state } = account;
  const customer = existingCustomer(state, invoice.customer ? idOf(invoice.customer) : "");
  const cardOnFile = state.paymentMethods[form.get("method") ?? ""];
  if (cardOnFile?.customer === customer.id) return cardOnFile;
  const number = form.get("card") ?? "";
  if (number === "") return undefined;
  const typed = readCard(number);
  if ("declined" in typed) return typed;
  const card = attachCard(state, customer, typed);
  account.record("payment_method.attached", card);
  return card;
}

function payForm(account: Account, invoice: Stripe.Invoice, problem: string | undefined): Html {
  const subscription = subscriptionOf(account, invoice);
  const card = subscription ? cardFor(account.state, subscription) : undefined;
  const described = problem ? 'aria-invalid="true" aria-describedby="problem"' : "";
  const savedCard = card?.card
    ? html`<p class="soft">Leave the number empty to pay with the Visa card ending in ${card.card.last4}.</p>`
    : html``;
  return html`<form class="card" method="post" action="/i/${invoice.id}">
<label for="card">Card number</label>
<input id="card" name="card" inputmode="numeric" autocomplete="off" ${{ html: described }}>
${savedCard}
${problem && html`<p class="wrong" id="problem" role="alert">${problem}</p>`}
<button class="main" type="submit">Pay ${money(invoice.amount_due, invoice.currency)}</button>
</form>`;
}

function subscriptionOf(
  account: Account,
  invoice: Stripe.Invoice,
): Stripe.Subscription | undefined {
  const reference = invoice.parent?.subscription_details?.subscription;
  return reference ? account.state.subscriptions[idOf(reference)] : undefined;
}

/** For an invoice that is sent: the account to pay to, and a button that plays the bank. */
function transferForm(invoice: Stripe.Invoice): Html {
  return html`<form class="card" method="post" action="/i/${invoice.id}">
<p>Pay by bank transfer until ${day(invoice.due_date ?? 0)}: routing number 110000000, reference ${invoice.number}.</p>
<button class="main" name="intent" value="transfer">The transfer has arrived</button>
</form>`;
}

function stateOf(invoice: Stripe.Invoice): Html {
  if (invoice.status === "paid") return html`<p class="right">This invoice is paid.</p>`;
  if (invoice.status === "void") return html`<p>This invoice is void: there is nothing to pay.</p>`;
  return html``;
}

function noInvoice(): Response {
  return page("Invoice", html`<div class="card"><h1>There is no such invoice</h1></div>`, {
    status: 404,
  });
}
