import { beforeEach, expect, test } from "vitest";
import { buy, cards } from "../../../support/billing/hosted-pages.ts";
import { onlySubscription, paidInvoices } from "../../../support/billing/plan-change.ts";
import { prices } from "../../../support/billing/stripe-account.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../../support/run/variants.ts";
import {
  fakes,
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import type { Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

async function buyMonthly(visitor: Visitor) {
  const start = await visitor.post("/signup", { option: "monthly" });
  const hosted = start.headers.get("location") ?? "";
  await visitor.arrive(await visitor.post(hosted, { card: cards.good }), hosted);
  await settledStripeEvents();
}

async function useCard(behaviour: "good" | "failing" | "authenticating") {
  const { customer } = await onlySubscription();
  await stripeControl(`customers/${customer}/card`, { behaviour });
  await settledStripeEvents();
}

const priceNow = async () => (await onlySubscription()).items.data.map(({ price }) => price.id);

const cents = (amount: string | undefined) =>
  Math.round(Number(amount?.replace(/[$,]/g, "")) * 100);

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: monthly becomes yearly, paid at once less what is left of the month",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buyMonthly(await person.signIn());
    await person.visit("/dashboard/plan?to=yearly");
    await page.getByText("Unused time of Basic").waitFor();
    const button = page.getByRole("button", { name: /^Pay \$[\d.]+ and change to Pro now$/ });
    const due = /\$[\d.]+/.exec((await button.textContent()) ?? "")?.[0];
    await button.click();
    await page.getByText("Done. You have Pro now.").waitFor();
    expect(await priceNow()).toEqual([prices.yearly]);
    expect((await paidInvoices())[0]).toBe(cents(due));
  },
);

test.each(ways())(
  "$script: Pro becomes Basic at the end of the period, and is kept until then",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "pro");
    await person.visit("/dashboard/plan");
    await page.getByRole("link", { name: /^See what would change: Basic, \$109/ }).click();
    await page.getByText(/^What you lose on/).waitFor();
    await page.getByRole("button", { name: /^Change to Basic on / }).click();
    await page.getByText(/^Done\. On .* your plan changes to Basic\.$/).waitFor();
    expect(await priceNow()).toEqual([prices.pro]);
    await page.getByRole("button", { name: "Keep Pro" }).click();
    await page.getByText(/^Done\. You keep Pro\./).waitFor();

    await page.getByRole("link", { name: /^See what would change: Basic, \$109/ }).click();
    await page.getByRole("button", { name: /^Change to Basic on / }).click();
    await page.getByText(/^Done\. On .* your plan changes to Basic\.$/).waitFor();
    const [item] = (await onlySubscription()).items.data;
    await stripeControl("clock", { advanceTo: (item?.current_period_end ?? 0) + 2 * 3_600 });
    await settledStripeEvents();
    expect(await priceNow()).toEqual([prices.basic]);
    await person.visit("/dashboard");
    await page.getByRole("heading", { name: "Basic", exact: true }).waitFor();
  },
);

test.each(ways())(
  "$script: a declined change leaves everything as it was, and works with another card",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "basic");
    await useCard("failing");
    await person.visit("/dashboard/plan?to=pro");
    person.expectProblem(javaScript ? "402 POST /dashboard/plan.data" : "402 POST /dashboard/plan");
    await page.getByRole("button", { name: /^Pay / }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("Your Visa ending in 0341 was declined.").waitFor();
    await page.getByRole("heading", { name: "You have Basic" }).waitFor();
    const { pending_update, latest_invoice, status } = await onlySubscription();
    expect([status, pending_update, latest_invoice.status]).toEqual(["active", null, "void"]);
    expect(await priceNow()).toEqual([prices.basic]);

    await page.getByRole("button", { name: "Change card" }).click();
    await page.waitForURL((url) => url.origin === fakes().stripe.url);
    await useCard("good");
    await person.visit("/dashboard/plan?to=pro");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByText("Done. You have Pro now.").waitFor();
    expect(await paidInvoices()).toHaveLength(2);
  },
);

test.each(ways())(
  "$script: a payment that the bank wants confirmed is confirmed at Stripe, and said to be open until then",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "basic");
    await useCard("authenticating");
    await person.visit("/dashboard/plan?to=pro");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.waitForURL((url) => url.href.startsWith(`${fakes().stripe.url}/i/`));

    await person.visit("/dashboard/plan");
    await page.getByRole("heading", { name: "Your change to Pro waits for you" }).waitFor();
    await page.getByRole("heading", { name: "You have Basic" }).waitFor();
    expect(await priceNow()).toEqual([prices.basic]);
    await page.getByRole("link", { name: "Confirm the payment" }).click();
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByRole("button", { name: /complete|confirm/i }).click();
    await page.getByText("This invoice is paid.").waitFor();
    await person.visit("/dashboard/plan");
    await page.getByRole("heading", { name: "You have Pro" }).waitFor();
    expect(await priceNow()).toEqual([prices.pro]);
    expect(await paidInvoices()).toHaveLength(2);
  },
);

test.each(ways())(
  "$script: a change that waits for its payment is given up, and nothing was charged",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "basic");
    await useCard("authenticating");
    await person.visit("/dashboard/plan?to=pro");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.waitForURL((url) => url.href.startsWith(`${fakes().stripe.url}/i/`));
    await person.visit("/dashboard/plan");
    await page.getByRole("button", { name: "Give it up and stay with Basic" }).click();
    await page.getByText(/^Done\. The change was given up and nothing was charged\./).waitFor();
    expect(await paidInvoices()).toHaveLength(1);
  },
);

test("while a change is under way its button says so and cannot be pressed again", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/plan?to=pro");
  const sent = await person.hold("/dashboard/plan.data");
  await page.getByRole("button", { name: /^Pay / }).click();
  const busy = page.getByRole("button", { name: "Changing your plan..." });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  sent.release();
  await page.getByText("Done. You have Pro now.").waitFor();
});

test("a page that was open too long shows what the change costs now, and charges nothing", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/plan?to=pro");
  const pay = page.getByRole("button", { name: /^Pay / });
  const before = await pay.textContent();
  await stripeControl("clock", { advanceTo: Math.floor(Date.now() / 1_000) + 10 * 86_400 });
  person.expectProblem("409 POST /dashboard/plan.data");
  await pay.click();
  await page.getByRole("alert").getByText("nothing was charged").waitFor();
  const now = await pay.textContent();
  expect(cents(/\$[\d.]+/.exec(now ?? "")?.[0])).toBeGreaterThan(
    cents(/\$[\d.]+/.exec(before ?? "")?.[0]),
  );
  expect(await paidInvoices()).toHaveLength(1);
  await pay.click();
  await page.getByText("Done. You have Pro now.").waitFor();
});

test("without a connection the page says that nothing was seen to be done", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/plan?to=pro");
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.route("**/*.data*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("alert").getByText("There is no connection right now.").first().waitFor();
  await page.unrouteAll();
  await person.visit("/dashboard/plan?to=pro");
  await page.getByRole("button", { name: /^Pay / }).waitFor();
  expect(await paidInvoices()).toHaveLength(1);
});

test("a page that the browser kept is read again on the way back from Stripe", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/plan");
  await useCard("good");
  const { id } = await onlySubscription();
  await stripeControl(`subscriptions/${id}/cancel`);
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await page.getByRole("button", { name: "Keep Basic" }).waitFor();
});
