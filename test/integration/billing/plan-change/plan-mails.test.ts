import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../../support/auth/inbox.ts";
import {
  becomes,
  endOfNextMonth,
  inDays,
  manyRuns,
  onlyMails,
  outbox,
  subjectsTo,
  subscriber,
} from "../../../support/billing/plan-mails.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { signedIn } from "../../../support/site/visitor.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

const email = "ada@example.com";

test("a plan that begins is mailed once, in plain text and as HTML, however many runs there are", async () => {
  await subscriber(email, { created_at: inDays(-1) });
  await manyRuns(site());
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("Your Pro plan has begun");
  expect(mail?.text).toContain("Your Pro plan runs from today and renews on March 5, 2027.");
  expect(mail?.text).toContain(
    "You bought it without an account. Sign in with this e-mail address, and the plan is yours.",
  );
  expect(mail?.text).toContain(`Sign in: ${site().url}/signin?next=/dashboard`);
  expect(mail?.text).not.toMatch(/<|&amp;/);
  expect(mail?.html).toContain(`href="${site().url}/signin?next=/dashboard"`);
  expect((await outbox()).map(({ sent_at, data }) => [sent_at !== null, data])).toEqual([
    [true, {}],
  ]);
});

test("a plan that ends within a week is mailed once; after taking it back, once more for another day", async () => {
  const { id } = await subscriber(email, { cancel_at: "2000-01-01T00:00:00Z" });
  await site().runScheduled();
  expect(await subjectsTo(email)).toEqual([]);

  const ends = inDays(3);
  await becomes(id, { cancel_at: ends });
  await manyRuns(site());
  const [mail] = await mailsTo(email);
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
  expect(await subjectsTo(email)).toEqual([`Your Pro plan ends on ${day.format(new Date(ends))}`]);
  expect(mail?.text).toContain(
    "It was cancelled, so it does not renew and nothing more is charged.",
  );
  expect(mail?.text).toContain("open, download and delete all your deployments");
  expect(mail?.text).toContain(`Keep Pro: ${site().url}/dashboard/plan`);

  await becomes(id, { cancel_at: null });
  await site().runScheduled();
  await becomes(id, { cancel_at: ends });
  await site().runScheduled();
  expect(await subjectsTo(email)).toHaveLength(1);
  await becomes(id, { cancel_at: inDays(5) });
  await site().runScheduled();
  expect(await subjectsTo(email)).toHaveLength(2);
});

test("a payment that failed is mailed once, and again when another fails later", async () => {
  const { id } = await subscriber(email);
  await becomes(id, { status: "past_due" });
  await manyRuns(site());
  const [mail] = await mailsTo(email);
  expect(await subjectsTo(email)).toEqual(["A payment for your Pro plan failed"]);
  expect(mail?.text).toContain(`See what failed: ${site().url}/dashboard/billing`);
});

test("a payment that has succeeded before the mail is sent is not said to have failed", async () => {
  const { id } = await subscriber(email);
  await becomes(id, { status: "past_due" });
  await becomes(id, { status: "active" });
  await manyRuns(site());
  expect(await subjectsTo(email)).toEqual([]);
});

test("a cancellation is mailed once when it is taken, and its end once more in its last week", async () => {
  const { id } = await subscriber(email);
  await becomes(id, { cancel_at: inDays(20) });
  await manyRuns(site());
  const [mail] = await mailsTo(email);
  expect(await subjectsTo(email)).toEqual(["Your Pro plan is cancelled"]);
  expect(mail?.text).toContain(`Keep Pro: ${site().url}/dashboard/plan`);
  await becomes(id, { cancel_at: inDays(5) });
  await manyRuns(site());
  expect((await subjectsTo(email))[0]).toMatch(/^Your Pro plan ends on /);
  expect(await subjectsTo(email)).toHaveLength(2);
});

test("a plan that ends later than in a week is not mailed yet", async () => {
  await subscriber(email, { cancel_at: inDays(8) });
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
});

