import { beforeAll, describe, expect, test } from "vitest";
import { accountPageOf, ageSignIn, change } from "../../support/auth/account.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeAll(resetFakes);

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

  testInProof.each([
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

  testInProof("keeps the new address that was typed too long after the last sign-in", async () => {
    const visitor = await signedIn();
    ageSignIn(visitor, 16);
    const closed = await accountPageOf(visitor);
    expect(closed).not.toContain("New e-mail address");
    expect(closed).toContain("For this you must have signed in within the last 15 minutes.");
    const { page } = await change(visitor, { intent: "change_email", email: "new@example.com" });
    expect(page).toContain('value="new@example.com"');
  });

  describe("of somebody who fills a form in wrongly", () => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = await signedIn("customer.two@example.com");
    });

    test.each(
      sample(
        [
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
          // An account without a second factor has nothing to recover.
          { intent: "renew_codes" },
        ] as Record<string, string>[],
        3,
      ),
    )("refuses %j in words", async (fields) => {
      const { status, alert } = await change(visitor, fields);
      expect(status).toBe(400);
      expect(alert).toMatch(/\w+\.$/);
    });
  });
});

testInProof("asking too often waits a minute, and says so", async () => {
  const visitor = await signedIn();
  // The window may change once while these run: twice the limit and one are too many for two.
  const answers = await Promise.all(
    Array.from({ length: 41 }, () =>
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
