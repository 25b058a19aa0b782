import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailWords } from "~/features/billing/mails/mail-words";
import type { Occasion } from "~/features/billing/mails/occasion";
import { layOut, mailStyle } from "~/features/mail/mail-layout";
import { plainText } from "../../../../fakes/supabase/plain-text.ts";
import { openDatabase } from "../../../support/database/open-database.ts";

const site = "https://livekit.example";
const ends = "2027-03-03T09:00:00+00:00";

const all: Occasion[] = [
  { kind: "begins", data: { plan: "basic", renews: ends, ends: null, guest: false } },
  { kind: "begins", data: { plan: "pro", renews: ends, ends, guest: true } },
  { kind: "ends-soon", data: { plan: "pro", ends, owed: false } },
  { kind: "ends-soon", data: { plan: "pro", ends, owed: true } },
  { kind: "ended", data: { plan: "pro", ended: ends, reason: "payment_failed", other: false } },
  { kind: "ended", data: { plan: "basic", ended: ends, reason: null, other: true } },
  { kind: "history-ends", data: { ended: "2026-12-03T09:00:00+00:00", ends, last: false } },
  { kind: "history-ends", data: { ended: "2026-12-03T09:00:00+00:00", ends, last: true } },
  {
    kind: "card",
    data: { plan: "pro", brand: "visa", last4: "4242", expires: "2027-03-31" },
  },
  { kind: "card", data: { plan: "pro", brand: null, last4: null, expires: "2027-03-31" } },
  { kind: "dispute", data: { dispute: "dp_1", payment: "pi_1", live: true } },
  { kind: "dispute", data: { dispute: "dp_2", payment: null, live: false } },
  { kind: "ended", data: { plan: "pro", ended: ends, reason: "second_plan", other: true } },
  {
    kind: "dispute-closed",
    data: { dispute: "dp_1", status: "lost", payment: "pi_1", live: true },
  },
  {
    kind: "dispute-closed",
    data: { dispute: "dp_1", status: "won", payment: "ch_1", live: false },
  },
  { kind: "failed", data: { plan: "basic" } },
  { kind: "cancelled", data: { plan: "pro", ends } },
  { kind: "paused", data: { plan: "basic", from: ends, until: ends } },
  { kind: "pause-ends", data: { plan: "basic", until: ends } },
  { kind: "fraud-warning", data: { payment: "pi_1", live: true } },
  { kind: "paid-twice", data: { customer: "cus_1", subscription: "sub_1", refunded: true } },
  { kind: "paid-twice", data: { customer: "cus_1", subscription: "sub_1", refunded: false } },
  { kind: "partly-paid", data: { subscription: "sub_1", invoice: "in_1" } },
  { kind: "unsent", data: { invoice: "in_1", live: false } },
];

const team = { slug: "0a1b2c3d4e5f", name: "Acme calls" };

test.each(all.map((each) => [`${each.kind} ${JSON.stringify(each.data)}`, each] as const))(
  "the mail %s says the same as HTML and as plain text, and loads nothing",
  (_, occasion) => {
    const words = mailWords(occasion, site, team);
    const { html, text } = layOut(words);
    for (const sentence of [words.subject, ...words.paragraphs, words.footer]) {
      expect(text).toContain(sentence);
      expect(plainText(html)).toContain(sentence);
    }
    expect(text).toContain(`${words.button.label}: ${words.button.address}`);
    expect(text).not.toMatch(/[<>]|&amp;|undefined|null|Invalid/);
    expect(html.match(/href="[^"]*"/g)).toEqual([
      `href="${words.button.address.replaceAll("&", "&amp;")}"`,
    ]);
    expect(html).not.toMatch(/<img|src=|url\(/);
    expect(html).toContain('<html lang="en">');
  },
);

