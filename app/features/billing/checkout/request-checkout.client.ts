import { type CheckoutFailureCode, somethingWentWrong } from "./checkout-messages";

type CheckoutAnswer =
  | { url: string }
  | { status: number; message: string; code?: CheckoutFailureCode | undefined };

/** The JSON of our API. Only the refusal of a checkout has a code. */
type Answer = { url?: string; error?: string; code?: CheckoutFailureCode };

/** Sends an order as JSON to our API. A request that never arrived is a failed checkout too. */
export async function requestCheckout(order: string): Promise<CheckoutAnswer> {
  try {
    const response = await fetch("/api/create-checkout-session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: order,
    });
    const { url, error, code }: Answer = await response.json();
    if (url) return { url };
    return { status: response.status, message: error ?? somethingWentWrong, code };
  } catch {
    return { status: 503, message: somethingWentWrong };
  }
}
