import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../../support/auth/inbox.ts";
import {
  inDays,
  letBackOffPass,
  onlyMails,
  outbox,
  subjectsTo,
  subscriber,
} from "../../../support/billing/plan-mails.ts";
import { database } from "../../../support/database/database.ts";
import { faults, holdFirstAnswer } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { startOwnWorker } from "../../../support/site/own-site.ts";
import { siteVariables } from "../../../support/site/variables.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

const email = "ada@example.com";
const fresh = { created_at: inDays(-1) };

const keysSent = () => site().mailProxy.requests.map(({ headers }) => headers["idempotency-key"]);

test.each(sample(["error", "bad gateway", "unavailable", "cut off", "garbage"] as const, 1))(
  "where the provider answers with %s the mail waits, and comes later under the same key",
  async (fault) => {
    await subscriber(email, fresh);
    site().mailProxy.behave(faults[fault]);
    await site().runScheduled();
    await site().runScheduled();
    const [waiting] = await outbox();
    expect(waiting).toMatchObject({ attempts: 1, sent_at: null, gave_up_at: null });
    expect(keysSent()).toEqual([waiting?.id]);
    await site().logged({ message: "A mail was not sent", id: waiting?.id ?? "", kind: "begins" });
    expect(site().everyLogLine().join()).not.toContain("ada@");

    site().mailProxy.behave();
    await letBackOffPass();
    await site().runScheduled();
    expect(keysSent()).toEqual([waiting?.id]);
    expect(await subjectsTo(email)).toEqual(["Your Pro plan has begun"]);
  },
);

const budget = async () =>
  (await database.from("mail_budget").select("tried, tried_on_day").single().throwOnError()).data;

testInProof("a day of being asked to wait counts as no attempt, and gives no mail up", async () => {
  for (const number of [1, 2, 3]) await subscriber(`buyer.${number}@example.com`, fresh);
  site().mailProxy.behave(faults["too many"]);
  const before = Date.now();
  await site().runScheduled();
  expect(site().mailProxy.requests).toHaveLength(1);
  const rows = await outbox();
  expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  expect(await budget()).toEqual({ tried: 0, tried_on_day: 0 });
  const waits = rows.filter(({ next_attempt_at }) => Date.parse(next_attempt_at) > Date.now());
  expect(waits.map(({ id }) => id)).toEqual(keysSent());
  expect(Date.parse(waits[0]?.next_attempt_at ?? "") - before).toBeGreaterThan(79_000);

  for (let run = 1; run <= 12; run++) {
    await letBackOffPass();
    await site().runScheduled();
  }
  expect(site().mailProxy.requests).toHaveLength(13);
  site().mailProxy.behave();
  await letBackOffPass();
  await site().runScheduled();
  expect((await outbox()).map(({ attempts, sent_at }) => [attempts, sent_at !== null])).toEqual([
    [1, true],
    [1, true],
    [1, true],
  ]);
  expect(await budget()).toEqual({ tried: 3, tried_on_day: 3 });
});

testInProof(
  "a mail that may be at the provider is given up before the provider forgets its key",
  async () => {
    await subscriber(email, fresh);
    site().mailProxy.behave(faults.unavailable);
    await site().runScheduled();
    site().mailProxy.behave(faults["too many"]);
    await letBackOffPass();
    await site().runScheduled();
    expect(await outbox()).toMatchObject([{ attempts: 1, gave_up_at: null }]);
    await database
      .from("mail_outbox")
      .update({ first_attempt_at: inDays(-23.6 / 24) })
      .not("first_attempt_at", "is", null)
      .throwOnError();
    site().mailProxy.behave();
    await letBackOffPass();
    await site().runScheduled();
    expect((await outbox())[0]?.gave_up_at).not.toBeNull();
    expect(await subjectsTo(email)).toEqual([]);
  },
);

