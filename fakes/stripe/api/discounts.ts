import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import { pageOf } from "../lists.ts";
import { makeCoupon, makePromotionCode } from "../objects/discounts.ts";
import { flag, integer, metadata, paging, parameters, text } from "../parameters.ts";
import { idOf, newId } from "../state.ts";
import { type Endpoint, endpoint, givenFields, mergedMetadata } from "./endpoint.ts";

const percent = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .refine((value) => value > 0 && value <= 100);

function existingCoupon(account: Account, id: string, param?: string): Stripe.Coupon {
  const coupon = account.state.coupons[id];
  if (!coupon) throw noSuch("coupon", id, param);
  return coupon;
}

function existingCode(account: Account, id: string, param?: string): Stripe.PromotionCode {
  const code = account.state.promotionCodes[id];
  if (!code) throw noSuch("promotion code", id, param);
  return code;
}

/** A discount as a request names it: by its coupon or by its promotion code. */
export const discountGiven = z.strictObject({
  coupon: text.optional(),
  promotion_code: text.optional(),
});

/** The coupon that a request's discount names. */
export function namedCoupon(
  account: Account,
  given: z.output<typeof discountGiven>,
  param: string,
): { coupon: Stripe.Coupon; promotionCode: Stripe.PromotionCode | null } {
  if (given.promotion_code) {
    const promotionCode = existingCode(account, given.promotion_code, `${param}[promotion_code]`);
    const { coupon } = promotionCode.promotion;
    return { coupon: existingCoupon(account, coupon ? idOf(coupon) : "", param), promotionCode };
  }
  if (!given.coupon) throw invalidRequest("Missing required param: coupon.", `${param}[coupon]`);
  return { coupon: existingCoupon(account, given.coupon, `${param}[coupon]`), promotionCode: null };
}

/** `/v1/coupons` and `/v1/promotion_codes` */
export const discountEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/coupons",
    parameters({
      amount_off: integer.optional(),
      currency: text.optional(),
      duration: z.enum(["forever", "once", "repeating"]).optional(),
      duration_in_months: integer.optional(),
      id: text.optional(),
      max_redemptions: integer.optional(),
      metadata: metadata.optional(),
      name: text.max(40).optional(),
      percent_off: percent.optional(),
      redeem_by: integer.optional(),
    }),
    ({ account, params }): Stripe.Coupon => {
      const { expand: _, metadata: given, ...fields } = params;
      const { amount_off, percent_off, currency, duration = "once", duration_in_months } = fields;
      if ((amount_off === undefined) === (percent_off === undefined))
        throw invalidRequest("You must pass either `percent_off` or `amount_off`.");
      if (amount_off !== undefined && !currency)
        throw invalidRequest("You must pass `currency` when passing `amount_off`.", "currency");
      if ((duration === "repeating") !== (duration_in_months !== undefined))
        throw invalidRequest(
          "`duration_in_months` is needed when, and only when, `duration` is `repeating`.",
          "duration_in_months",
        );
      if (fields.id && account.state.coupons[fields.id])
        throw invalidRequest("Coupon already exists.", "id", "resource_already_exists");
      const coupon = makeCoupon({ ...givenFields(fields), metadata: mergedMetadata({}, given) });
      account.state.coupons[coupon.id] = coupon;
      return coupon;
    },
  ),
  endpoint(
    "GET",
    "/v1/coupons",
    parameters(paging),
    ({ account, params }): Stripe.ApiList<Stripe.Coupon> =>
      pageOf("/v1/coupons", Object.values(account.state.coupons), params),
  ),
  endpoint("GET", "/v1/coupons/:id", parameters({}), ({ account, id }) =>
    existingCoupon(account, id),
  ),
  endpoint("DELETE", "/v1/coupons/:id", parameters({}), ({ account, id }): Stripe.DeletedCoupon => {
    existingCoupon(account, id);
    delete account.state.coupons[id];
    return { id, object: "coupon", deleted: true };
  }),

  endpoint(
    "POST",
    "/v1/promotion_codes",
    parameters({
      active: flag.optional(),
      code: text.optional(),
      customer: text.optional(),
      expires_at: integer.optional(),
      max_redemptions: integer.optional(),
      metadata: metadata.optional(),
      promotion: z.strictObject({ coupon: text, type: z.enum(["coupon"]) }),
    }),
    ({ account, params }): Stripe.PromotionCode => {
      const { expand: _, metadata: given, promotion, code, ...fields } = params;
      const coupon = existingCoupon(account, promotion.coupon, "promotion[coupon]");
      const typed = code ?? newId("", 8).slice(1).toUpperCase();
      const isDuplicate = Object.values(account.state.promotionCodes).some(
        (each) => each.active && each.code.toLowerCase() === typed.toLowerCase(),
      );
      if (isDuplicate)
        throw invalidRequest("An active promotion code with `code` already exists.", "code");
      const made = makePromotionCode({
        ...givenFields(fields),
        code: typed,
        metadata: mergedMetadata({}, given),
        promotion: { coupon: coupon.id, type: "coupon" },
      });
      account.state.promotionCodes[made.id] = made;
      return made;
    },
  ),
  endpoint(
    "GET",
    "/v1/promotion_codes",
    parameters({
      ...paging,
      active: flag.optional(),
      code: text.optional(),
      coupon: text.optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.PromotionCode> => {
      const codes = Object.values(account.state.promotionCodes).filter(
        (each) =>
          (params.active === undefined || each.active === params.active) &&
          (params.code === undefined || each.code === params.code) &&
          (params.coupon === undefined || each.promotion.coupon === params.coupon),
      );
      return pageOf("/v1/promotion_codes", codes, params);
    },
  ),
  endpoint("GET", "/v1/promotion_codes/:id", parameters({}), ({ account, id }) =>
    existingCode(account, id),
  ),
];
