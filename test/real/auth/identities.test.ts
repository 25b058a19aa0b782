import { expect, test } from "vitest";
import { accountPageOf, alertIn, change } from "../../support/auth/account.ts";
import { variable } from "../../support/site/variables.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import { signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite();

const [first, second] = ["customer.one@example.com", "customer.two@example.com"];
const here = "/dashboard/account";

/** Connects Google, choosing this account there; answers what the account page then says. */
async function connect(visitor: Visitor, account: string): Promise<string> {
  const start = await visitor.post(here, { intent: "link", provider: "google" });
  const { response } = await visitor.chooseGoogleAccount(start, here, account);
  const page = await response.text();
  return alertIn(page) || (/>Connected\.</.test(page) ? "connected" : "nothing");
}

const providersOf = (email: string) =>
  real().query(
    `select u.raw_app_meta_data -> 'providers' as noted,
       array(select i.provider from auth.identities i where i.user_id = u.id order by i.created_at) as providers
     from auth.users u where u.email = $1`,
    [email],
  );

test("a Google account of another address is moved, signs in, and can be disconnected", async () => {
  const email = await someoneWithPassword();
  expect(await connect(await signedInByPassword(email), first)).toBe("connected");
  const both = ["email", "google"];
  expect(await providersOf(email)).toEqual([{ noted: both, providers: both }]);
  expect(await real().query("select from auth.users where email = $1", [first])).toEqual([]);

  const withGoogle = await signedIn(first);
  const page = await accountPageOf(withGoogle);
  expect(page).toContain(email);
  expect(await providersOf(email)).toEqual([{ noted: both, providers: both }]);
  const identity = /name="identity" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const { location } = await change(withGoogle, { intent: "unlink", identity });
  expect(location).toBe("/dashboard/account?done=unlinked#identities");
  expect(await providersOf(email)).toEqual([{ noted: ["email"], providers: ["email"] }]);
  expect(await accountPageOf(await signedIn(first))).not.toContain(email);
});

test("an account that connecting left unfinished does not stand in the way of the next attempt", async () => {
  const email = await someoneWithPassword();
  const visitor = await signedInByPassword(email);
  const start = await visitor.post(here, { intent: "link", provider: "google" });
  // The auth server has made the account; the browser never came back to the site.
  await visitor.chooseGoogleAccount(start, here, second, "/auth/connected");
  const age = "update auth.users set created_at = now() - interval '3 hours' where email = $1";
  await real().query(age, [second]);
  expect(await connect(visitor, second)).toBe("connected");
  expect(await real().query("select from auth.users where email = $1", [second])).toEqual([]);
  const identity = /name="identity" value="([^"]+)"/.exec(await accountPageOf(visitor))?.[1] ?? "";
  const { location } = await change(visitor, { intent: "unlink", identity });
  expect(location).toBe("/dashboard/account?done=unlinked#identities");
  const elsewhere =
    "select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1";
  expect(await real().query(elsewhere, [email])).toHaveLength(1);
});

test("a code of the provider that is not redeemed yet is worth nothing once it is disconnected", async () => {
  const email = await someoneWithPassword();
  const visitor = await signedInByPassword(email);
  expect(await connect(visitor, second)).toBe("connected");
  const begun = new Visitor();
  const start = await begun.post("/signin", { provider: "google", next: "/dashboard" });
  const { url } = await begun.chooseGoogleAccount(start, "/signin", second, "/auth/callback");
  expect(url.searchParams.get("code")).toBeTruthy();
  const identity = /name="identity" value="([^"]+)"/.exec(await accountPageOf(visitor))?.[1] ?? "";
  const { location } = await change(visitor, { intent: "unlink", identity });
  expect(location).toBe("/dashboard/account?done=unlinked#identities");
  const back = url.pathname + url.search;
  const end = await begun.arrive(await begun.request(back), back);
  expect([end.url.pathname, end.url.searchParams.get("problem")]).toEqual(["/signin", "expired"]);
  const sessions =
    "select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1";
  expect(await real().query(sessions, [email])).toHaveLength(1);
});

test("one that has an account of its own stays where it is", async () => {
  await signedIn(second);
  const email = await someoneWithPassword();
  const alert = await connect(await signedInByPassword(email), second);
  expect(alert).toContain("That sign-in belongs to another account on this site.");
  expect(await providersOf(second)).toEqual([{ noted: ["google"], providers: ["google"] }]);
});

test("the server itself connects and disconnects nothing by hand", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  const token = visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value;
  for (const [method, path] of [
    ["GET", "authorize?provider=google"],
    ["DELETE", crypto.randomUUID()],
  ]) {
    const answer = await fetch(`${variable("SUPABASE_URL")}/auth/v1/user/identities/${path}`, {
      method: `${method}`,
      headers: { authorization: `Bearer ${token}`, apikey: variable("SUPABASE_PUBLISHABLE_KEY") },
    });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ error_code: "manual_linking_disabled" }),
    ]);
  }
});
