import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import {
  onlySubscription,
  paidInvoices,
  planPage,
  press,
} from "../../../support/billing/plan-change.ts";
import { prices, receivedWrites, stripe } from "../../../support/billing/stripe-account.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

const toBasic = "?to=basic";
const email = "customer.one@example.com";

async function having(plan: "basic" | "pro"): Promise<Visitor> {
  const visitor = await signedIn(email);
  await buy(visitor, plan);
  return visitor;
}

const priceNow = async () => (await onlySubscription()).items.data.map(({ price }) => price.id);

async function periodEnd(): Promise<number> {
  const [item] = (await onlySubscription()).items.data;
  return item?.current_period_end ?? 0;
}

const day = (seconds: number) =>
  new Date(seconds * 1_000).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

test("Pro becomes Basic at the end of what is paid for, and not before", async () => {
  const visitor = await having("pro");
  const end = await periodEnd();
  const page = await planPage(visitor, toBasic);
  expect(page.words).toContain(`Nothing is due today. You have Pro until ${day(end)}`);
  expect(page.words).toContain("Then $109.99 per month.");
  expect(page.form("change").button).toBe(`Change to Basic on ${day(end)}`);

  const planned = await press(visitor, page, "change", { query: toBasic });
  expect(planned.words).toContain(`Done. On ${day(end)} your plan changes to Basic.`);
  expect(planned.words).toContain(`It changes to Basic for $109.99 per month on ${day(end)}.`);
  expect(await priceNow()).toEqual([prices.pro]);
  expect(await paidInvoices()).toEqual([99_999]);

  // Stripe charges for a renewal an hour after it.
  await stripeControl("clock", { advanceTo: end + 2 * 3_600 });
  await settledStripeEvents();
  expect(await priceNow()).toEqual([prices.basic]);
  expect(await paidInvoices()).toEqual([10_999, 99_999]);
  expect(await (await visitor.request("/dashboard")).text()).toContain(">Basic</h3>");
  const after = await planPage(visitor);
  expect(after.words).toContain("You have Basic");
  expect(after.hasForm("keep")).toBe(false);
});

testInProof(
  "what a smaller plan takes is said first, by the names of what somebody has",
  async () => {
    const visitor = await having("pro");
    await storeDeployment(email, fullOptions(), "First");
    await storeDeployment(email, fullOptions(), "Second");
    const { words } = await planPage(visitor, toBasic);
    expect(words).toContain("Can then be read, downloaded and deleted, but not changed: Second.");
    expect(words).toMatch(/First keeps what it has of Pro in its files, .* and recording\./);
    expect(words.indexOf("What you lose")).toBeLessThan(words.indexOf("Nothing is due today"));
  },
);

testInProof("two presses plan the change once", async () => {
  const visitor = await having("pro");
  const page = await planPage(visitor, toBasic);
  const answers = await Promise.all([
    press(visitor, page, "change", { query: toBasic }),
    press(visitor, page, "change", { query: toBasic }),
  ]);
  for (const { words } of answers) expect(words).toContain("your plan changes to Basic.");
  const { data } = await stripe.subscriptionSchedules.list();
  expect(data.map(({ status }) => status)).toEqual(["active"]);
});

testInProof("a planned change is taken back in place, and the plan renews as it was", async () => {
  const visitor = await having("pro");
  const page = await planPage(visitor, toBasic);
  const planned = await press(visitor, page, "change", { query: toBasic });
  expect(planned.form("keep").button).toBe("Keep Pro");
  const cancelled = await press(visitor, planned, "keep");
  expect(cancelled.words).toContain("Done. You keep Pro.");
  const again = await press(visitor, planned, "keep");
  expect(again.words).toContain("Done. You keep Pro.");
  // What was taken back can be planned again.
  const anew = await press(visitor, await planPage(visitor, toBasic), "change", { query: toBasic });
  expect(anew.words).toContain("your plan changes to Basic.");
  await press(visitor, anew, "keep");
  await stripeControl("clock", { advanceTo: (await periodEnd()) + 2 * 3_600 });
  expect(await priceNow()).toEqual([prices.pro]);
});

