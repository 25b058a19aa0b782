import type Stripe from "stripe";
import { z } from "zod";
import { flag, integer, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";

/** A field that the checkout page asks for beside Stripe's own. The fake knows those for text. */
export const customFieldGiven = z.strictObject({
  key: text.regex(/^[A-Za-z0-9]{1,200}$/),
  label: z.strictObject({ type: z.enum(["custom"]), custom: text }),
  optional: flag.optional(),
  text: z
    .strictObject({ maximum_length: integer.optional(), minimum_length: integer.optional() })
    .optional(),
  type: z.enum(["text"]),
});

/** The fields of a session, before anything is typed into them. */
export function makeCustomFields(
  given: z.output<typeof customFieldGiven>[],
): Stripe.Checkout.Session.CustomField[] {
  if (given.length > 3) throw refusalOf("checkout-with-four-custom-fields");
  return given.map(({ key, label, optional = false, text: limits, type }, index) => {
    if (label.custom.length > 50)
      throw refusalOf("checkout-with-a-long-label", {
        param: `custom_fields[${index}][label][custom]`,
      });
    return {
      key,
      label,
      optional,
      text: {
        default_value: null,
        maximum_length: limits?.maximum_length ?? null,
        minimum_length: limits?.minimum_length ?? null,
        value: null,
      },
      type,
    };
  });
}
