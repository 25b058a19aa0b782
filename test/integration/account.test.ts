import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  accountPageOf,
  ageSignIn,
  alertIn,
  change,
  changeMail,
  pressLink,
} from "../fixtures/account.ts";
import { mailsTo } from "../fixtures/inbox.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { signedIn, Visitor } from "../fixtures/visitor.ts";

const email = "customer.one@example.com";
const password = "four quiet servers hum";

beforeAll(resetStandIns);

let present: Promise<Visitor> | undefined;

/** Somebody who may be refused again and again. */
function someone(): Promise<Visitor> {
  present ??= signedIn();
  return present;
}

async function signInByPassword(address: string, typed: string): Promise<number> {
  const form = { intent: "sign_in", email: address, password: typed };
  return (await new Visitor().post("/signin", form)).status;
}

describe("the page", () => {
  test("is for nobody but who signed in", async () => {
    const response = await new Visitor().request("/dashboard/account");
    expect(response.headers.get("location")).toBe("/signin?next=%2Fdashboard%2Faccount");
    const post = await new Visitor().post("/dashboard/account", { intent: "delete" });
    expect([post.status, post.headers.get("location")]).toEqual([302, "/signin?next=%2Fdashboard"]);
  });

  test("shows the address, that it is confirmed, and every way in; no cache keeps it", async () => {
    const visitor = await signedIn();
    const response = await visitor.request("/dashboard/account");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const page = await response.text();
    expect(page).toContain(email);
    expect(page).toContain("Confirmed");
    expect(page).toContain("Google");
    expect(page).toContain("This is your only way in, so it stays.");
    for (const { value } of visitor.sessionSecrets()) expect(page).not.toContain(value);
  });

  test.each([
    { intent: "link", provider: "github" },
    { intent: "unlink", identity: crypto.randomUUID() },
    { intent: "enrol", name: "Their phone" },
  ] as Record<string, string>[])("refuses %j in a browser that was left open", async (fields) => {
    const visitor = await signedIn();
    ageSignIn(visitor, 16);
    const { status, alert } = await change(visitor, fields);
    expect([status, alert]).toEqual([
      403,
      "Sign in again first: you last did so more than 15 minutes ago.",
    ]);
  });

  test.each([
    {},
    { intent: "gold" },
    { intent: "constructor" },
    { intent: "unlink", identity: "x" },
    { intent: "remove_factor", factorId: "x" },
    { intent: "remove_factor", factorId: crypto.randomUUID() },
    { intent: "unlink", identity: crypto.randomUUID() },
    { intent: "link", provider: "gold" },
    { intent: "finish_enrolment", factorId: crypto.randomUUID(), secret: "<b>" },
    { intent: "finish_enrolment", factorId: "x", secret: "A".repeat(32) },
    { intent: "change_password", password: "" },
    { intent: "change_password", password: "ü".repeat(37) },
    { intent: "delete", confirmation: "" },
  ] as Record<string, string>[])("refuses %j in words", async (fields) => {
    const { status, alert } = await change(await someone(), fields);
    expect(status).toBe(400);
    expect(alert).toMatch(/\w+\.$/);
  });
});

describe("a new address", () => {
  test.each([
    ["", "Enter the new e-mail address."],
    ["   ", "Enter the new e-mail address."],
    [email, "This is your address already."],
    ["Customer.One@Example.com", "This is your address already."],
    ["nobody", "Write an e-mail address like name@example.com."],
    ["two@at@example.com", "Write an e-mail address like name@example.com."],
    [`${"a".repeat(250)}@example.com`, "Write an e-mail address like name@example.com."],
  ])("%j is refused: %s", async (typed, sentence) => {
    const { status, alert } = await change(await someone(), {
      intent: "change_email",
      email: typed,
    });
    expect([status, alert]).toEqual([400, sentence]);
  });
});

