import { expect, test } from "vitest";
import {
  accountPageOf,
  change,
  giveSecondFactor,
  setUpSecondFactor,
} from "../../support/auth/account.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { isIn, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite();

test("Google signs somebody in, with a code that is exchanged once", async () => {
  const email = "customer.one@example.com";
  const visitor = await signedIn(email);
  expect(await accountPageOf(visitor)).toContain(email);
  const rows = await real().query("select provider from auth.identities where email = $1", [email]);
  expect(rows).toEqual([{ provider: "google" }]);
  expect(real().authRequests.filter(({ path }) => path === "/token?grant_type=pkce")).toHaveLength(
    1,
  );
});

test("50 requests at once of somebody whose token has ended cost one refresh, and keep them in", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  visitor.expireSession();
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const before = real().authRequests.length;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(`${visitor.siteUrl}/dashboard/account`, {
        headers: { cookie, "cf-connecting-ip": visitor.address },
        redirect: "manual",
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const refreshes = real()
    .authRequests.slice(before)
    .filter(({ path }) => path === "/token?grant_type=refresh_token");
  expect(refreshes.map(({ status }) => status)).toEqual([200]);
  expect(await isIn(visitor)).toBe(true);
});

test("a second factor is enrolled, asked for in a new session, and taken once", async () => {
  const email = await someoneWithPassword();
  const secret = await setUpSecondFactor(await signedInByPassword(email));
  const visitor = await signedInByPassword(email);
  const next = "/dashboard/account";
  const given = await giveSecondFactor(visitor, secret, next);
  expect([given.status, given.headers.get("location")]).toEqual([303, next]);
  const rows = await real().query(
    "select s.aal from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1 order by s.created_at",
    [email],
  );
  expect(rows).toEqual([{ aal: "aal2" }, { aal: "aal2" }]);
});

test("signing out ends what it says: this browser, the others, or all", async () => {
  const email = await someoneWithPassword();
  const sessions = async () =>
    (
      await real().query(
        "select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1",
        [email],
      )
    ).length;
  const [here, there, elsewhere] = [
    await signedInByPassword(email),
    await signedInByPassword(email),
    await signedInByPassword(email),
  ];
  await elsewhere.post("/signout", { scope: "local" });
  expect([await sessions(), await isIn(here), await isIn(elsewhere)]).toEqual([2, true, false]);
  await here.post("/signout", { scope: "others" });
  expect([await sessions(), await isIn(here)]).toEqual([1, true]);
  there.expireSession();
  expect(await isIn(there)).toBe(false);
  await here.post("/signout", { scope: "global" });
  expect([await sessions(), await isIn(here)]).toEqual([0, false]);
});

test("who deletes the account leaves no user, no session and no way back in", async () => {
  const email = await someoneWithPassword();
  const visitor = await signedInByPassword(email);
  const { status, location } = await change(visitor, { intent: "delete", confirmation: email });
  expect([status, location]).toEqual([303, "/account-deleted"]);
  expect(await real().query("select from auth.users where email = $1", [email])).toEqual([]);
  expect(await isIn(visitor)).toBe(false);
});
