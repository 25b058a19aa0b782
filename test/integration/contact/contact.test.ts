import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../app/platform/database/types.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import {
  mailsToSupport,
  message,
  siteWith,
  storedMessages,
  support,
} from "../../support/contact/contact.ts";
import { contactForm } from "../../support/contact/shown-form.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

/** The Worker answers before the mail is on its way: the next test must not find it. */
afterEach(async () => {
  const { length } = await storedMessages();
  await pollUntil(
    () => mailsTo(support),
    (mails) => mails.length >= length,
  );
});

test("a message is stored, mailed to support, and confirmed on a page that survives reload", async () => {
  const visitor = new Visitor();
  const sent = await visitor.post("/contact", message);
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/contact/sent"]);

  const [stored, ...others] = await storedMessages();
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ ...message, message: message.message.replace("\r", "") });

  const [mail, ...further] = await mailsToSupport();
  expect(further).toEqual([]);
  expect(mail).toMatchObject({
    via: "resend",
    from: `LiveKit Deploy <${support}>`,
    to: [support],
    replyTo: ["ada@example.com"],
    subject: "[Sales] Message from Ada Lovelace",
    html: "",
  });
  expect(mail?.text).toContain("How many servers does Pro deploy?\nWe run three rooms.");
  expect(mail?.text).toContain(`Reference: ${stored?.id}`);

  for (const visit of ["first", "again"]) {
    const page = await visitor.request("/contact/sent");
    const html = await page.text();
    expect(html, visit).toContain("Message sent");
    expect(html).toContain("ada@example.com");
    expect(html).toContain(String(stored?.id));
    expect(page.headers.get("cache-control")).toBe("private, no-store");
  }
});

testInProof(
  "the receipt is an id in a signed cookie that scripts cannot read, for ten minutes",
  async () => {
    const visitor = new Visitor();
    const sent = await visitor.post("/contact", message);
    const [cookie = ""] = sent.headers.getSetCookie();
    expect(cookie).toMatch(/^contact-receipt=[\w%.+-]+;/);
    expect(cookie).toMatch(/; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax/);
    expect(decodeURIComponent(cookie)).not.toContain("ada");

    const forged = `contact-receipt=${btoa('"0011223344556677"')}.AAAA`;
    for (const header of [undefined, "contact-receipt=x", forged]) {
      const page = await fetch(`${siteUrl}/contact/sent`, {
        headers: header ? { cookie: header } : {},
      });
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(html).toContain("Message sent");
      expect(html).not.toContain("Reference");
    }
  },
);

test.each(
  sample(
    [
      { broken: { name: "" }, errors: { name: "Write your name." } },
      { broken: { name: " \t\u0000 " }, errors: { name: "Write your name." } },
      { broken: { name: "a".repeat(101) }, errors: { name: "Use at most 100 characters." } },
      {
        broken: { email: "" },
        errors: { email: "Write the e-mail address that we should answer to." },
      },
      ...["ada", "ada@", "@example.com", "ada@example", "a b@example.com", "a@b.co, c@d.co"].map(
        (email) => ({
          broken: { email },
          errors: { email: "Write an e-mail address like name@example.com." },
        }),
      ),
      {
        broken: { email: `${"a".repeat(250)}@example.com` },
        errors: { email: "Use at most 254 characters." },
      },
      { broken: { topic: "" }, errors: { topic: "Choose a topic." } },
      { broken: { topic: "billing" }, errors: { topic: "Choose a topic." } },
      { broken: { message: "too short" }, errors: { message: "Write at least 10 characters." } },
      {
        broken: { message: `   ${"\r\n".repeat(20)}` },
        errors: { message: "Write at least 10 characters." },
      },
      { broken: { message: "😀".repeat(9) }, errors: { message: "Write at least 10 characters." } },
      {
        broken: { message: "x".repeat(5_001) },
        errors: { message: "Use at most 5,000 characters. These are 5,001." },
      },
      {
        broken: { name: "", email: "", topic: "", message: "" },
        errors: {
          name: "Write your name.",
          email: "Write the e-mail address that we should answer to.",
          topic: "Choose a topic.",
          message: "Write at least 10 characters.",
        },
      },
    ],
    5,
  ),
)("what is wrong is said at its field and nothing typed is lost: $errors", async (row) => {
  const typed: Record<string, string> = { ...message, ...row.broken };
  const answer = await new Visitor().post("/contact", typed);
  const form = contactForm(await answer.text());
  expect(answer.status).toBe(400);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(form.errors).toEqual(row.errors);
  expect(form.invalid).toBe(Object.keys(row.errors).length);
  expect(form.alert).toBe("Nothing was sent yet. Please correct the marked fields.");
  const expected = { ...typed, topic: typed.topic === "billing" ? "" : typed.topic };
  for (const [name, value] of Object.entries(expected)) {
    expect(form.values[name as keyof typeof form.values]).toBe(value);
  }
  expect(await storedMessages()).toEqual([]);
  expect(await mailsTo(support)).toEqual([]);
});

