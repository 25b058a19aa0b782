import type Stripe from "stripe";
import { type Account, invoicesOf, productName, subscriptionsOf } from "../account.ts";
import {
  cancelInPortal,
  changeCard,
  changeDetails,
  changePlanInPortal,
  customerSubscription,
  type Problem,
} from "../flows/portal.ts";
import { cancelAtPeriodEnd } from "../flows/time.ts";
import { cardHelp } from "../objects/cards.ts";
import { idOf } from "../state.ts";
import { addressOf, readTyped } from "./checkout-fields.ts";
import { html, page, seeOther } from "./page.ts";
import {
  cancelBlock,
  cardBlock,
  detailsBlock,
  invoiceTable,
  type PortalVisit,
  planBlock,
  subscriptionBlock,
} from "./portal-blocks.ts";

/** The billing portal as one customer sees it: one step of a flow, or everything that is allowed. */
export function showPortal(account: Account, id: string): Response {
  const visit = visitOf(account, id);
  return visit ? portalPage(visit) : gonePage();
}

function portalPage(visit: PortalVisit, problem?: Problem): Response {
  const { session, customer, features, account } = visit;
  const back = session.return_url;
  const return_ = back && html`<p><a href="${back}">← Return to ${new URL(back).host}</a></p>`;
  const wrong = problem && html`<p class="wrong" role="alert">${problem}</p>`;
  const footer = html`<p class="soft small">Local fake for Stripe's billing portal: no money moves. ${cardHelp}</p>`;
  if (session.flow) return page("Billing", html`${return_}${wrong}${step(visit)}${footer}`);
  const subscriptions = subscriptionsOf(account, customer.id);
  return page(
    "Billing",
    html`${return_}
<h1>Your plan and billing</h1>
<p class="soft">${customer.email}</p>${wrong}
<section class="card"><h2>Current plan</h2>
${subscriptions.length ? subscriptions.map((each) => subscriptionBlock(visit, each)) : html`<p>No plan.</p>`}
</section>
${features.payment_method_update.enabled && html`<section class="card"><h2>Card</h2>${cardBlock(visit)}</section>`}
${features.customer_update.enabled && html`<section class="card"><h2>Billing information</h2>${detailsBlock(visit)}</section>`}
${features.invoice_history.enabled && html`<section class="card"><h2>Invoices</h2>${invoiceTable(invoicesOf(account, customer.id))}</section>`}
${footer}`,
  );
}

/** The one thing that a flow is for. */
function step(visit: PortalVisit) {
  const { account, session } = visit;
  const { flow } = session;
  if (flow?.type === "customer_update")
    return html`<h1>Billing information</h1><section class="card">${detailsBlock(visit)}</section>`;
  if (flow?.type === "payment_method_update")
    return html`<h1>Change your card</h1><section class="card">${cardBlock(visit)}</section>`;
  const named =
    flow?.subscription_cancel ?? flow?.subscription_update ?? flow?.subscription_update_confirm;
  const subscription = named && customerSubscription(visit, named.subscription);
  if (!subscription) return html`<h1>There is nothing to do here</h1>`;
  if (flow?.type === "subscription_cancel")
    return html`<h1>Cancel your plan</h1><section class="card">${cancelBlock(visit, subscription)}</section>`;
  const [item] = flow?.subscription_update_confirm?.items ?? [];
  const price = item?.price ? account.state.prices[item.price] : undefined;
  const name = price && productName(account, idOf(price.product));
  return html`<h1>${price ? `Change to ${name}` : "Change your plan"}</h1>
<section class="card">${planBlock(visit, subscription, price?.id)}</section>`;
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
  const problem = act(visit, form);
  if (problem !== undefined) return portalPage(visit, problem);
  return seeOther(afterwards(visit.session));
}

function act(visit: PortalVisit, form: URLSearchParams): Problem {
  const { account, features } = visit;
  const intent = form.get("intent");
  if (intent === "good" || intent === "failing" || intent === "card") {
    if (!features.payment_method_update.enabled) return "This cannot be changed here.";
    const number = { good: "4242424242424242", failing: "4000000000000341", card: null }[intent];
    return changeCard(visit, number ?? form.get("card") ?? "", form.get("expires") ?? "");
  }
  if (intent === "details") {
    const typed = readTyped(form);
    const { business_name: name, tax_id: taxId } = typed;
    return changeDetails(visit, { name, taxId, address: addressOf(typed) });
  }
  const subscription = customerSubscription(visit, form.get("subscription"));
  if (!subscription) return undefined;
  if (intent === "cancel") cancelInPortal(visit, subscription, form.get("feedback") ?? "");
  if (intent === "renew") cancelAtPeriodEnd(account, subscription, false);
  if (intent === "plan") return changePlanInPortal(visit, subscription, form.get("price") ?? "");
  return undefined;
}

/** Where a form leads: on in the portal, or where the flow's end leads. */
function afterwards({ id, flow }: Stripe.BillingPortal.Session): string {
  const after = flow?.after_completion;
  if (after?.type === "redirect" && after.redirect) return after.redirect.return_url;
  if (after?.type === "hosted_confirmation") return `/p/session/${id}/done`;
  return `/p/session/${id}`;
}

/** The end of a flow that stays at Stripe. */
export function showPortalDone(account: Account, id: string): Response {
  const visit = visitOf(account, id);
  const { flow, return_url } = visit?.session ?? {};
  if (!flow) return gonePage();
  const message = flow.after_completion.hosted_confirmation?.custom_message;
  return page(
    "Billing",
    html`<div class="card"><h1>Done</h1>${message && html`<p>${message}</p>`}
${return_url && html`<p><a href="${return_url}">← Return to ${new URL(return_url).host}</a></p>`}</div>`,
  );
}

function visitOf(account: Account, id: string): PortalVisit | undefined {
  const session = account.state.portalSessions[id];
  const customer = session && account.state.customers[session.customer];
  const configuration = session && account.state.portalConfigurations[idOf(session.configuration)];
  if (!session || !configuration || !customer || customer.deleted) return undefined;
  return { account, session, customer, features: configuration.features };
}

function gonePage(): Response {
  return page("Billing", html`<div class="card"><h1>This link is not valid</h1></div>`, {
    status: 404,
  });
}
