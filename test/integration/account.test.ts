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
import { limitMails, refuseAtAuthServer, resetStandIns } from "../fixtures/stand-ins.ts";
import { startTroubledSite } from "../fixtures/troubled-site.ts";
import { signedIn, Visitor } from "../fixtures/visitor.ts";

const email = "customer.one@example.com";
const password = "four quiet servers hum";

beforeAll(resetStandIns);

const present = new Map<string, Promise<Visitor>>();

/** Somebody who may be refused again and again, up to twenty times a minute. */
function someone(address = email): Promise<Visitor> {
  const visitor = present.get(address) ?? signedIn(address);
  present.set(address, visitor);
  return visitor;
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
    expect([post.status, post.headers.get("location")]).toEqual([
      303,
      "/signin?next=%2Fdashboard%2Faccount%23deletion",
    ]);
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
    { intent: "renew_codes" },
    { intent: "end_session", session: crypto.randomUUID() },
    { intent: "change_email", email: "new@example.com" },
    { intent: "remove_factor", factorId: crypto.randomUUID() },
  ] as Record<string, string>[])("refuses %j in a browser that was left open", async (fields) => {
    const visitor = await signedIn();
    ageSignIn(visitor, 16);
    const { status, alert } = await change(visitor, fields);
    expect([status, alert]).toEqual([
      403,
      "Sign in again first: you last did so more than 15 minutes ago.",
    ]);
  });

  test("keeps the new address that was typed too long after the last sign-in", async () => {
    const visitor = await signedIn();
    ageSignIn(visitor, 16);
    const closed = await accountPageOf(visitor);
    expect(closed).not.toContain("New e-mail address");
    expect(closed).toContain("For this you must have signed in within the last 15 minutes.");
    const { page } = await change(visitor, { intent: "change_email", email: "new@example.com" });
    expect(page).toContain('value="new@example.com"');
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
    { intent: "end_session", session: "x" },
    { intent: "end_session", session: crypto.randomUUID() },
    // Whoever has no second factor has nothing to recover.
    { intent: "renew_codes" },
  ] as Record<string, string>[])("refuses %j in words", async (fields) => {
    const { status, alert } = await change(await someone("customer.two@example.com"), fields);
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

  test("is not promised when no mail can go out, and what was typed stays", async () => {
    // A Worker of its own: it remembers for a while that no mail goes out.
    await using own = await startTroubledSite();
    const visitor = await signedIn(email, own.url);
    await limitMails({ left: 0 });
    const { status, alert, page } = await change(visitor, {
      intent: "change_email",
      email: "new@example.com",
    });
    expect(status).toBe(503);
    expect(alert).toContain("We cannot send mail right now, so nothing was sent.");
    expect(page).toContain('value="new@example.com"');
    expect(await accountPageOf(visitor)).not.toContain("You asked to change this");
  });

  test("is asked for five times an hour for the same mailbox, whoever asks", async () => {
    const visitor = await signedIn();
    const ask = (by: Visitor) => change(by, { intent: "change_email", email: "new@example.com" });
    for (let count = 0; count < 5; count++) expect((await ask(visitor.twin())).status).toBe(303);
    const refused = await ask(await signedIn("customer.two@example.com"));
    expect([refused.status, refused.retryAfter]).toEqual([429, "3600"]);
    expect(refused.alert).toContain("Five messages to this address were asked for within the hour");
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

  test("needs the old one of whoever has one, however recent the sign-in", async () => {
    const visitor = await signedIn();
    await change(visitor, { intent: "change_password", password });
    for (const minutes of [0, 16]) {
      ageSignIn(visitor, minutes);
      const next = `five loud routers sing ${minutes}`;
      const none = await change(visitor, { intent: "change_password", password: next });
      expect([none.status, none.alert]).toEqual([400, "Enter your current password."]);
      const wrong = await change(visitor, {
        intent: "change_password",
        password: next,
        current: "guess",
      });
      expect([wrong.status, wrong.alert]).toEqual([403, "This is not your current password."]);
      expect(wrong.page).toMatch(
        /aria-invalid="true"[^>]*name="current"|name="current"[^>]*aria-invalid="true"/,
      );
      expect(wrong.page).not.toContain("guess");
    }
    const right = await change(visitor, {
      intent: "change_password",
      password: "five loud routers sing",
      current: password,
    });
    expect(right.location).toContain("done=password-saved");
    expect(await signInByPassword(email, "five loud routers sing")).toBe(303);

    const again = await change(visitor, { intent: "sign_in_again" });
    expect(again.location).toBe("/signin?next=%2Fdashboard%2Faccount");
    expect((await visitor.request("/dashboard/account")).status).toBe(302);
  });

  test("needs no old one right after a mailed link, which is how a forgotten one is replaced", async () => {
    const owner = await signedIn();
    await change(owner, { intent: "change_password", password });
    const visitor = new Visitor();
    await visitor.post("/signin", { intent: "magic_link", email });
    await pressLink(email, "Your sign-in link", visitor);
    expect(await accountPageOf(visitor)).not.toContain("Current password");
    const chosen = await change(visitor, {
      intent: "change_password",
      password: "five loud routers sing",
    });
    expect(chosen.location).toContain("done=password-saved");
    ageSignIn(visitor, 1);
    expect(await accountPageOf(visitor)).toContain("Current password");
  });

  test("is not chosen in a browser that was left open by whoever has none", async () => {
    const visitor = await signedIn();
    ageSignIn(visitor, 16);
    const { status, alert } = await change(visitor, { intent: "change_password", password });
    expect([status, alert]).toEqual([
      403,
      "Sign in again first: you last did so more than 15 minutes ago.",
    ]);
  });

  test.each([
    [400, "current_password_required", "Enter your current password."],
    [400, "current_password_invalid", "This is not your current password."],
    [
      400,
      "reauthentication_needed",
      "Our sign-in service changes a password only within a day of a sign-in. Sign in again, then choose the new one.",
    ],
  ])("a refusal %i %s is said as what it is: %s", async (status, error_code, sentence) => {
    const visitor = await signedIn();
    await refuseAtAuthServer({
      path: "/auth/v1/user",
      method: "PUT",
      status,
      error_code,
      msg: "internal detail",
    });
    const { alert, page } = await change(visitor, { intent: "change_password", password });
    expect(alert).toBe(sentence);
    expect(page).not.toContain("internal detail");
    if (error_code.startsWith("current")) expect(page).toContain("Current password");
  });

  test("that is common, or one's own address, is refused wherever one is chosen", async () => {
    const common =
      "This password is too easy to guess: It is one of the most common passwords, or nearly so.";
    const visitor = await signedIn();
    const changed = await change(visitor, { intent: "change_password", password: "12345678" });
    expect([changed.status, changed.alert]).toEqual([422, common]);
    const own = await change(visitor, { intent: "change_password", password: "customer.one1" });
    expect(own.alert).toBe(
      "This password is too easy to guess: It is little more than your address or the name of this site.",
    );
    const stranger = new Visitor();
    const fields = { intent: "sign_up", email: "new@example.com", password: "12345678" };
    const signedUp = await stranger.post("/signin", fields);
    expect([signedUp.status, alertIn(await signedUp.text())]).toEqual([422, common]);
    await stranger.post("/signin", { intent: "forgotten_password", email });
    await pressLink(email, "Choose a new password", stranger);
    const reset = await stranger.post("/signin", {
      intent: "update_password",
      password: "12345678",
    });
    expect([reset.status, alertIn(await reset.text())]).toEqual([422, common]);
    expect(await signInByPassword(email, "12345678")).toBe(400);
  });

  test("that is weak or the old one is refused with reasons", async () => {
    const visitor = await signedIn();
    const weak = await change(visitor, { intent: "change_password", password: "short" });
    expect(weak.status).toBe(422);
    expect(weak.alert).toBe(
      "This password is too easy to guess: It is too short. Use at least 8 characters.",
    );
    await change(visitor, { intent: "change_password", password });
    const same = await change(visitor, {
      intent: "change_password",
      password,
      current: password,
    });
    expect([same.status, same.alert]).toEqual([
      422,
      "This is your old password. Choose another one.",
    ]);
  });
});
