/** The reasons for a cancellation: Stripe's value of `feedback`, which its reports use, and our words. */
export const cancelReasons = [
  ["too_expensive", "It costs too much"],
  ["missing_features", "Something is missing"],
  ["switched_service", "We use another service"],
  ["unused", "We do not use it"],
  ["customer_service", "Support did not help"],
  ["too_complex", "It is too complicated"],
  ["low_quality", "It does not work well enough"],
  ["other", "Another reason"],
] as const;

export type CancelReason = (typeof cancelReasons)[number][0];

/** The reason that a form names; undefined for any other value. */
export function cancelReason(word: unknown): CancelReason | undefined {
  return cancelReasons.find(([reason]) => reason === word)?.[0];
}