testInProof("the limits themselves are allowed, counted as people count", async () => {
  const maximal = {
    name: "😀".repeat(100),
    email: `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.org`,
    topic: "other",
    message: "😀\r\n".repeat(2_500).trimEnd(),
  };
  expect(maximal.email).toHaveLength(254);
  const sent = await new Visitor().post("/contact", maximal);
  expect(sent.status).toBe(303);
  const shortest = { name: "A", email: "a@b.co", topic: "support", message: "0123456789" };
  expect((await new Visitor().post("/contact", shortest)).status).toBe(303);
  expect(await storedMessages()).toHaveLength(2);
});

test("nothing that somebody types can add a header to the mail or break the database", async () => {
  const visitor = new Visitor();
  const sent = await visitor.post("/contact", {
    ...message,
    name: "Eve\r\nBcc: victims@example.com\u0000\u0085",
    message: "Line one\u0000\u0008\u001b[31m\r\n.\r\nBcc: victims@example.com",
  });
  expect(sent.status).toBe(303);
  const [mail] = await mailsToSupport();
  expect(mail?.to).toEqual([support]);
  expect(mail?.subject).toBe("[Sales] Message from Eve Bcc: victims@example.com");
  expect((await storedMessages())[0]).toMatchObject({
    name: "Eve Bcc: victims@example.com",
    message: "Line one[31m\n.\nBcc: victims@example.com",
  });

  const address = await visitor.post("/contact", {
    ...message,
    email: "eve@example.com\r\nBcc: victims@example.com",
  });
  expect(address.status).toBe(400);
});

test("a machine that fills every field reads success, and nothing is kept", async () => {
  const visitor = new Visitor();
  const sent = await visitor.post("/contact", { ...message, website: "https://spam.example" });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/contact/sent"]);
  expect(sent.headers.getSetCookie()).toEqual([]);
  expect(await (await visitor.request("/contact/sent")).text()).toContain("Message sent");
  expect(await storedMessages()).toEqual([]);
  expect(await mailsTo(support)).toEqual([]);
});

testInProof("people and screen readers never meet the trap", async () => {
  const page = await (await new Visitor().request("/contact")).text();
  const trap = /<div[^>]*>\s*<label>[^<]*<input[^>]*name="website"[^>]*>/.exec(page)?.[0] ?? "";
  expect(trap).toMatch(/^<div[^>]* inert=""/);
  expect(trap).toMatch(/^<div[^>]* aria-hidden="true"/);
  expect(trap).toContain('tabindex="-1"');
  expect(trap.toLowerCase()).toContain('autocomplete="off"');
});

test("after five messages in a minute the next one waits, with its text kept", async () => {
  const visitor = new Visitor();
  let answer = await visitor.post("/contact", message);
  let sent = 0;
  // A new minute may begin in between, and with it a new count.
  while (answer.status === 303 && sent < 10) {
    sent += 1;
    answer = await visitor.post("/contact", message);
  }
  const form = contactForm(await answer.text());
  expect(sent).toBeGreaterThanOrEqual(5);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("60");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(form.alert).toContain("wait a minute");
  expect(form.values).toMatchObject({ name: "Ada Lovelace", topic: "sales" });
  expect(await storedMessages()).toHaveLength(sent);
  expect((await new Visitor().post("/contact", message)).status).toBe(303);
});

