import type { Account } from "../account.ts";
import { showCheckout, submitCheckout } from "./checkout-page.ts";
import { showInvoice, submitInvoice } from "./invoice-page.ts";
import { showInvoicePdf } from "./invoice-pdf.ts";
import { html, page, seeOther } from "./page.ts";
import { showPortal, showPortalDone, submitPortal } from "./portal-page.ts";

/** Answers requests for the pages that Stripe hosts. */
export async function answerPage(account: Account, request: Request): Promise<Response> {
  const [, area, kind, id = "", action = ""] = new URL(request.url).pathname.split("/");
  const reads = request.method !== "POST";
  if (area === "") return seeOther("/_local");
  if (area === "c" && kind === "pay")
    return reads ? showCheckout(account, id) : submitCheckout(account, id, request);
  if (area === "p" && kind === "session" && action === "done" && reads)
    return showPortalDone(account, id);
  if (area === "p" && kind === "session")
    return reads ? showPortal(account, id) : submitPortal(account, id, request);
  if (area === "i" && kind !== undefined && id === "pdf" && reads)
    return showInvoicePdf(account, kind);
  if (area === "i" && kind !== undefined)
    return reads ? showInvoice(account, kind) : submitInvoice(account, kind, request);
  const where = html`<p>The controls of this fake are at <a href="/_local">/_local</a>.</p>`;
  return page("Not found", html`<div class="card"><h1>Page not found</h1>${where}</div>`, {
    status: 404,
  });
}
