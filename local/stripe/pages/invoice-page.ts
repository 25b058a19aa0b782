import type { Account } from "../account.ts";
import { day, html, money, page } from "./page.ts";

/** The hosted page of an invoice. */
export function showInvoice(account: Account, id: string): Response {
  const invoice = account.state.invoices[id];
  if (!invoice)
    return page("Invoice", html`<div class="card"><h1>There is no such invoice</h1></div>`, {
      status: 404,
    });
  const lines = invoice.lines.data.map(
    (line) => html`<tr><td>${line.description}</td>
<td>${day(line.period.start)} – ${day(line.period.end)}</td>
<td>${money(line.amount, line.currency)}</td></tr>`,
  );
  return page(
    `Invoice ${invoice.number}`,
    html`<h1>Invoice ${invoice.number}</h1>
<div class="card">
<p class="price">${money(invoice.total, invoice.currency)} <small>${invoice.status}</small></p>
<p>${invoice.customer_email}</p>
<div class="scroll"><table>
<thead><tr><th>What</th><th>Period</th><th>Amount</th></tr></thead>
<tbody>${lines}</tbody></table></div>
</div>
<p class="soft small">Local stand-in for Stripe: no money moves.</p>`,
  );
}
