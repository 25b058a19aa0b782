import { somethingWentWrong } from "./checkout-messages";

type CheckoutAnswer = { url: string } | { status: number; message: string };

/** Sends an order as JSON to our API. A request that never arrived is a failed checkout too. */
export async function requestCheckout(order: string): Promise<CheckoutAnswer> {
  try {
    const response = await fetch("/api/create-checkout-session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: order,
    });
    const answer: { url?: string; error?: string } = await response.json();
    if (answer.url) return { url: answer.url };
    return { status: response.status, message: answer.error ?? somethingWentWrong };
  } catch {
    return { status: 503, message: somethingWentWrong };
  }
}
