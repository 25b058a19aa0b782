import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { idOf, newId, now, onTheWire } from "../state.ts";
import { existingCustomer } from "./customers.ts";

type BalanceChange = {
  /** In the smallest unit; negative is credit for the customer. */
  amount: number;
  currency: string;
  type: Stripe.CustomerBalanceTransaction["type"];
  description?: string | null;
  invoice?: string | null;
  metadata?: Stripe.Metadata;
};

/** Changes a customer's balance, and records why. */
export function changeBalance(
  account: Account,
  customer: Stripe.Customer,
  change: BalanceChange,
): Stripe.CustomerBalanceTransaction {
  const before = onTheWire(customer);
  customer.balance += change.amount;
  customer.currency ??= change.currency;
  const transaction = onTheWire<Stripe.CustomerBalanceTransaction>({
    id: newId("cbtxn"),
    object: "customer_balance_transaction",
    amount: change.amount,
    checkout_session: null,
    created: now(),
    credit_note: null,
    currency: change.currency,
    customer: customer.id,
    customer_account: null,
    description: change.description ?? null,
    ending_balance: customer.balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  });
  account.state.balanceTransactions[transaction.id] = transaction;
  account.record("customer.updated", customer, before);
  return transaction;
}

/** Takes from the customer's balance what a finalized invoice used of it, or adds what a negative one gives. */
export function settleBalance(account: Account, invoice: Stripe.Invoice): void {
  const customer = existingCustomer(account.state, invoice.customer ? idOf(invoice.customer) : "");
  const amount = invoice.total - invoice.amount_due;
  if (amount !== 0)
    changeBalance(account, customer, {
      amount,
      currency: invoice.currency,
      type: "applied_to_invoice",
      invoice: invoice.id,
    });
  invoice.ending_balance = customer.balance;
}
