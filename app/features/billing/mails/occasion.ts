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
]);

export type Occasion = z.output<typeof occasion>;
