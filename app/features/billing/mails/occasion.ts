import * as z from "zod/mini";

const plan = z.enum(["basic", "pro"]);
const time = z.nullable(z.string());

/** What a mail is about, as the database queued it. */
export const occasion = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("begins"),
    data: z.object({ plan, renews: time, ends: time, guest: z.boolean() }),
  }),
  z.object({
    kind: z.literal("ends-soon"),
    /** `owed` says that a payment is open. */
    data: z.object({ plan, ends: z.string(), owed: z.boolean() }),
  }),
  z.object({
    kind: z.literal("ended"),
    /** `reason` is Stripe's word; `other` says that another plan of this person runs. */
    data: z.object({
      plan,
      ended: z.string(),
      reason: z.nullable(z.string()),
      other: z.boolean(),
    }),
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
    /** Ids of Stripe's; `payment` is a payment intent or a charge. */
    data: z.object({ dispute: z.string(), payment: z.nullable(z.string()), live: z.boolean() }),
  }),
]);

export type Occasion = z.output<typeof occasion>;
