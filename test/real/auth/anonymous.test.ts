import { expect, test } from "vitest";
import { needsAccount, trialBanner } from "../../../app/content/trial.ts";
import { claimsOf } from "../../../fakes/supabase/access-token.ts";
import { change, changeMail, pressLink } from "../../support/auth/account.ts";
import { variable } from "../../support/site/variables.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { inTrial } from "../../support/trial/begin-trial.ts";
import { newAddress, password } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite();

const newDeployment = { name: "Mine", domain: "live.mycompany.com", email: "me@mycompany.com" };

function accessToken(visitor: Visitor): string {
  return visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
}

/** Asks the auth server in the name of somebody, past the site. */
function askAuth(visitor: Visitor, method: string, path: string, body: object) {
  return fetch(`${variable("SUPABASE_URL")}/auth/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${accessToken(visitor)}`,
      apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

const accountOf = async (visitor: Visitor) => {
  const person = claimsOf(accessToken(visitor))?.sub;
  const [account] = await real().query<{ is_anonymous: boolean; email: string | null }>(
    "select is_anonymous, email from auth.users where id = $1",
    [person],
  );
  return account;
};

test("anonymous: signed in without an address, in a console of their own, for what a trial may do", async () => {
  const visitor = await inTrial();
  expect(await accountOf(visitor)).toEqual({ is_anonymous: true, email: null });
  expect(claimsOf(accessToken(visitor))).toMatchObject({
    is_anonymous: true,
    aal: "aal1",
    amr: [{ method: "anonymous" }],
  });
  const page = await visitor.request("/dashboard");
  expect([page.status, (await page.text()).includes(trialBanner.lasts)]).toEqual([200, true]);
  const made = await visitor.post("/dashboard/deployments/new", newDeployment);
  expect(made.headers.get("location")).toMatch(/\/edit/);
  const refused = await change(visitor, { intent: "change_email", email: newAddress() });
  expect([refused.status, refused.alert]).toEqual([403, needsAccount]);
  // The session is renewed like everybody's, and stays what it is.
  visitor.expireSession();
  expect((await visitor.request("/dashboard")).status).toBe(200);
  expect(claimsOf(accessToken(visitor))).toMatchObject({ is_anonymous: true });
});

test("anonymous: whoever signs up in the same browser keeps what they described, and that account is gone", async () => {
  const visitor = await inTrial();
  const trial = claimsOf(accessToken(visitor))?.sub;
  await visitor.post("/dashboard/deployments/new", newDeployment);
  const email = newAddress("newcomer");
  await visitor.post("/signin", { intent: "sign_up", email, password });
  expect((await pressLink(email, "Confirm your e-mail address", visitor)).status).toBe(303);
  expect(await accountOf(visitor)).toEqual({ is_anonymous: false, email });
  expect(await real().query("select from auth.users where id = $1", [trial])).toEqual([]);
  const names = await real().query(
    "select d.name from public.deployments d join auth.users u on u.id = d.user_id where u.email = $1",
    [email],
  );
  expect(names).toEqual([{ name: "Mine" }]);
});

test("anonymous: an address that is confirmed makes the account permanent, without the plan of a trial", async () => {
  const visitor = await inTrial();
  const trial = claimsOf(accessToken(visitor))?.sub;
  const email = newAddress("permanent");
  expect((await askAuth(visitor, "PUT", "/user", { password })).status).toBe(422);
  expect((await askAuth(visitor, "PUT", "/user", { email })).status).toBe(200);
  // Not before the link is pressed.
  expect(await accountOf(visitor)).toEqual({ is_anonymous: true, email: null });
  expect((await pressLink(email, changeMail, visitor)).status).toBe(303);
  expect(await accountOf(visitor)).toEqual({ is_anonymous: false, email });
  expect(claimsOf(accessToken(visitor))).toMatchObject({ sub: trial, is_anonymous: false });
  const page = await (await visitor.request("/dashboard")).text();
  expect(page).not.toContain(trialBanner.lasts);
  const plans = await fetch(`${variable("SUPABASE_URL")}/rest/v1/rpc/plans_of?workspace=${trial}`, {
    headers: {
      authorization: `Bearer ${accessToken(visitor)}`,
      apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
    },
  });
  expect([plans.status, await plans.json()]).toEqual([200, []]);
});
