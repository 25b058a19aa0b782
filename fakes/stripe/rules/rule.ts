/**
 * One thing that Stripe refuses although the request has the right shape: a pair of parameters, a state that forbids
 * the operation, a limit. A description of shapes cannot say these.
 */
export type Rule = {
  /** As the fake names its endpoint. */
  operation: `${"GET" | "POST" | "DELETE"} /v1/${string}`;
  /** When Stripe refuses, in words. */
  condition: string;
  status: 400 | 402 | 404 | 409 | 429;
  type?: "idempotency_error";
  code?: string;
  /** The parameter that the refusal names. The place of use may name it more exactly. */
  param?: string;
  /** `{name}` is replaced by the value that the place of use gives. */
  message: string;
  /** Where this was read: a page of Stripe's, or who met it. */
  source: string;
  /** When it was read or met, as a day. */
  date: string;
  /**
   * `documented`: Stripe's pages say so. `reported`: somebody met this very answer at Stripe. `unconfirmed`: said in
   * part, or of another version; `npm run stripe:check` asks Stripe.
   */
  evidence: "documented" | "reported" | "unconfirmed";
};
