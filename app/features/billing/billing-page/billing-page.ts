import type { PaymentMethod } from "../prices/words";

/** One line of the list of invoices. Amounts and dates are words. */
export type InvoiceLine = {
  id: string;
  number: string;
  day: string;
  amount: string;
  /** What is in the amount beside the price: tax, a discount, credit. */
  note: string | undefined;
  state: "Paid" | "Not paid" | "Void" | "Not collected";
  page: string | undefined;
  pdf: string | undefined;
};

/** An invoice that waits for money, and why. */
export type DuePayment = {
  invoice: string;
  amount: string;
  /** What failed. */
  reason: string;
  /** What happens next by itself, and at the end. */
  next: string;
  /** "Confirm and pay" where the bank asks, "Pay now" otherwise. */
  button: string;
  page: string | undefined;
  /** Whether another card would help: a bank that asks its customer is content with this one. */
  needsCard: boolean;
};

/** The next payment of one plan; no amount when nothing will be charged. */
export type NextPayment = { plan: string; amount: string | undefined; words: string };

/** What Stripe says of a customer right now. */
export type LiveBilling = {
  method: PaymentMethod;
  credit: string | undefined;
  due: DuePayment[];
  next: NextPayment[];
  invoices: InvoiceLine[];
  /** Whether these are not the newest ones. */
  isOlder: boolean;
  /** The invoice after which the older ones begin. */
  older: string | undefined;
};

/** What our record says of a plan: enough for a page without Stripe. */
export type KnownPlan = { id: string; name: string; label: string; price: string; advice: string };

/** One Stripe customer of the person: their account's, or that of a purchase they made as a guest. */
export type BillingAccount = {
  customer: string;
  email: string | null;
  plans: KnownPlan[];
  known: PaymentMethod;
  /** Undefined while Stripe does not answer. */
  live: LiveBilling | undefined;
};