test("a mail that the provider took without our learning of it is not delivered twice", async () => {
  const { customer } = await subscriber(email, fresh);
  site().mailProxy.behave(faults["reset afterwards"]);
  await site().runScheduled();
  expect(await mailsTo(email)).toHaveLength(1);
  expect(await outbox()).toMatchObject([{ sent_at: null }]);

  site().mailProxy.behave();
  await letBackOffPass();
  await site().runScheduled();
  expect(await outbox()).toMatchObject([{ attempts: 2, gave_up_at: null }]);
  expect((await outbox())[0]?.sent_at).not.toBeNull();
  expect(await mailsTo(email)).toHaveLength(1);

  // The same with an address that has changed in between: Resend refuses other words under a used key.
  await database.from("mail_outbox").update({ sent_at: null }).neq("occasion", "");
  await database
    .from("mail_outbox")
    .update({ data: { plan: "pro", renews: null, ends: null, guest: true } })
    .neq("occasion", "");
  await database.from("customers").update({ email: "new@example.com" }).eq("id", customer);
  await letBackOffPass();
  await site().runScheduled();
  expect((await outbox())[0]?.sent_at).not.toBeNull();
  expect(await mailsTo("new@example.com")).toEqual([]);
});

test("attempts come ever more rarely for 23 hours, then the mail is given up with one line", async () => {
  await subscriber(email, fresh);
  site().mailProxy.behave(faults.error);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 11; attempt++) {
    const before = Date.now();
    await site().runScheduled();
    const [row] = await outbox();
    expect(row?.attempts).toBe(attempt);
    // A slow run only makes it longer.
    waits.push((Date.parse(row?.next_attempt_at ?? "") - before) / 1_000);
    await letBackOffPass();
  }
  const expected = [80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 300];
  for (const [nth, seconds] of expected.entries()) {
    expect.soft(waits[nth], `after attempt ${nth + 1}`).toBeGreaterThan(seconds - 1);
    expect.soft(waits[nth], `after attempt ${nth + 1}`).toBeLessThan(seconds + 60);
  }
  // Resend forgets a key after 24 hours: by then the last attempt was made.
  expect(expected.slice(0, -1).reduce((sum, wait) => sum + wait) / 3_600).toBeLessThan(24);

  await site().runScheduled();
  await site().runScheduled();
  const [row] = await outbox();
  expect(row).toMatchObject({ attempts: 11, sent_at: null, data: {} });
  expect(row?.gave_up_at).not.toBeNull();
  const lines = await site().logged({ message: "A mail was given up" });
  expect(lines).toMatchObject([{ level: "error", id: row?.id, kind: "begins" }]);
  expect(await mailsTo(email)).toEqual([]);
});

test("what the provider refuses for good is given up at once", async () => {
  await subscriber(email, fresh);
  site().mailProxy.behave(async () => ({ status: 422, body: "{}" }));
  await site().runScheduled();
  const [row] = await outbox();
  expect(row?.gave_up_at).not.toBeNull();
  await site().logged({ message: "A mail was given up", id: row?.id ?? "", status: 422 });
});

testInProof(
  "a storm takes its share of an hour and no more, four mails a run, and goes on in the next",
  async () => {
    // An hour that does not end during this test.
    await database
      .from("mail_budget")
      .update({ hour: inDays(1), tried: 24 })
      .eq("only_row", true);
    for (let number = 1; number <= 10; number++) {
      await subscriber(`buyer.${number}@example.com`, fresh);
    }
    const sentAfter: number[] = [];
    for (let run = 1; run <= 4; run++) {
      await site().runScheduled();
      sentAfter.push((await outbox()).filter(({ sent_at }) => sent_at).length);
    }
    expect(sentAfter).toEqual([4, 6, 6, 6]);
    await site().logged({ message: "A quota was reached", quota: "mails of an hour" });

    await database
      .from("mail_budget")
      .update({ hour: inDays(-1) })
      .eq("only_row", true);
    await site().runScheduled();
    expect((await outbox()).filter(({ sent_at }) => sent_at)).toHaveLength(10);
  },
);

