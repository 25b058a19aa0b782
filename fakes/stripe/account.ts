import type Stripe from "stripe";
import type { Deliveries } from "./deliveries.ts";
import type { Cause, RecordEvent } from "./events.ts";
import type { SeededPrices } from "./objects/catalogue.ts";
import type { StripeState } from "./state.ts";

/** One API request as it came in, and how it was answered. */
export type LoggedRequest = {
  id: string;
  at: number;
  method: string;
  path: string;
  params: object;
  idempotencyKey: string | null;
  /** Null while unanswered, and when the connection was refused. */
  status: number | null;
};

/** How the API misbehaves on purpose. */
export type Fault = {
  /** `hold` answers when another fault, or none, is set. */
  mode:
    | "none"
    | "slow"
    | "hold"
    | "refuse"
    | "error500"
    | "garbage"
    | "rate-limit"
    | "lock-timeout"
    /** Done, but the answer says that it failed. */
    | "lost";
  delayMs: number;
  /** Only paths that start with this are hit. */
  match: string;
  /** And only requests with this method, where one is named. */
  method?: "GET" | "POST" | "DELETE" | undefined;
};

/** What the operator has set in the account's dashboard, of which the API knows no more than its refusals. */
export type Settings = {
  /** Whether the public details name the page of the terms. */
  hasTerms: boolean;
  /** Whether the portal's default settings were saved. */
  hasPortal: boolean;
  /** Whether invoices can be finalized, as they cannot be without a location for tax. */
  canFinalize: boolean;
};

export const usualSettings: Settings = { hasTerms: true, hasPortal: true, canFinalize: true };

export const noFault: Fault = { mode: "none", delayMs: 0, match: "/v1/" };

/** The account that everything in the fake works on. */
export type Account = {
  readonly state: StripeState;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly record: RecordEvent;
  readonly deliveries: Deliveries;
  readonly requests: LoggedRequest[];
  /** Those that were refused, with what was said against them. */
  readonly refusedRequests: (LoggedRequest & { refusal: string })[];
  /** The idempotency keys of the requests that are under way. */
  readonly keysInUse: Set<string>;
  readonly signal: AbortSignal;
  /** Set while an API request runs: its events name it. */
  cause: Cause;
  fault: Fault;
  settings: Settings;
  /** Ends the waiting of requests that are held; aborted when the fault changes. */
  held: AbortController;
  /** Empties the account and puts back what it starts with. */
  reset(): void;
};

/** Lets the requests go on that were held. */
export function release(account: Account): void {
  account.held.abort();
  account.held = new AbortController();
}

/** What the account starts with. */
export type Seed = {
  webhook: { url: string; secret: string };
  prices: SeededPrices;
};

/** The name of a product, for lines and pages. */
export function productName(account: Account, id: string): string {
  return account.state.products[id]?.name ?? id;
}

/** A customer's subscriptions, oldest first. */
export function subscriptionsOf(account: Account, customer: string): Stripe.Subscription[] {
  return Object.values(account.state.subscriptions).filter(
    (subscription) => subscription.customer === customer,
  );
}

/** A customer's invoices, newest first. */
export function invoicesOf(account: Account, customer: string): Stripe.Invoice[] {
  return Object.values(account.state.invoices)
    .filter((invoice) => invoice.customer === customer)
    .toReversed();
}