test("a mail about a team's plan names the workspace and leads there; another names none", () => {
  const about: Occasion = { kind: "ends-soon", data: { plan: "pro", ends, owed: false } };
  const words = mailWords(about, site, team);
  expect(words.subject).toMatch(/^Acme calls: Your Pro plan ends on /);
  expect(words.paragraphs[0]).toBe("This is about the workspace Acme calls.");
  expect(words.button.address).toBe(`${site}/dashboard/w/0a1b2c3d4e5f/plan`);
  const ended: Occasion = {
    kind: "ended",
    data: { plan: "pro", ended: ends, reason: null, other: false },
  };
  expect(mailWords(ended, site, team).button.address).toBe(`${site}/dashboard/w/0a1b2c3d4e5f/plan`);
  const alone = mailWords(about, site, { ...team, name: null });
  expect(alone.subject).toMatch(/^Your Pro plan ends on /);
  expect(alone.button.address).toBe(`${site}/dashboard/plan`);
});

test("before what servers reported is deleted two mails say from which day on, what stays, and how to keep it", () => {
  const about = (last: boolean): Occasion => ({
    kind: "history-ends",
    data: { ended: "2026-12-03T09:00:00+00:00", ends, last },
  });
  const [first, second] = [mailWords(about(false), site, null), mailWords(about(true), site, null)];
  expect(first.subject).toBe("What your servers reported is deleted from March 3, 2027 on");
  expect(second.subject).toBe(
    "Last notice: what your servers reported is deleted from March 3, 2027 on",
  );
  for (const { paragraphs, button } of [first, second]) {
    const text = paragraphs.join("\n");
    expect(text).toContain("Your plan ended on December 3, 2026.");
    expect(text).toContain("is kept until March 3, 2027. Afterwards it is deleted");
    expect(text).toContain("The servers are yours and run on");
    expect(text).toContain("With a plan everything is kept");
    expect(button).toEqual({ label: "Choose a plan", address: `${site}/pricing` });
  }
  const named = mailWords(about(true), site, team);
  expect(named.subject).toMatch(/^Acme calls: Last notice: /);
  expect(named.button.address).toBe(`${site}/dashboard/w/0a1b2c3d4e5f/plan`);
});

test("what stands in a mail cannot become its markup", () => {
  const words = mailWords(
    {
      kind: "card",
      data: { plan: "pro", brand: "<b>", last4: '"&', expires: "2027-03-31" },
    },
    site,
    null,
  );
  expect(layOut(words).html).toContain("The &lt;b&gt; card that ends in &quot;&amp;");
});

test("the mails look as those of the auth server do", () => {
  const template = readFileSync("supabase/templates/confirmation.html", "utf8");
  expect(template).toContain(`<style>${mailStyle}</style>`);
  const { html } = layOut(
    mailWords({ kind: "ends-soon", data: { plan: "pro", ends, owed: false } }, site, null),
  );
  const frame = (page: string) => page.slice(page.indexOf("<body"), page.indexOf("<h1"));
  expect(frame(html)).toBe(frame(template));
});

let lite: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  lite = await openDatabase();
}, 120_000);
afterAll(() => lite.close());

test("after the migration no mail is sent of a plan that began or ended before it", async () => {
  const ask = (sql: string) => lite.database.query<{ occasion: string }>(sql, []);
  await ask(
    "insert into public.customers (id, origin, email) values ('cus_1', 'guest', 'ada@example.com')",
  );
  const subscription = (id: string, status: string, created: string, ended: string) =>
    ask(`insert into public.subscriptions
      (id, customer_id, status, price_id, currency, billing_interval, created_at, ended_at, plan)
      values ('${id}', 'cus_1', '${status}', 'price', 'usd', 'month', ${created}, ${ended}, 'pro')`);
  await subscription("sub_began_before", "active", "now() - interval '1 hour'", "null");
  await subscription(
    "sub_ended_before",
    "canceled",
    "now() - interval '1 year'",
    "now() - interval '1 hour'",
  );
  await subscription("sub_began_after", "active", "now() + interval '1 minute'", "null");
  const { rows } = await ask("select occasion from public.mail_occasions()");
  expect(rows).toEqual([{ occasion: "begins:sub_began_after:pro" }]);
});
