import * as z from "zod/mini";

const plan = z.enum(["basic", "pro"]);
const time = z.nullable(z.string());

/** What a mail is about, as the database queues it. All times are ISO timestamps. */
export const occasion = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("begins"),
    data: z.object({ plan, renews: time, ends: time, guest: z.boolean() }),
  }),
  z.object({
    kind: z.literal("ends-soon"),
    /** `owed`: an invoice of the plan is still unpaid. */
    data: z.object({ plan, ends: z.string(), owed: z.boolean() }),
  }),
  z.object({
    kind: z.literal("ended"),
    /** `reason` is Stripe's `cancellation_details.reason`; `other`: the person has another plan that is open. */
    data: z.object({
      plan,
      ended: z.string(),
      reason: z.nullable(z.string()),
      other: z.boolean(),
    }),
  }),
  z.object({
    kind: z.literal("failed"),
    data: z.object({ plan }),
  }),
  z.object({
    kind: z.literal("cancelled"),
    data: z.object({ plan, ends: z.string() }),
  }),
  z.object({
    kind: z.literal("paused"),
    data: z.object({ plan, from: z.string(), until: z.string() }),
  }),
  z.object({
    kind: z.literal("pause-ends"),
    data: z.object({ plan, until: z.string() }),
  }),
  z.object({
    kind: z.literal("history-ends"),
    /** When the plan ended, and the day from which on what its servers reported is deleted; whether no mail follows. */
    data: z.object({ ended: z.string(), ends: z.string(), last: z.boolean() }),
  }),
  z.object({
    kind: z.literal("card"),
    data: z.object({
      plan,
      brand: z.nullable(z.string()),
      last4: z.nullable(z.string()),
      expires: z.string(),
    }),
  }),
  z.object({
    kind: z.literal("dispute"),
    /** Ids at Stripe; `payment` is the id of a payment intent or of a charge. */
    data: z.object({ dispute: z.string(), payment: z.nullable(z.string()), live: z.boolean() }),
  }),
  z.object({
    kind: z.literal("dispute-closed"),
    data: z.object({
      dispute: z.string(),
      /** Stripe's word: `won`, `lost` or `warning_closed`. */
      status: z.string(),
      payment: z.string(),
      live: z.boolean(),
    }),
  }),
  z.object({
    kind: z.literal("fraud-warning"),
    data: z.object({ payment: z.string(), live: z.boolean() }),
  }),
  z.object({
    kind: z.literal("paid-twice"),
    /** Ids at Stripe of the plan that came second; whether it was refunded and ended. */
    data: z.object({ customer: z.string(), subscription: z.string(), refunded: z.boolean() }),
  }),
  z.object({
    kind: z.literal("partly-paid"),
    /** Ids at Stripe of an ordered plan beyond its limit, and of its invoice. */
    data: z.object({ subscription: z.string(), invoice: z.string() }),
  }),
  z.object({
    kind: z.literal("unsent"),
    data: z.object({ invoice: z.string(), live: z.boolean() }),
  }),
]);

export type Occasion = z.output<typeof occasion>;
