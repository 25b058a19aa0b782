import { createClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import { accountPageOf, setUpSecondFactor } from "../../support/auth/account.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import {
  limitMails,
  refuseAtAuthServer,
  resetFakes,
  signWithKeyPair,
} from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { variable } from "../../support/site/variables.ts";
import { signedIn } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const password = "a long enough password";

/** The auth server as a program with this key sees it. */
function client(key: "SUPABASE_PUBLISHABLE_KEY" | "SUPABASE_SECRET_KEY", headers = {}) {
  return createClient(variable("SUPABASE_URL"), variable(key), {
    auth: { persistSession: false },
    global: { headers },
  });
}

beforeEach(resetFakes);

test("a refusal that a test asks for is given as often as it says, to that request alone", async () => {
  const refused = {
    status: 400,
    error_code: "email_provider_disabled",
    msg: "Email logins are disabled",
  };
  await refuseAtAuthServer({ path: "/auth/v1/otp", times: 2, ...refused });
  const { auth } = client("SUPABASE_PUBLISHABLE_KEY");
  const { error: other } = await auth.signUp({ email: "other@example.com", password });
  expect(other).toBeNull();
  for (const _ of [1, 2]) {
    const { error } = await auth.signInWithOtp({ email });
    expect([error?.status, error?.code, error?.message]).toEqual(Object.values(refused));
  }
  expect((await auth.signInWithOtp({ email })).error).toBeNull();
});

test("the secret key lists a person's factors and removes one, after which no code is asked for", async () => {
  const visitor = await signedIn(email);
  await setUpSecondFactor(visitor);
  const userId = await userIdOf(email);
  const { data } = await database.auth.admin.mfa.listFactors({ userId });
  const [factor] = data?.factors ?? [];
  expect(factor).toMatchObject({ factor_type: "totp", status: "verified" });
  expect(factor).not.toHaveProperty("secret");
  const { error: refused } = await client("SUPABASE_PUBLISHABLE_KEY").auth.admin.mfa.listFactors({
    userId,
  });
  expect(refused?.status).toBe(401);

  const id = factor?.id ?? "";
  expect((await database.auth.admin.mfa.deleteFactor({ userId, id })).error).toBeNull();
  expect((await database.auth.admin.mfa.deleteFactor({ userId, id })).error?.code).toBe(
    "mfa_factor_not_found",
  );
  expect(await accountPageOf(await signedIn(email))).not.toContain("Remove ");
});

const calls = [
  ["refreshes", "/token?grant_type=refresh_token", { refresh_token: "made up" }],
  ["passwords", "/token?grant_type=password", { email, password }],
  ["codes", "/verify", { type: "email", email, token: "12345678" }],
  ["links", "/otp", { email, create_user: false }],
  ["resets", "/recover", { email: "nobody@example.com" }],
] as const;

/** What the auth server answers to so many calls at once. */
function ask(path: string, body: object, headers: () => Record<string, string>, times: number) {
  return Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await fetch(`${variable("SUPABASE_URL")}/auth/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers() },
        body: JSON.stringify(body),
      });
      return answer.status;
    }),
  );
}

test.each(calls)(
  "30 %s at once from one address, and no more until a while later",
  async (_, path, body) => {
    const from = (address: string) => () => ({
      apikey: variable("SUPABASE_SECRET_KEY"),
      "sb-forwarded-for": address,
    });
    const statuses = await ask(path, body, from(randomAddress()), 60);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(30);
    expect(await ask(path, body, from(randomAddress()), 1)).not.toContain(429);
  },
);

test("a forwarded address counts with the secret key alone", async () => {
  const [, path, body] = calls[0];
  const from = () => ({
    apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
    "sb-forwarded-for": randomAddress(),
  });
  expect(await ask(path, body, from, 60)).toContain(429);
});

test("when the project's mails are used up nobody gets one, and no account is made", async () => {
  await limitMails({ left: 1 });
  const { auth } = client("SUPABASE_PUBLISHABLE_KEY");
  expect((await auth.signUp({ email, password })).error).toBeNull();
  const other = "other@example.com";
  for (const request of [
    auth.signUp({ email: other, password }),
    auth.signInWithOtp({ email: other }),
  ]) {
    const { error } = await request;
    expect([error?.status, error?.code, error?.message]).toEqual([
      429,
      "over_email_send_rate_limit",
      "email rate limit exceeded",
    ]);
  }
  expect(await mailsTo(other)).toEqual([]);
  const { data } = await database.auth.admin.listUsers();
  expect(data.users.map((user) => user.email)).toEqual([email]);
});

test("nobody gets a second link within the pause, and the answer says how long it takes", async () => {
  await limitMails({ seconds: 60 });
  const { auth } = client("SUPABASE_PUBLISHABLE_KEY");
  expect((await auth.signInWithOtp({ email })).error).toBeNull();
  const { error } = await auth.signInWithOtp({ email });
  expect([error?.status, error?.code]).toEqual([429, "over_email_send_rate_limit"]);
  expect(error?.message).toMatch(
    /^For security purposes, you can only request this after \d+ seconds\.$/,
  );
});

test("a token outlives the sign-out in the database's interface, and nowhere else", async () => {
  await signWithKeyPair();
  const visitor = await signedIn(email);
  const token = visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  await visitor.post("/signout", { scope: "global" });
  const headers = {
    apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
    authorization: `Bearer ${token}`,
  };
  const url = variable("SUPABASE_URL");
  const user = await fetch(`${url}/auth/v1/user`, { headers });
  expect([user.status, await user.json()]).toMatchObject([
    403,
    { error_code: "session_not_found" },
  ]);
  expect((await fetch(`${url}/rest/v1/deployments?select=id`, { headers })).status).toBe(200);
});

test("an OAuth state that nobody knows leads to the site with an error", async () => {
  const callback = `${variable("SUPABASE_URL")}/auth/v1/callback?code=made-up&state=made-up`;
  const answer = await fetch(callback, { redirect: "manual" });
  const location = new URL(answer.headers.get("location") ?? "http://nowhere");
  expect([answer.status, location.origin, location.pathname]).toEqual([
    303,
    variable("SITE_URL"),
    "/",
  ]);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    error: "invalid_request",
    error_code: "bad_oauth_state",
  });
});