test.each(
  sample(
    [
      ["payment_failed", "because the last payment failed and Stripe's further attempts did too."],
      ["payment_disputed", "because its payment was disputed with the bank."],
      ["cancellation_requested", "as it was cancelled."],
      [null, "as it was cancelled."],
    ],
    2,
  ),
)("an end for the reason %s is mailed once and says why, and what stays", async (reason, words) => {
  await subscriber(email, {
    plan: "basic",
    status: "canceled",
    ended_at: inDays(-1),
    end_reason: reason,
  });
  await manyRuns(site());
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("Your Basic plan has ended");
  expect(mail?.text).toContain(words);
  expect(mail?.text).toContain(
    "You can still open, download and delete all your deployments, but not change them or make new ones. Servers that you made from them are yours and go on running.",
  );
  expect(mail?.text).toContain(`Choose a plan: ${site().url}/pricing`);
});

test("a pause is mailed when it is taken and a week before it ends, once each", async () => {
  const { id } = await subscriber(email, { plan: "basic" });
  await becomes(id, { paused_from: inDays(5), paused_until: inDays(60) });
  await manyRuns(site());
  await becomes(id, { status: "paused", paused_from: inDays(5), paused_until: inDays(60) });
  await manyRuns(site());
  const [taken, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(taken?.subject).toMatch(/^Your Basic plan is paused from /);
  expect(taken?.text).toContain("your servers run on, but nobody watches them");

  await becomes(id, { paused_until: inDays(6) });
  await manyRuns(site());
  const [soon, ...others] = await subjectsTo(email);
  expect(soon).toMatch(/^Your Basic plan runs again on /);
  expect(others).toHaveLength(1);
});

testInProof("where another plan of the person goes on, the end of one says so", async () => {
  await signedIn("customer.one@example.com");
  const userId = await userIdOf("customer.one@example.com");
  const { customer } = await subscriber(
    "customer.one@example.com",
    { status: "canceled", ended_at: inDays(-1) },
    userId,
  );
  await subscriber("customer.one@example.com", { plan: "basic" });
  await database.from("customers").update({ user_id: userId }).neq("id", customer).throwOnError();
  await site().runScheduled();
  const [mail] = await mailsTo("customer.one@example.com");
  expect(mail?.text).toContain("Your other plan goes on as before.");
  expect(mail?.text).not.toContain("but not change them");
});

testInProof(
  "a card that expires next month is mailed once a month, and a new one that does once more",
  async () => {
    const card = { card_brand: "visa", card_last4: "4242", card_expires_at: endOfNextMonth() };
    const { id } = await subscriber(email, card);
    await manyRuns(site());
    const [mail] = await mailsTo(email);
    const month = new Intl.DateTimeFormat("en-US", {
      month: "long",
      year: "numeric",
      timeZone: "UTC",
    }).format(new Date(endOfNextMonth()));
    expect(await subjectsTo(email)).toEqual([
      `The card for your plan expires at the end of ${month}`,
    ]);
    expect(mail?.text).toContain("The Visa card that ends in 4242 pays for your Pro plan.");
    expect(mail?.text).toContain(`See your card: ${site().url}/dashboard/billing`);
    await becomes(id, { card_last4: "4444" });
    await manyRuns(site());
    expect(await subjectsTo(email)).toHaveLength(2);
  },
);

testInProof.each([
  ["expires this month", { card_expires_at: new Date().toISOString().slice(0, 10) }],
  ["expires in a year", { card_expires_at: inDays(400).slice(0, 10) }],
  ["is of a plan that ends by itself", { cancel_at: inDays(40) }],
  ["is of a plan that is over", { status: "canceled", ended_at: inDays(-20) }],
])("no mail is sent about a card that %s", async (_, change) => {
  await subscriber(email, { card_last4: "4242", card_expires_at: endOfNextMonth(), ...change });
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
});

test("nothing past is mailed: neither what was before mails were queued, nor longer ago than three days", async () => {
  await database
    .from("mail_budget")
    .update({ since: inDays(-1) })
    .eq("only_row", true);
  await subscriber("before@example.com", { created_at: inDays(-2) });
  const over = { status: "canceled", ended_at: inDays(-2) };
  await subscriber("before@example.com", over);
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
  await database
    .from("mail_budget")
    .update({ since: inDays(-90) })
    .eq("only_row", true);
  await subscriber("long.ago@example.com", { created_at: inDays(-4) });
  await subscriber("long.ago@example.com", { status: "canceled", ended_at: inDays(-4) });
  await site().runScheduled();
  expect((await subjectsTo("before@example.com")).toSorted()).toEqual([
    "Your Pro plan has begun",
    "Your Pro plan has ended",
  ]);
  expect(await subjectsTo("long.ago@example.com")).toEqual([]);
});

test("nothing goes to a foreign product's buyer, whom Stripe does not know, or a closed account", async () => {
  const fresh = { created_at: inDays(-1) };
  await subscriber("foreign@example.com", { ...fresh, plan: "none" });
  const unknown = await subscriber("unknown@example.com", fresh);
  await database
    .from("customers")
    .update({ missing_since: inDays(-1) })
    .eq("id", unknown.customer)
    .throwOnError();
  const closed = await subscriber("closed@example.com", fresh);
  await database
    .from("customers")
    .update({ origin: "account" })
    .eq("id", closed.customer)
    .throwOnError();
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
  expect(site().mailProxy.requests).toEqual([]);
});

test("a mail goes to the address that the account has confirmed, and else to the customer's", async () => {
  await signedIn("customer.one@example.com");
  const userId = await userIdOf("customer.one@example.com");
  await subscriber("old.address@example.com", { created_at: inDays(-1) }, userId);
  await subscriber("guest@example.com", { created_at: inDays(-1) });
  await site().runScheduled();
  const [mail] = await mailsTo("customer.one@example.com");
  expect(mail?.text).toContain(`Go to your deployments: ${site().url}/dashboard/deployments`);
  expect(await subjectsTo("old.address@example.com")).toEqual([]);
  expect(await subjectsTo("guest@example.com")).toEqual(["Your Pro plan has begun"]);
});

test("a change of a plan from the month to the year is mailed, and one of its price is not", async () => {
  const { id } = await subscriber(email, {
    ...{ created_at: inDays(-1), plan: "basic", billing_interval: "month" },
  });
  await manyRuns(site());
  await becomes(id, { unit_amount: 11_999 });
  await manyRuns(site());
  expect(await subjectsTo(email)).toEqual(["Your Basic plan has begun"]);
  await becomes(id, { billing_interval: "year" });
  await manyRuns(site());
  expect(await subjectsTo(email)).toEqual(Array(2).fill("Your Basic plan has begun"));
});

test("a change from Basic to Pro is mailed once, as the beginning of Pro", async () => {
  const { id } = await subscriber(email, { plan: "basic", created_at: inDays(-40) });
  await site().runScheduled();
  expect(await subjectsTo(email)).toEqual([]);
  await becomes(id, { plan: "pro" });
  await manyRuns(site());
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("Your Pro plan has begun");
});

testInProof(
  "a plan that is changed soon after it began is mailed both times, and neither again",
  async () => {
    const { id } = await subscriber(email, { plan: "basic", created_at: inDays(-1) });
    await site().runScheduled();
    await becomes(id, { plan: "pro" });
    await manyRuns(site());
    await becomes(id, { plan: "basic" });
    await manyRuns(site());
    expect(await subjectsTo(email)).toEqual([
      "Your Pro plan has begun",
      "Your Basic plan has begun",
    ]);
  },
);

testInProof.each([null, "none"] as const)(
  "a plan that is first read where the row said %s is no change",
  async (before) => {
    const { id } = await subscriber(email, { plan: before, created_at: inDays(-40) });
    await becomes(id, { plan: "pro" });
    await site().runScheduled();
    expect(await outbox()).toEqual([]);
  },
);

testInProof("a change of plan longer than three days ago is not mailed", async () => {
  const { id } = await subscriber(email, { plan: "basic", created_at: inDays(-40) });
  await becomes(id, { plan: "pro" });
  await becomes(id, { plan_since: inDays(-4) });
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
});