test("cancelling says until when the plan runs and why it was, and is taken back in place", async () => {
  const visitor = await having("basic");
  const end = await periodEnd();
  const page = await planPage(visitor);
  expect(page.form("cancel").button).toBe(`Cancel Basic on ${day(end)}`);
  const cancelled = await press(visitor, page, "cancel", { fields: { reason: "too_expensive" } });
  expect(cancelled.words).toContain(`Done. Basic ends on ${day(end)}. You are not charged again.`);
  const { cancel_at_period_end, cancellation_details } = await onlySubscription();
  expect(cancel_at_period_end).toBe(true);
  expect(cancellation_details?.feedback).toBe("too_expensive");
  expect(await (await visitor.request("/dashboard")).text()).toContain("Cancelled");

  const resumed = await press(visitor, cancelled, "resume");
  expect(resumed.words).toContain(
    `Done. You keep Basic. It renews on ${day(end)} for $109.99 per month.`,
  );
  expect((await onlySubscription()).cancel_at_period_end).toBe(false);
});

testInProof(
  "cancelling takes a planned change back, and a cancelled plan is kept before it is changed",
  async () => {
    const visitor = await having("pro");
    const planned = await press(visitor, await planPage(visitor, toBasic), "change", {
      query: toBasic,
    });
    expect(planned.words).toContain(
      "The change to Basic that is planned is dropped, also if you keep Pro later: it then renews for $999.99 per year.",
    );
    const cancelled = await press(visitor, planned, "cancel");
    expect(cancelled.words).toContain("Done. Pro ends on");
    const { schedule, cancel_at_period_end } = await onlySubscription();
    expect([schedule, cancel_at_period_end]).toEqual([null, true]);

    const wanted = await planPage(visitor, toBasic);
    expect(wanted.hasForm("change")).toBe(false);
    // What was wanted is still wanted once the plan is kept.
    const resumed = await press(visitor, wanted, "resume", { query: toBasic });
    expect(resumed.leadsTo).toBe("/dashboard/plan?done=resumed&to=basic");
    expect(resumed.form("change").button).toMatch(/^Change to Basic on /);
  },
);

testInProof(
  "a change in the minute of a renewal is not made: the page shows what it costs now",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor, "?to=pro");
    await stripeControl("clock", { advanceTo: (await periodEnd()) + 1 });
    const paid = await paidInvoices();
    const answer = await press(visitor, page, "change", { query: "?to=pro" });
    expect(answer.status).toBe(409);
    expect(answer.words).toMatch(/[Nn]othing was (charged|changed)/);
    expect(await paidInvoices()).toEqual(paid);
    expect(await priceNow()).toEqual([prices.basic]);

    // The renewal is paid about an hour later, and then the change goes its way.
    await stripeControl("clock", { advanceTo: (await periodEnd()) - 86_400 });
    const later = await planPage(visitor, "?to=pro");
    const changed = await press(visitor, later, "change", { query: "?to=pro" });
    expect(changed.words).toContain("You have Pro now.");
    const due = Number(later.form("change").fields.amount);
    expect(await paidInvoices()).toEqual([due, 10_999, 10_999]);
  },
);

testInProof(
  "a renewal between the last look and the change: it costs what was shown, and the renewal counts for it",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor, "?to=pro");
    // A year of Pro, less the month of Basic that has just begun.
    const shown = 99_999 - 10_999;
    expect(page.words).toContain("$890.00");
    const path = `/v1/subscriptions/${(await onlySubscription()).id}`;
    await stripeControl("faults", { mode: "hold", method: "POST", match: path });
    const answer = press(visitor, page, "change", { query: "?to=pro" });
    await pollUntil(receivedWrites, (sent) => sent.some((each) => each.path === path));
    await stripeControl("clock", { advanceTo: (await periodEnd()) + 1 });
    await stripeControl("faults", { mode: "none" });
    expect((await answer).status).toBe(200);
    expect(await priceNow()).toEqual([prices.pro]);
    expect(await paidInvoices()).toEqual([shown, 10_999, 10_999]);
    await stripeControl("clock", { advanceTo: (await periodEnd()) - 86_400 });
    expect(await paidInvoices()).toEqual([shown, 10_999, 10_999]);
  },
);

testInProof(
  "a plan page from before a renewal cancels nothing: it would end a month later than it says",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor);
    await stripeControl("clock", { advanceTo: (await periodEnd()) + 2 * 3_600 });
    const answer = await press(visitor, page, "cancel");
    expect(answer.status).toBe(409);
    expect((await onlySubscription()).cancel_at_period_end).toBe(false);
    expect(answer.form("cancel").button).toBe(`Cancel Basic on ${day(await periodEnd())}`);
  },
);

