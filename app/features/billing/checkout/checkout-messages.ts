/** Why an order that was taken leads to no checkout. The API answers it as `code`. */
export type CheckoutFailureCode =
  | "invalid-plan"
  | "already-subscribed"
  | "price-differs"
  | "unavailable";

export const invalidPlan = "Invalid plan selected";
export const alreadySubscribed = "You already have an active subscription";
export const somethingWentWrong = "Something went wrong. Please try again.";
export const priceDiffers =
  "Stripe would charge another price than we show, so no checkout was started and nothing was charged. Please tell us on /contact.";
