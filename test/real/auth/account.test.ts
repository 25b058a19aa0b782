import { expect, test } from "vitest";
import {
  accountPageOf,
  alertIn,
  change,
  freshCode,
  recoveryCodesIn,
  setUpWithCodes,
} from "../../support/auth/account.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { isIn, password, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite();
const codePage = "/dashboard/account/code";

async function give(visitor: Visitor, fields: Record<string, string>) {
  const response = await visitor.post(codePage, { next: "/dashboard", ...fields });
  return {
    status: response.status,
    location: response.headers.get("location"),
    alert: alertIn(await response.text()),
  };
}

test("devices are listed by browser and address, and one of them is signed out", async () => {
  const email = await someoneWithPassword();
  const here = await signedInByPassword(email);
  const there = await signedInByPassword(email);
  const page = await accountPageOf(here);
  expect(page.match(/Firefox on Linux/g)?.length).toBeGreaterThanOrEqual(2);
  for (const { address } of [here, there]) expect(page).toContain(address);
  const [, session = ""] = /name="session" value="([^"]+)"/.exec(page) ?? [];
  const { location } = await change(here, { intent: "end_session", session });
  expect(location).toBe("/dashboard/account?done=session-ended#sessions");
  there.expireSession();
  expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
});

test("the page with a new secret is short, though the auth server's own picture is not", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  const { page } = await change(visitor, { intent: "enrol", name: "" });
  expect(page).toContain('src="data:image/svg+xml');
  expect(page.length).toBeLessThan(100_000);
});

test("a recovery code removes the factor and every other session, once", async () => {
  const email = await someoneWithPassword();
  const owner = await signedInByPassword(email);
  const { codes } = await setUpWithCodes(owner);
  const visitor = await signedInByPassword(email);
  const recovered = "/dashboard/account?done=factor-recovered#second-factor";
  expect((await give(visitor, { recovery: codes[0] ?? "" })).location).toBe(recovered);
  const factors = await real().query(
    "select f.id from auth.mfa_factors f join auth.users u on u.id = f.user_id where u.email = $1",
    [email],
  );
  expect(factors).toEqual([]);
  expect(await accountPageOf(visitor)).toContain("Not set up.");
  owner.expireSession();
  expect(await isIn(owner)).toBe(false);

  const again = await setUpWithCodes(visitor);
  expect(again.codes).not.toContain(codes[1]);
  const { page } = await change(visitor, { intent: "renew_codes" });
  expect(recoveryCodesIn(page)).toHaveLength(10);
});

test("an app's code is taken once, and wrong ones five times in ten minutes", async () => {
  const email = await someoneWithPassword();
  const { secret } = await setUpWithCodes(await signedInByPassword(email));
  const code = freshCode(secret);
  const first = await signedInByPassword(email);
  expect((await give(first, { code })).location).toBe("/dashboard");
  const second = await signedInByPassword(email);
  expect((await give(second, { code })).alert).toContain("This code was used already.");
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) {
    statuses.push((await give(second, { code: `00000${count}` })).status);
  }
  // The code that was given again was a try as well.
  expect(statuses).toEqual([400, 400, 400, 400, 429]);
});

test("an account with a password gives it for a new one, and one that everybody tries is refused", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  const next = "five loud routers sing";
  const none = await change(visitor, { intent: "change_password", password: next });
  expect([none.status, none.alert]).toEqual([400, "Enter your current password."]);
  const common = await change(visitor, {
    intent: "change_password",
    password: "12345678",
    current: password,
  });
  expect(common.alert).toContain("It is one of the most common passwords, or nearly so.");
  const done = await change(visitor, {
    intent: "change_password",
    password: next,
    current: password,
  });
  expect(done.location).toBe("/dashboard/account?done=password-saved#password");
});
