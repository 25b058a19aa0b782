import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  accountPageOf,
  ageSignIn,
  alertIn,
  change,
  pressLink,
} from "../../support/auth/account.ts";
import { testInProof } from "../../support/run/variants.ts";
import { refuseAtAuthServer, resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const password = "four quiet servers hum";

beforeAll(resetFakes);

async function signInByPassword(address: string, typed: string): Promise<number> {
  const form = { intent: "sign_in", email: address, password: typed };
  return (await new Visitor().post("/signin", form)).status;
}

describe("the password", () => {
  beforeEach(resetFakes);

  testInProof("is chosen by somebody who came by Google, and signs them in", async () => {
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

  test("needs the old one where the account has one, however recent the sign-in", async () => {
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

  testInProof(
    "needs no old one right after a mailed link, which is how a forgotten one is replaced",
    async () => {
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
    },
  );

  testInProof(
    "is not chosen for an account without one in a browser that was left open",
    async () => {
      const visitor = await signedIn();
      ageSignIn(visitor, 16);
      const { status, alert } = await change(visitor, { intent: "change_password", password });
      expect([status, alert]).toEqual([
        403,
        "Sign in again first: you last did so more than 15 minutes ago.",
      ]);
    },
  );

  testInProof.each([
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
    const answer = await change(visitor, { intent: "change_password", password: "customer.one1" });
    expect(answer.alert).toBe(
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

  testInProof("that is weak or the old one is refused with reasons", async () => {
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
