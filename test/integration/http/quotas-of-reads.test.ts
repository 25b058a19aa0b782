import { beforeEach, expect, test } from "vitest";
import { senderOf } from "../../../app/features/contact/receive-message.server.ts";
import { siteQuotas } from "../../../app/platform/database/quotas.ts";
import { usagePath } from "../../support/agents/agent.ts";
import { message, storedMessages, support } from "../../support/contact/contact.ts";
import { contactForm } from "../../support/contact/shown-form.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { sharedSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

/** Asks again and again, a few at a time, up to twice the limit: a new minute may begin in between. */
async function untilRefused(limit: number, ask: () => Promise<Response>): Promise<Response> {
  let answered = 0;
  while (answered < 2 * limit + 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) return refused;
    answered += answers.length;
  }
  throw new Error(`Nothing was refused in ${answered} requests`);
}

testInProof(
  "one person gets so many zips and files in a minute, from wherever they ask",
  async () => {
    const visitor = await customer("pro");
    const id = await storeDeployment("customer.one@example.com", fullOptions());
    const path = `/dashboard/deployments/${id}`;
    // Each from a network address of its own, so that nothing but the person is counted.
    const refused = await untilRefused(120, () => visitor.twin().request(`${path}/bundle.zip`));
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await refused.text()).toBe(
      "Too many downloads in a minute. Please wait a minute and try again.\n",
    );
    await untilRefused(120, () => visitor.twin().request(`${path}/files/livekit.yaml`));
    expect((await visitor.request(path)).status).toBe(200);
  },
);

testInProof(
  "one person asks for so many statistics in a minute, from wherever they ask",
  async () => {
    const visitor = await customer();
    const refused = await untilRefused(30, () => visitor.twin().request(usagePath));
    expect(await refused.json()).toEqual({
      status: 429,
      error: "Too many attempts. Please wait a minute and try again.",
    });
    await untilRefused(30, () => visitor.twin().request(`${usagePath}&format=csv`));
  },
);

async function storeMessages(count: number, sender: string) {
  const rows = Array.from({ length: count }, () => ({ ...message, sender }));
  await database.from("contact_messages").insert(rows).throwOnError();
}

test("a network writes so many messages in a day, and a full day takes none from anybody", async () => {
  const visitor = new Visitor();
  const request = new Request("https://example.com", {
    headers: { "cf-connecting-ip": visitor.address },
  });
  const secret = { COOKIE_SECRET: [variable("COOKIE_SECRET")] };
  const sender = await senderOf(request, secret, new Date());
  await storeMessages(siteQuotas.contactMessagesADayOfOne - 1, sender);
  expect((await visitor.post("/contact", message)).status).toBe(303);
  const refused = await visitor.post("/contact", message);
  const form = contactForm(await refused.text());
  expect(refused.status).toBe(429);
  expect(form.alert).toContain(
    "Nothing was sent: 20 messages came from your network today, and we take no more.",
  );
  expect(form.alert).toContain(support);
  expect(form.values.name).toBe(message.name);

  expect((await new Visitor().post("/contact", message)).status).toBe(303);
  const stored = (await storedMessages()).length;
  await storeMessages(siteQuotas.contactMessagesADay - stored, "others");
  const full = await new Visitor().post("/contact", message);
  expect(full.status).toBe(429);
  expect(contactForm(await full.text()).alert).toContain(
    "Nothing was sent: more messages came today than we take through this form.",
  );
  expect(await storedMessages()).toHaveLength(siteQuotas.contactMessagesADay);
});

testInProof(
  "who sent a message is kept as a hash that differs from day to day and with another secret",
  async () => {
    const visitor = new Visitor();
    await visitor.post("/contact", message);
    const [stored] = await storedMessages();
    expect(stored?.sender).toMatch(/^[\w-]{22}$/);
    const from = (address: string) =>
      new Request("https://example.com", { headers: { "cf-connecting-ip": address } });
    const ours = { COOKIE_SECRET: [variable("COOKIE_SECRET")] };
    const other = { COOKIE_SECRET: [btoa("x".repeat(32))] };
    const day = new Date("2026-11-22T12:00:00Z");
    const hashes = await Promise.all([
      senderOf(from("203.0.113.7"), ours, day),
      senderOf(from("203.0.113.8"), ours, day),
      senderOf(from("203.0.113.7"), ours, new Date("2026-11-23T12:00:00Z")),
      senderOf(from("203.0.113.7"), other, day),
    ]);
    expect(new Set(hashes).size).toBe(4);
  },
);

testInProof("posts of the contact form are counted before they are read", async () => {
  const visitor = new Visitor();
  const refused = await untilRefused(30, () => visitor.post("/contact", { message: "short" }));
  expect(contactForm(await refused.text()).alert).toContain(
    "Go back to find your text, wait a minute and send it again.",
  );
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("the scheduled run removes what was kept long enough, and nothing else", async () => {
  await customer();
  const workspace_id = await personalWorkspaceOf(await userIdOf("customer.one@example.com"));
  const { usageEventsKeptDays, usageDaysKeptDays, contactMessagesKeptDays } = siteQuotas;
  await database
    .from("token_usage_events")
    .insert([
      { workspace_id, event_id: "old", recorded_at: daysAgo(usageEventsKeptDays + 1) },
      { workspace_id, event_id: "kept", recorded_at: daysAgo(usageEventsKeptDays - 1) },
    ])
    .throwOnError();
  const sums = {
    responses: 1,
    total_tokens: 1,
    input_tokens: 1,
    input_text_tokens: 1,
    input_audio_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    output_text_tokens: 0,
    output_audio_tokens: 0,
  };
  const dayOf = (days: number) => daysAgo(days).slice(0, 10);
  await database
    .from("token_usage_days")
    .insert([
      { workspace_id, identity: "old", day: dayOf(usageDaysKeptDays + 2), ...sums },
      { workspace_id, identity: "kept", day: dayOf(usageDaysKeptDays - 1), ...sums },
    ])
    .throwOnError();
  await database
    .from("contact_messages")
    .insert([
      { ...message, name: "old", sender: "a", created_at: daysAgo(contactMessagesKeptDays + 1) },
      { ...message, name: "kept", sender: "a", created_at: daysAgo(contactMessagesKeptDays - 1) },
      { ...message, name: "new", sender: "a" },
    ])
    .throwOnError();

  const site = await sharedSiteWithFaults();
  await site.runScheduled();
  const [line] = await site.logged({ message: "Expired rows were removed" });
  expect(line).toMatchObject({ usage_events: 1, usage_days: 1, contact_messages: 1 });
  const events = await database.from("token_usage_events").select("event_id").throwOnError();
  expect(events.data).toEqual([{ event_id: "kept" }]);
  const days = await database.from("token_usage_days").select("identity").throwOnError();
  expect(days.data).toEqual([{ identity: "kept" }]);
  const messages = await database
    .from("contact_messages")
    .select("name, sender")
    .order("created_at")
    .throwOnError();
  expect(messages.data).toEqual([
    { name: "kept", sender: null },
    { name: "new", sender: "a" },
  ]);
});
