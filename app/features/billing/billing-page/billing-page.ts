import type { InvoiceDetails } from "../invoice-details/invoice-details";
import type { PaymentMethod } from "../prices/words";

/** One line of the list of invoices. Amounts and dates are formatted. */
export type InvoiceLine = {
  id: string;
  number: string;
  day: string;
  amount: string;
  /** Tax, discount and credit in the amount, and what was given back of it, in words. */
  note: string | undefined;
  state:
    | "Paid"
    | "Refunded"
    | "Partly refunded"
    | "Disputed"
    | "Not paid"
    | "Void"
    | "Not collected";
  page: string | undefined;
  pdf: string | undefined;
};

/** An unpaid invoice, in words. */
export type DuePayment = {
  invoice: string;
  amount: string;
  /** What failed. */
  reason: string;
  /** What Stripe does next, and what becomes of the plan if nobody pays. */
  next: string;
  /** "Confirm and pay" where the bank asks, "Pay now" otherwise. */
  button: string;
  page: string | undefined;
  /** Whether another card would help; false when the bank only wants its customer to confirm the payment. */
  needsCard: boolean;
};

/** The next payment of one plan. `amount` is undefined when nothing will be charged. */
export type NextPayment = { plan: string; amount: string | undefined; words: string };

/** What Stripe says about a customer now. */
export type LiveBilling = {
  method: PaymentMethod;
  credit: string | undefined;
  due: DuePayment[];
  next: NextPayment[];
  /** What is on the next invoices. */
  details: InvoiceDetails;
  invoices: InvoiceLine[];
  /** True when these invoices are not the newest ones. */
  isOlder: boolean;
  /** The id of the last invoice shown; undefined when there are no older ones. */
  older: string | undefined;
};

/** A plan from our own records, for when Stripe does not answer. */
export type RecordedPlan = {
  id: string;
  name: string;
  label: string;
  price: string;
  advice: string;
};

/** One Stripe customer of a person: the customer of their account, or of a purchase they made as a guest. */
export type BillingAccount = {
  customer: string;
  email: string | null;
  plans: RecordedPlan[];
  known: PaymentMethod;
  /** Undefined while Stripe does not answer. */
  live: LiveBilling | undefined;
};