testInProof(
  "a day has its share too, which the hours do not raise, and the next day another",
  async () => {
    // A day that does not end during this test.
    await database
      .from("mail_budget")
      .update({ day: inDays(1), tried_on_day: 37, hour: inDays(-1) })
      .eq("only_row", true)
      .throwOnError();
    for (let number = 1; number <= 5; number++) {
      await subscriber(`buyer.${number}@example.com`, fresh);
    }
    await site().runScheduled();
    await database
      .from("mail_budget")
      .update({ hour: inDays(-1) })
      .eq("only_row", true);
    await site().runScheduled();
    expect((await outbox()).filter(({ sent_at }) => sent_at)).toHaveLength(3);
    await site().logged({ message: "A quota was reached", quota: "mails of a day" });

    await database
      .from("mail_budget")
      .update({ day: inDays(-1) })
      .eq("only_row", true);
    await site().runScheduled();
    expect((await outbox()).filter(({ sent_at }) => sent_at)).toHaveLength(5);
  },
);

testInProof("a run with mails makes eight requests", async () => {
  for (let number = 1; number <= 6; number++) {
    await subscriber(`buyer.${number}@example.com`, fresh);
  }
  site().supabaseProxy.behave();
  await site().runScheduled();
  const requestPaths = [...site().supabaseProxy.requests, ...site().mailProxy.requests].map(
    ({ path }) => path.replace(/\?.*/, ""),
  );
  // Once an hour, at a minute of its own, old sessions end too.
  expect(
    requestPaths.filter((path) => path !== "/rest/v1/rpc/end_old_sessions").toSorted(),
  ).toEqual([
    ...Array(4).fill("/emails"),
    "/rest/v1/reconciliation",
    "/rest/v1/rpc/claim_mails",
    "/rest/v1/rpc/due_fleets",
    "/rest/v1/rpc/settle_mails",
  ]);
});

testInProof(
  "without a key for Resend nothing is claimed; with one, what is not past is mailed",
  async () => {
    await using silent = await startOwnWorker((siteUrl) => ({
      ...siteVariables,
      SITE_URL: siteUrl,
      RESEND_API_KEY: "",
    }));
    await subscriber(email, fresh);
    const about = { dispute: "dp_1", payment: "pi_1", live: false };
    await database.rpc("queue_dispute_mail", { dispute: "dp_1", about }).throwOnError();
    await silent.runScheduled();
    expect(await outbox()).toMatchObject([{ occasion: "dispute:dp_1", attempts: 0 }]);
    await site().runScheduled();
    expect(await subjectsTo(email)).toEqual(["Your Pro plan has begun"]);
  },
);

test("mails are forgotten after ninety days, and not before", async () => {
  await database
    .from("mail_outbox")
    .insert([
      { occasion: "dispute:old", kind: "dispute", created_at: inDays(-91), sent_at: inDays(-91) },
      { occasion: "dispute:kept", kind: "dispute", created_at: inDays(-89), sent_at: inDays(-89) },
    ])
    .throwOnError();
  const { data } = await database.rpc("remove_expired", { at_most: 10 }).throwOnError();
  expect(data).toMatchObject({ mails: 1 });
  expect((await outbox()).map(({ occasion }) => occasion)).toEqual(["dispute:kept"]);
});

testInProof("two runs that overlap while the provider is slow send each mail once", async () => {
  for (const number of [1, 2, 3]) await subscriber(`buyer.${number}@example.com`, fresh);
  const slow = holdFirstAnswer("/emails", "POST");
  site().mailProxy.behave(slow.handler);
  const first = site().runScheduled();
  await slow.reached;
  await site().runScheduled();
  slow.release();
  await first;
  expect(keysSent().toSorted()).toEqual((await outbox()).map(({ id }) => id).toSorted());
});
