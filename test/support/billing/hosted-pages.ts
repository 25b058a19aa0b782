import type { Page } from "playwright-core";
import { fakes, settledStripeEvents } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";

/** Numbers that the checkout page of the Stripe fake knows. */
export const cards = {
  good: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
} as const;

/** Waits for Stripe's checkout page. */
export function arriveAtCheckout(page: Page): Promise<void> {
  return page.waitForURL((url) => url.href.startsWith(`${fakes().stripe.url}/c/pay/`));
}

/** Waits for Stripe's customer portal. */
export function arriveAtPortal(page: Page): Promise<void> {
  return page.waitForURL((url) => url.href.startsWith(`${fakes().stripe.url}/p/session/`));
}

/** Picks an account on Google's page. */
export async function chooseGoogleAccount(page: Page, name = "Customer One"): Promise<void> {
  await page.getByRole("heading", { name: "Choose a Google account" }).waitFor();
  await page.getByRole("button", { name }).click();
}

/** Buys a plan of /pricing without a browser; the site knows of it when this resolves. */
export async function buy(
  visitor: Visitor,
  plan: "basic" | "pro",
  promotionCode?: string,
): Promise<void> {
  await pay(visitor, await visitor.post("/pricing", { plan }), promotionCode);
}

/** The same for the workspace whose pages begin with `base`. */
export async function buyForTeam(
  visitor: Visitor,
  base: string,
  plan: "basic" | "pro",
): Promise<void> {
  await pay(visitor, await visitor.post(`${base}/plan`, { intent: "buy", plan }));
}

async function pay(visitor: Visitor, start: Response, promotionCode?: string): Promise<void> {
  const hosted = start.headers.get("location");
  if (!hosted) throw new Error(`No checkout: ${start.status}`);
  if (promotionCode) await visitor.post(hosted, { intent: "code", promotion_code: promotionCode });
  const paid = await visitor.post(hosted, { card: cards.good });
  await visitor.arrive(paid, hosted);
  await settledStripeEvents();
}