testInProof("corrections do not use up the limit", async () => {
  const visitor = new Visitor();
  for (let count = 1; count <= 8; count++) {
    expect((await visitor.post("/contact", { ...message, name: "" })).status).toBe(400);
  }
  expect((await visitor.post("/contact", message)).status).toBe(303);
});

test("with the database down the text is kept and an address is offered", async () => {
  await using site = await siteWith({ SUPABASE_URL: "http://127.0.0.1:9" });
  const visitor = new Visitor(site.url);
  const answer = await visitor.post("/contact", message);
  const page = await answer.text();
  const form = contactForm(page);
  expect(answer.status).toBe(503);
  expect(form.alert).toContain("We could not store your message, so nothing was sent.");
  expect(page).toMatch(new RegExp(`role="alert"[\\s\\S]*href="mailto:${support}"`));
  expect(form.values).toMatchObject({ name: "Ada Lovelace", email: "ada@example.com" });
  expect(await mailsTo(support)).toEqual([]);

  expect((await visitor.request("/contact")).status).toBe(200);
  const logged = JSON.stringify(site.takeLogs());
  expect(logged).toContain("A contact message was not stored");
  for (const personal of ["Ada", "ada@", "three rooms"]) expect(logged).not.toContain(personal);
});

testInProof("the page is the same for everybody, before and after somebody failed", async () => {
  const visitor = new Visitor();
  const before = await (await visitor.request("/contact")).text();
  await visitor.post("/contact", { ...message, name: "Poison 7f3a", email: "no" });
  await visitor.post("/contact", { ...message, name: "Poison 7f3a" });
  const after = await visitor.request("/contact");
  expect(after.headers.get("cache-control")).toMatch(/^public, /);
  expect(after.headers.get("cache-status")).toMatch(/hit/);
  expect(after.headers.getSetCookie()).toEqual([]);
  expect(await after.text()).toBe(before);
  expect(before).not.toContain("Poison");
});

testInProof("a topic in the address is preselected, and only a known one", async () => {
  const selected = async (query: string) =>
    /<option value="([^"]*)" selected/.exec(
      await (await new Visitor().request(`/contact${query}`)).text(),
    )?.[1] ?? "";
  expect(await selected("?topic=sales")).toBe("sales");
  expect(await selected("?topic=support")).toBe("support");
  expect(await selected("?topic=other&utm_source=x")).toBe("other");
  expect(await selected("?topic=billing")).toBe("");
  expect(await selected("")).toBe("");
});

testInProof("a message far beyond the limit is kept", async () => {
  const long = "x".repeat(200_000);
  const answer = await new Visitor().post("/contact", { ...message, message: long });
  expect(answer.status).toBe(400);
  expect(contactForm(await answer.text()).values.message).toBe(long);
});

// On a site of its own: Miniflare loses the connection over which a body was not read to its end.
testInProof("a message beyond all reason is refused without being read", async () => {
  await using site = await siteWith({});
  const huge = "x".repeat(600_000);
  const answer = await new Visitor(site.url).post("/contact", { ...message, message: huge });
  expect(answer.status).toBe(413);
  expect(contactForm(await answer.text()).alert).toContain("far too long");
});

test("a post from another site is refused", async () => {
  const answer = await new Visitor().post("/contact", message, {
    origin: "https://elsewhere.example",
  });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("our site")]);
  expect(await storedMessages()).toEqual([]);
});

test("nobody reads or writes messages through the database's own API", async () => {
  await new Visitor().post("/contact", message);
  const anonymous = createClient<Database>(
    variable("SUPABASE_URL"),
    variable("SUPABASE_PUBLISHABLE_KEY"),
    { auth: { persistSession: false } },
  );
  const read = await anonymous.from("contact_messages").select();
  expect(read.data ?? []).toEqual([]);
  const written = await anonymous.from("contact_messages").insert({ ...message, name: "Intruder" });
  expect(written.error).not.toBeNull();
  expect(await storedMessages()).toHaveLength(1);
});
