import { beforeEach, expect, test } from "vitest";
import { change } from "../../../support/auth/account.ts";
import { mailsTo } from "../../../support/auth/inbox.ts";
import {
  becomes,
  inDays,
  letBackOffPass,
  onlyMails,
  outbox,
  subjectsTo,
  subscriber,
} from "../../../support/billing/plan-mails.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { faults } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { signedIn } from "../../../support/site/visitor.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

const email = "ada@example.com";

test("deleting an account takes its mails out of the outbox", async () => {
  await signedIn("customer.one@example.com");
  const userId = await userIdOf("customer.one@example.com");
  await subscriber("customer.one@example.com", { created_at: inDays(-1) }, userId);
  site().mailProxy.behave(async () => ({ status: 503, body: "" }));
  await site().runScheduled();
  expect(await outbox()).toHaveLength(1);
  await database
    .rpc("remove_personal_records", {
      person: userId,
      verified_email: "customer.one@example.com",
    })
    .throwOnError();
  expect(await outbox()).toEqual([]);
});

test("a cancellation that was taken back before the run is not mailed", async () => {
  const { id } = await subscriber(email, { cancel_at: inDays(2) });
  await database.rpc("claim_mails", { at_most: 0, an_hour: 0, a_day: 0 }).throwOnError();
  expect(await outbox()).toHaveLength(1);
  await becomes(id, { cancel_at: null });
  await site().runScheduled();
  expect(await outbox()).toEqual([]);
  expect(await subjectsTo(email)).toEqual([]);
});

testInProof(
  "a cancellation that was taken back after a failed attempt is not mailed, until it is made again",
  async () => {
    const ends = inDays(2);
    const { id } = await subscriber(email, { cancel_at: ends });
    site().mailProxy.behave(faults.unavailable);
    await site().runScheduled();
    site().mailProxy.behave();
    await becomes(id, { cancel_at: null });
    await letBackOffPass();
    await site().runScheduled();
    expect(await subjectsTo(email)).toEqual([]);
    // It may be at the provider: another with the same words would be a second mail.
    const [mail] = await outbox();
    expect(mail).toMatchObject({ attempts: 1, gave_up_at: null });
    await becomes(id, { cancel_at: ends });
    await site().runScheduled();
    expect(await subjectsTo(email)).toHaveLength(1);
    expect(site().mailProxy.requests.map(({ headers }) => headers["idempotency-key"])).toEqual([
      mail?.id,
    ]);
  },
);

testInProof(
  "what was taken back after a failed attempt is put aside a day later, without a line in the log",
  async () => {
    const { id } = await subscriber(email, { cancel_at: inDays(2) });
    site().mailProxy.behave(faults.unavailable);
    await site().runScheduled();
    await becomes(id, { cancel_at: null });
    await database
      .from("mail_outbox")
      .update({ first_attempt_at: inDays(-1), next_attempt_at: inDays(-1) })
      .eq("attempts", 1)
      .throwOnError();
    await site().runScheduled();
    const [row] = await outbox();
    expect(row?.gave_up_at).not.toBeNull();
    // A line that comes after it, so that it would have been there.
    await database.from("mail_outbox").insert({ occasion: "x", kind: "x" }).throwOnError();
    await site().runScheduled();
    await site().logged({ message: "A mail was given up", kind: "x" });
    expect(site().everyLogLine().join()).not.toMatch(/A mail was given up[^}]*ends-soon/);
  },
);

test("a mail that waits says what is so when it is sent", async () => {
  const { id } = await subscriber(email, { cancel_at: inDays(2) });
  await database.rpc("claim_mails", { at_most: 0, an_hour: 0, a_day: 0 }).throwOnError();
  await becomes(id, { status: "past_due" });
  await site().runScheduled();
  // Of the failed payment there is a mail too.
  const mail = (await mailsTo(email)).find(({ subject }) => !subject.includes("failed"));
  expect(mail?.text).toContain(
    "It was cancelled, so it does not renew. Until then everything works.",
  );
  expect(mail?.text).not.toContain("nothing more is charged");
});

test("every change of plan is mailed, also one back to a plan that was mailed before (H4)", async () => {
  const { id } = await subscriber(email, { plan: "basic", created_at: inDays(-1) });
  await site().runScheduled();
  for (const plan of ["pro", "basic", "pro"] as const) {
    await becomes(id, { plan });
    await site().runScheduled();
    await site().runScheduled();
  }
  expect((await subjectsTo(email)).toSorted()).toEqual([
    "Your Basic plan has begun",
    "Your Basic plan has begun",
    "Your Pro plan has begun",
    "Your Pro plan has begun",
  ]);
});

/** Asks to delete an account whose plan Stripe reports as ended, in a run of its own, before its records go. */
async function deleteWithRunInBetween(answer?: { status: number; body: string }) {
  const address = "customer.one@example.com";
  const visitor = await signedIn(address, site().url);
  const { id } = await subscriber(address, {}, await userIdOf(address));
  let runs = 0;
  site().supabaseProxy.behave(async ({ path }, forward) => {
    if (!path.endsWith("/remove_personal_records")) return forward();
    await becomes(id, { status: "canceled", ended_at: new Date().toISOString() });
    await site().runScheduled();
    runs++;
    return answer ?? forward();
  });
  const { status } = await change(visitor, { intent: "delete", confirmation: address });
  site().supabaseProxy.behave();
  expect(runs).toBe(1);
  return { status, address };
}

test("a mail that waits for an account goes with it, and nobody gets it", async () => {
  const address = "customer.one@example.com";
  const visitor = await signedIn(address, site().url);
  await subscriber(address, { cancel_at: inDays(2) }, await userIdOf(address));
  await database.rpc("claim_mails", { at_most: 0, an_hour: 0, a_day: 0 }).throwOnError();
  expect(await outbox()).toHaveLength(1);
  const { status } = await change(visitor, { intent: "delete", confirmation: address });
  expect(status).toBe(303);
  await site().runScheduled();
  expect(await subjectsTo(address)).toEqual([]);
  expect(await outbox()).toEqual([]);
});

testInProof("an account that is being deleted gets no mail that the plan has ended", async () => {
  const { status, address } = await deleteWithRunInBetween();
  expect(status).toBe(303);
  expect(await subjectsTo(address)).toEqual([]);
  expect(await outbox()).toEqual([]);
});

testInProof(
  "a deletion that failed halfway is mailed an hour later, as the end of the plan",
  async () => {
    const { status, address } = await deleteWithRunInBetween({ status: 500, body: "{}" });
    expect(status).toBe(503);
    await site().runScheduled();
    expect(await subjectsTo(address)).toEqual([]);
    await database
      .from("customers")
      .update({ deletion_asked_at: inDays(-0.1) })
      .not("deletion_asked_at", "is", null)
      .throwOnError();
    await site().runScheduled();
    expect(await subjectsTo(address)).toEqual(["Your Pro plan has ended"]);
  },
);
