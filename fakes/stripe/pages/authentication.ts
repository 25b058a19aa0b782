import { type Html, html, money, page } from "./page.ts";

/** What the bank's step asks about: an amount, and the form that goes on once it is answered. */
type Question = {
  action: string;
  amount: number;
  currency: string;
  /** The fields of the form that the step interrupts, which are then sent again. */
  fields?: Record<string, string>;
};

/** The step in which a card's owner confirms a payment to their bank: 3-D Secure. */
export function authenticationPage(question: Question): Response {
  const hidden: Html[] = Object.entries(question.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page(
    "3-D Secure",
    html`<h1>3-D Secure</h1>
<form class="card" method="post" action="${question.action}">
<p>Your bank asks you to confirm this payment.</p>
<p class="price">${money(question.amount, question.currency)}</p>
${hidden}
<div class="row">
<button name="authentication" value="complete">Complete</button>
<button name="authentication" value="fail">Fail</button>
</div>
</form>
<p class="soft small">Local fake for a bank: no money moves.</p>`,
  );
}

/** What Stripe says when the owner did not confirm. */
export const notAuthenticated =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
