import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import {
  onlySubscription,
  paidInvoices,
  planPage,
  press,
} from "../../../support/billing/plan-change.ts";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { stripe } from "../../../support/billing/stripe-account.ts";
import { testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const day = 24 * 3_600;

async function withBasic(): Promise<Visitor> {
  const visitor = await signedIn(email);
  await buy(visitor, "basic");
  return visitor;
}

async function advanceTo(time: number): Promise<void> {
  await stripeControl("clock", { advanceTo: time });
  await settledStripeEvents();
}

async function periodEnd(): Promise<number> {
  return (await onlySubscription()).items.data[0]?.current_period_end ?? 0;
}

const dayWords = (seconds: number) =>
  new Date(seconds * 1_000).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

/** Pauses for so many months; when the pause begins and ends. */
async function pause(visitor: Visitor, months: 1 | 2 | 3) {
  const html = await (await visitor.request("/dashboard/plan")).text();
  const ends = [...html.matchAll(/<option value="(\d{10})"/g)].map(([, end]) => Number(end));
  const until = ends[months - 1] ?? 0;
  const fields = { until: String(until) };
  const from = await periodEnd();
  return { page: await press(visitor, await planPage(visitor), "pause", { fields }), from, until };
}

const statusHere = async () => {
  const { customer } = await onlySubscription();
  return (await recordedSubscriptions(String(customer))).map(({ status }) => status);
};

test("a plan is paused from the end of what is paid: nothing is charged, nobody watches, and it runs again by itself", async () => {
  const visitor = await withBasic();
  const { page, from, until } = await pause(visitor, 2);
  expect(page.words).toContain(
    `Done. Basic is paused from ${dayWords(from)} until ${dayWords(until)}.`,
  );
  expect(page.words).toContain("your servers run on, but nobody watches them");
  expect(await statusHere()).toEqual(["active"]);
  expect(await textAt(visitor, "/dashboard")).toContain(`Paused from ${dayWords(from)}`);

  await advanceTo(from + 2 * 3_600);
  expect(await statusHere()).toEqual(["paused"]);
  expect(await paidInvoices()).toEqual([10_999]);
  expect(await textAt(visitor, "/dashboard")).toContain(
    `Your plan is paused until ${dayWords(until)}: nothing is charged, and nobody watches`,
  );
  expect(await textAt(visitor, "/dashboard/billing")).toContain(
    `Basic: nothing until ${dayWords(until)}, as it is paused.`,
  );
  expect(await textAt(visitor, "/dashboard/deployments")).toMatch(/plan (is )?on hold/i);
  const running = await planPage(visitor, "?to=pro");
  expect(running.words).toContain(`It is paused until ${dayWords(until)}. Nothing is charged`);
  expect(running.hasForm("change")).toBe(false);

  await advanceTo(until + 3_600);
  expect(await statusHere()).toEqual(["active"]);
  await advanceTo(until + day + 3_600);
  expect(await paidInvoices()).toEqual([10_999, 10_999]);
  const { data } = await stripe.invoices.list({ status: "void" });
  expect(data).toHaveLength(2);
});

test("a pause that runs is ended by a new month, which two presses charge once", async () => {
  const visitor = await withBasic();
  const { from } = await pause(visitor, 3);
  await advanceTo(from + 40 * day);
  const page = await planPage(visitor);
  expect(page.form("unpause").button).toBe("Let Basic run now, for $109.99 per month from today");
  const answers = await Promise.all([
    press(visitor, page, "unpause"),
    press(visitor, page, "unpause"),
  ]);
  for (const { words } of answers) expect(words).toContain("Done. You keep Basic. It renews on");
  await settledStripeEvents();
  expect(await paidInvoices()).toEqual([10_999, 10_999]);
  expect(await statusHere()).toEqual(["active"]);
  const { items, pause_collection } = await onlySubscription();
  expect(pause_collection).toBeNull();
  expect(items.data[0]?.current_period_start).toBeGreaterThanOrEqual(from + 40 * day);
  expect((await planPage(visitor)).hasForm("unpause")).toBe(false);
});

test("a pause is taken back before it begins, and the plan renews as if nothing had been", async () => {
  const visitor = await withBasic();
  const { page, from } = await pause(visitor, 1);
  expect(page.hasForm("pause")).toBe(false);
  const back = await press(visitor, page, "unpause");
  expect(back.words).toContain(`Done. You keep Basic. It renews on ${dayWords(from)}`);
  expect(back.hasForm("pause")).toBe(true);
  await advanceTo(from + 2 * 3_600);
  expect(await paidInvoices()).toEqual([10_999, 10_999]);
  expect(await statusHere()).toEqual(["active"]);
});

test("whoever has been paused pays once before the next pause, and Pro by the year is not paused", async () => {
  const visitor = await withBasic();
  const { until } = await pause(visitor, 1);
  await advanceTo(until + 3_600);
  expect((await planPage(visitor)).hasForm("pause")).toBe(false);
  await advanceTo(until + day + 3_600);
  expect((await planPage(visitor)).hasForm("pause")).toBe(true);

  const other = await signedIn("customer.two@example.com");
  await resetFakes();
  await buy(other, "pro");
  expect((await planPage(other)).hasForm("pause")).toBe(false);
});

testInProof("a card that fails when a pause is ended leaves a plan to be paid", async () => {
  const visitor = await withBasic();
  const { from } = await pause(visitor, 2);
  const { customer } = await onlySubscription();
  await advanceTo(from + 10 * day);
  await stripeControl(`customers/${customer}/card`, { behaviour: "failing" });
  const page = await press(visitor, await planPage(visitor), "unpause");
  expect(page.words).toContain("A payment for it is open.");
  await settledStripeEvents();
  expect(await statusHere()).toEqual(["past_due"]);
  expect(await paidInvoices()).toEqual([10_999]);
});

testInProof("a paused plan is cancelled, and is not charged again", async () => {
  const visitor = await withBasic();
  const { from } = await pause(visitor, 2);
  await advanceTo(from + 10 * day);
  const page = await press(visitor, await planPage(visitor), "cancel");
  expect(page.words).toContain("Until then it stays paused.");
  await advanceTo((await periodEnd()) + 3_600);
  expect(await statusHere()).toEqual(["canceled"]);
  expect(await paidInvoices()).toEqual([10_999]);
});

testInProof("an end that the page did not offer is none", async () => {
  const visitor = await withBasic();
  const page = await planPage(visitor);
  const refused = await press(visitor, page, "pause", { fields: { until: "1900000000" } });
  expect(refused.status).toBe(409);
  expect((await onlySubscription()).pause_collection).toBeNull();
});
