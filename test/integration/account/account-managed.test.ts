import { beforeEach, expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import words from "../../../app/content/account-page.json" with { type: "json" };
import { accountPageOf, change, setUpWithCodes } from "../../support/auth/account.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import { connectedWorkspace, signInBySso } from "../../support/workspaces/single-sign-on.ts";

const ada = "ada@okapi.example";
const site = siteWithFaults({ SIGN_IN_SMS: "on" });

beforeEach(resetFakes);

async function managed() {
  await signedIn("customer.one@example.com");
  await connectedWorkspace("customer.one@example.com", "okapi-team", ["okapi.example"]);
  const { visitor } = await signInBySso(ada, ada, new Visitor(site().url));
  return visitor;
}

const times = (page: string, text: string) => page.replaceAll("&#x27;", "'").split(text).length - 1;

test("the account page of single sign-on says what the organisation manages, and has no form for it", async () => {
  const page = await accountPageOf(await managed());
  // E-mail address, phone number, password, ways to sign in.
  expect(times(page, words.managed)).toBe(4);
  for (const intent of ["change_email", "change_phone", "change_password", "link"]) {
    expect([intent, page.includes(`value="${intent}"`)]).toEqual([intent, false]);
  }
  // A second factor, the sessions and the deletion are the person's own.
  for (const intent of ["enrol", "delete"]) expect(page).toContain(`value="${intent}"`);
  const another = await signedIn("customer.two@example.com", site().url);
  expect(times(await accountPageOf(another), words.managed)).toBe(0);
});

test.each<{ intent: string } & Record<string, string>>([
  { intent: "change_email", email: "eve@example.com" },
  { intent: "change_phone", phone: "+491511234567" },
  { intent: "finish_phone_change", phone: "+491511234567", code: "123456" },
  { intent: "change_password", password: "four quiet servers hum" },
  { intent: "link", provider: "google" },
])("$intent of an account of single sign-on is refused with a sentence", async (form) => {
  const refused = await change(await managed(), form);
  expect([refused.status, refused.alert]).toEqual([403, accountFailures.managed]);
  const [person] = await runSql<{ pending: unknown; password: string | null }>(
    `select raw_user_meta_data -> 'pending_email' as pending, encrypted_password as password
     from auth.users where email = $1`,
    [ada],
  );
  expect([person?.pending ?? null, person?.password ?? ""]).toEqual([null, ""]);
});

test("somebody who came by single sign-on sets up a second factor of their own", async () => {
  const { codes } = await setUpWithCodes(await managed());
  expect(codes).toHaveLength(10);
});

test("the fake of the auth server refuses what the real one refuses to an account of single sign-on", async () => {
  const visitor = await managed();
  const token = visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value;
  const update = async (body: object) => {
    const answer = await fetch(`${variable("SUPABASE_URL")}/auth/v1/user`, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${token}`,
        apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    const { error_code } = (await answer.json()) as { error_code?: string };
    return [answer.status, error_code];
  };
  for (const body of [
    { email: "eve@example.com" },
    { phone: "+491511234567" },
    { password: "four quiet servers hum" },
  ]) {
    expect([body, ...(await update(body))]).toEqual([body, 422, "user_sso_managed"]);
  }
  expect(await update({ email: ada })).toEqual([200, undefined]);
  expect(await update({ data: { name: "Ada" } })).toEqual([200, undefined]);
});