describe("another address", () => {
  beforeEach(resetStandIns);

  test("counts when both mailboxes agreed, in any order, in another browser", async () => {
    const visitor = await signedIn();
    const asked = await change(visitor, { intent: "change_email", email: "new@example.com" });
    expect([asked.status, asked.location]).toEqual([
      303,
      "/dashboard/account?done=address-asked#email",
    ]);
    expect(await accountPageOf(visitor)).toContain("You asked to change this to new@example.com");

    const first = await pressLink("new@example.com", changeMail);
    const halfWay = await first.text();
    expect(first.status).toBe(200);
    expect(halfWay).toContain("One of two is done");
    expect(alertIn(halfWay)).toBe("");
    expect(await accountPageOf(visitor)).toContain(email);

    const elsewhere = new Visitor();
    const second = await pressLink(email, changeMail, elsewhere);
    expect(second.headers.get("location")).toBe("/dashboard/account");
    for (const browser of [visitor, elsewhere]) {
      const page = await accountPageOf(browser);
      expect(page).toContain("new@example.com");
      expect(page).not.toContain("You asked to change this");
    }
  });

  test("is not reached by one mailbox alone, nor twice by one link", async () => {
    const visitor = await signedIn();
    await change(visitor, { intent: "change_email", email: "new@example.com" });
    await pressLink(email, changeMail);
    expect((await pressLink(email, changeMail)).status).toBe(400);
    expect(await accountPageOf(visitor)).toContain("You asked to change this to new@example.com");
  });

  test("that somebody else has is answered like a free one", async () => {
    const other = "customer.two@example.com";
    await signedIn(other);
    const visitor = await signedIn();
    const free = await change(visitor, { intent: "change_email", email: "new@example.com" });
    const freePage = await accountPageOf(visitor);
    const taken = await change(visitor, { intent: "change_email", email: other });
    expect([taken.status, taken.location]).toEqual([free.status, free.location]);
    const shown = (page: string, address: string) =>
      /<section id="email"[\s\S]*?<\/section>/
        .exec(page)?.[0]
        ?.replaceAll(address, "(asked)")
        .replace(/on [A-Z]\w+ \d+, \d+ at \d+:\d+ [AP]M/, "");
    expect(shown(await accountPageOf(visitor), other)).toBe(shown(freePage, "new@example.com"));
    expect(await mailsTo(other)).toEqual([]);
  });
});

test("asking too often waits a minute, and says so", async () => {
  const visitor = await signedIn();
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      change(visitor, { intent: "unlink", identity: crypto.randomUUID() }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { alert, retryAfter } of refused) {
    expect([alert, retryAfter]).toEqual([
      "Too many attempts. Please wait a minute and try again.",
      "60",
    ]);
  }
});

describe("the password", () => {
  beforeEach(resetStandIns);

  test("is chosen by somebody who came by Google, and signs them in", async () => {
    const visitor = await signedIn();
    const { location } = await change(visitor, { intent: "change_password", password });
    expect(location).toBe("/dashboard/account?done=password-saved#password");
    expect(await signInByPassword(email, password)).toBe(303);
  });

  test("ends everybody else's session, and not this one", async () => {
    const other = await signedIn();
    const visitor = await signedIn();
    await change(visitor, { intent: "change_password", password });
    expect((await other.request("/dashboard/account")).status).toBe(302);
    expect((await visitor.request("/dashboard/account")).status).toBe(200);
  });

  test("needs the old one, or a new sign-in, when the last is a while ago", async () => {
    const visitor = await signedIn();
    await change(visitor, { intent: "change_password", password });
    ageSignIn(visitor, 16);
    const next = "five loud routers sing";
    const none = await change(visitor, { intent: "change_password", password: next });
    expect([none.status, none.alert]).toEqual([400, "Enter your current password."]);
    const wrong = await change(visitor, {
      intent: "change_password",
      password: next,
      current: "guess",
    });
    expect([wrong.status, wrong.alert]).toEqual([403, "This is not your current password."]);
    expect(wrong.page).not.toContain("guess");
    const right = await change(visitor, {
      intent: "change_password",
      password: next,
      current: password,
    });
    expect(right.location).toContain("done=password-saved");
    expect(await signInByPassword(email, next)).toBe(303);

    const again = await change(visitor, { intent: "sign_in_again" });
    expect(again.location).toBe("/signin?next=/dashboard/account");
    expect((await visitor.request("/dashboard/account")).status).toBe(302);
  });

  test("that is weak or the old one is refused with reasons", async () => {
    const visitor = await signedIn();
    const weak = await change(visitor, { intent: "change_password", password: "short" });
    expect(weak.status).toBe(422);
    expect(weak.alert).toBe(
      "This password is too easy to guess: It is too short. Use at least 8 characters.",
    );
    await change(visitor, { intent: "change_password", password });
    const same = await change(visitor, { intent: "change_password", password });
    expect([same.status, same.alert]).toEqual([
      422,
      "This is your old password. Choose another one.",
    ]);
  });
});