test("a cancellation that Stripe does not take leaves the change that was planned", async () => {
  const visitor = await having("pro");
  await press(visitor, await planPage(visitor, toBasic), "change", { query: toBasic });
  const page = await planPage(visitor);
  await stripeControl("faults", {
    mode: "lock-timeout",
    method: "POST",
    match: "/v1/subscriptions/",
  });
  expect((await press(visitor, page, "cancel")).status).toBe(409);
  await stripeControl("faults", { mode: "none" });
  expect((await planPage(visitor)).words).toContain("It changes to Basic for $109.99 per month on");
});

test("a cancellation whose answer is lost stays, and the change that was planned does not come back", async () => {
  const visitor = await having("pro");
  await press(visitor, await planPage(visitor, toBasic), "change", { query: toBasic });
  const page = await planPage(visitor);
  await stripeControl("faults", {
    mode: "lost",
    method: "POST",
    match: "/v1/subscriptions/",
  });
  await press(visitor, page, "cancel");
  await stripeControl("faults", { mode: "none" });
  expect(await onlySubscription()).toMatchObject({ cancel_at_period_end: true, schedule: null });
});

test("a discount stays until the end of what is paid for, and after the change", async () => {
  const visitor = await signedIn(email);
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: "forever" });
  const promotion = { type: "coupon", coupon: coupon.id } as const;
  await stripe.promotionCodes.create({ code: "LAUNCH20", promotion });
  await buy(visitor, "pro", "LAUNCH20");
  const { discounts } = await onlySubscription();
  expect(discounts).toHaveLength(1);
  await press(visitor, await planPage(visitor, toBasic), "change", { query: toBasic });
  const { schedule } = await onlySubscription();
  const { phases } = await stripe.subscriptionSchedules.retrieve(String(schedule));
  expect(phases.map((phase) => phase.discounts.map(({ discount }) => discount))).toEqual([
    discounts,
    discounts,
  ]);
});

test("a plan whose payment failed is paid before it is changed", async () => {
  const visitor = await having("basic");
  const page = await planPage(visitor, "?to=pro");
  const { customer } = await onlySubscription();
  await stripeControl(`customers/${customer}/card`, { behaviour: "failing" });
  await stripeControl("clock", { advanceTo: (await periodEnd()) + 2 * 3_600 });
  const { latest_invoice: invoice, status } = await onlySubscription();
  expect(status).toBe("past_due");
  const answer = await press(visitor, page, "change", { query: "?to=pro" });
  expect(answer.status).toBe(409);
  const blocked = await planPage(visitor, "?to=pro");
  expect(blocked.hasForm("change")).toBe(false);
  expect(blocked.words).toContain("Pay it first; then you can change the plan.");
  expect(blocked.words).toContain("Pay the open invoice");
  expect(invoice.status).toBe("open");
});

testInProof(
  "what somebody bought at sign-up changes within its pair, and the year is paid at once",
  async () => {
    const visitor = await signedIn(email);
    const start = await visitor.post("/signup", { option: "monthly" });
    const hosted = start.headers.get("location") ?? "";
    await visitor.arrive(await visitor.post(hosted, { card: "4242 4242 4242 4242" }), hosted);
    await settledStripeEvents();
    const overview = await planPage(visitor);
    expect(overview.words).toContain("$999 per year");
    expect(overview.words).not.toContain("$999.99");
    const page = await planPage(visitor, "?to=yearly");
    const changed = await press(visitor, page, "change", { query: "?to=yearly" });
    expect(changed.words).toContain("You have Pro now.");
    expect(await priceNow()).toEqual([prices.yearly]);
    const back = await planPage(visitor, "?to=monthly");
    expect(back.form("change").button).toMatch(/^Change to Basic on /);
  },
);

testInProof("the way back is a path of this site, and stays through a change", async () => {
  const visitor = await having("basic");
  const back = "/dashboard/deployments/new?step=recording";
  const query = `?${new URLSearchParams({ to: "pro", back })}`;
  const page = await planPage(visitor, query);
  expect(page.words).toContain("Go back without a change");
  const changed = await press(visitor, page, "change", { query });
  expect(new URL(changed.leadsTo, "http://x").searchParams.get("back")).toBe(back);
  expect(changed.words).toContain("Go on where you were");
  const foreign = await planPage(visitor, "?back=//evil.example/");
  expect(foreign.words).not.toContain("Go back");
});
