import type { Sandbox } from "../sandbox.ts";

/**
 * How a rule of the fake is tried: a request that Stripe refuses, and the smallest change of it that Stripe takes. What
 * both need is made before.
 */
export type Attempt = (sandbox: Sandbox) => Promise<{
  refused(): Promise<unknown>;
  taken(): Promise<unknown>;
}>;
