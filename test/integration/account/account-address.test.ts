import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  accountPageOf,
  alertIn,
  change,
  changeMail,
  pressLink,
} from "../../support/auth/account.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { limitMails, resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeAll(resetFakes);

describe("a new address", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn();
  });

  test.each(
    sample(
      [
        ["", "Enter the new e-mail address."],
        ["   ", "Enter the new e-mail address."],
        [email, "This is your address already."],
        ["Customer.One@Example.com", "This is your address already."],
        ["nobody", "Write an e-mail address like name@example.com."],
        ["two@at@example.com", "Write an e-mail address like name@example.com."],
        [`${"a".repeat(250)}@example.com`, "Write an e-mail address like name@example.com."],
      ],
      2,
    ),
  )("%j is refused: %s", async (typed, sentence) => {
    const { status, alert } = await change(visitor, {
      intent: "change_email",
      email: typed,
    });
    expect([status, alert]).toEqual([400, sentence]);
  });
});

describe("another address", () => {
  beforeEach(resetFakes);

  test("counts when both mailboxes agreed, in any order, in another browser", async () => {
    const visitor = await signedIn();
    const changed = await change(visitor, { intent: "change_email", email: "new@example.com" });
    expect([changed.status, changed.location]).toEqual([
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

  testInProof("is not promised when no mail can go out, and what was typed stays", async () => {
    // A Worker of its own: it remembers for a while that no mail goes out.
    await using freshSite = await startSiteWithFaults();
    const visitor = await signedIn(email, freshSite.url);
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

  testInProof(
    "is asked for five times an hour for the same mailbox, whichever account asks",
    async () => {
      const visitor = await signedIn();
      const ask = (by: Visitor) => change(by, { intent: "change_email", email: "new@example.com" });
      for (let count = 0; count < 5; count++) expect((await ask(visitor.twin())).status).toBe(303);
      const refused = await ask(await signedIn("customer.two@example.com"));
      expect([refused.status, refused.retryAfter]).toEqual([429, "3600"]);
      expect(refused.alert).toContain(
        "Five messages to this address were asked for within the hour",
      );
    },
  );

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
