import { expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { linkIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { portBase } from "../../support/site/own-site.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const site = siteWithFaults({ SIGN_IN_SMS: "on" });
const variables = exampleVariables({ siteUrl: "http://127.0.0.1", portBase });
const browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/149.0";
const email = "ada@example.com";
const password = "four quiet servers hum";

type Way = readonly [what: string, path: string, ask: (visitor: Visitor) => Promise<unknown>];

const post = (path: string, fields: Record<string, string>) => (visitor: Visitor) =>
  visitor.post(path, fields, { headers: { "user-agent": browser } });
const signIn = (fields: Record<string, string>) => post("/signin", fields);

const ways: Way[] = [
  ["a password", "/token?grant_type=password", signIn({ intent: "sign_in", email, password })],
  ["a sign-up", "/signup", signIn({ intent: "sign_up", email, password })],
  ["a confirmation", "/resend", signIn({ intent: "resend_confirmation", email })],
  ["a reset", "/recover", signIn({ intent: "forgotten_password", email })],
  ["a sign-in link", "/otp", signIn({ intent: "magic_link", email })],
  ["a text message", "/otp", signIn({ intent: "phone_code", phone: "+15550100001" })],
  [
    "a mailed code",
    "/verify",
    async (visitor) => {
      // A code counts where it was asked for.
      await signIn({ intent: "magic_link", email })(visitor);
      await signIn({ intent: "verify_code", email, code: "12345678" })(visitor);
    },
  ],
  ["a provider", "/settings", signIn({ provider: "google" })],
  [
    "a mailed link",
    "/verify",
    async (visitor) => {
      await signIn({ intent: "sign_up", email: "grace@example.com", password })(visitor);
      const link = linkIn(await mailTo("grace@example.com", "Confirm your e-mail address"));
      const fields = new URL(link, visitor.siteUrl).searchParams;
      await post("/auth/confirm", Object.fromEntries(fields))(visitor);
    },
  ],
];

test.each(sample(ways, 1))(
  "the auth server gets the visitor's address: %s",
  async (_, path, ask) => {
    const visitor = new Visitor(site().url);
    await ask(visitor);
    const call = site().supabaseProxy.requests.find((each) =>
      each.path.startsWith(`/auth/v1${path}`),
    );
    expect(call?.headers).toMatchObject({
      apikey: variables.SUPABASE_SECRET_KEY,
      "sb-forwarded-for": visitor.address,
      // As a whole it would be a browser's, and the secret key refused.
      "user-agent": "livekit-deploy (X11; Linux x86_64) Firefox/149.0",
    });
    expect(call?.headers.authorization).toBeUndefined();
  },
);

testInProof(
  "who signs in with a browser that names itself is let in, by the secret key all the same",
  async () => {
    const visitor = new Visitor(site().url);
    const headers = { "user-agent": browser };
    const accepted = await visitor.post(
      "/signin",
      { intent: "sign_up", email, password },
      { headers },
    );
    expect(accepted.status).toBe(200);
    expect(await mailsTo(email)).toHaveLength(1);
  },
);

testInProof(
  "and so it is by every call for somebody who is in, beside their own token",
  async () => {
    const visitor = await signedIn("customer.one@example.com", site().url);
    visitor.expireSession();
    await visitor.request("/dashboard/account");
    await visitor.post("/dashboard/account", { intent: "enrol", name: "Phone" });
    await visitor.post("/signout", {});
    // The way to the provider and back is the browser's own.
    const calls = site().supabaseProxy.requests.filter(({ path }) =>
      /^\/auth\/v1\/(?!authorize|callback)/.test(path),
    );
    const paths = calls.map(({ path }) => path.replace(/\?.*/, ""));
    expect(paths).toEqual(
      expect.arrayContaining([
        "/auth/v1/token",
        "/auth/v1/user",
        "/auth/v1/factors",
        "/auth/v1/logout",
      ]),
    );
    for (const { path, headers } of calls) {
      expect(headers, path).toMatchObject({
        apikey: variables.SUPABASE_SECRET_KEY,
        "sb-forwarded-for": visitor.address,
      });
      if (/\/(user|factors|logout)/.test(path)) {
        expect(headers.authorization, path).toMatch(/^Bearer ey/);
      }
    }
  },
);

test("no call of the database for a visitor carries the secret key, whether they are in or not", async () => {
  const visitor = await signedIn("customer.one@example.com", site().url);
  site().supabaseProxy.behave();
  for (const path of ["/dashboard", "/dashboard/deployments", "/openai-config/own"]) {
    await visitor.request(path);
  }
  const reads = site().supabaseProxy.requests.filter(
    ({ path, method }) => path.startsWith("/rest/v1/") && method === "GET",
  );
  const readsOfVisitors = reads.filter(
    ({ headers }) => headers.apikey === variables.SUPABASE_PUBLISHABLE_KEY,
  );
  expect(readsOfVisitors.length).toBeGreaterThan(0);
  for (const { path, headers } of readsOfVisitors) {
    expect(JSON.stringify(headers), path).not.toContain(variables.SUPABASE_SECRET_KEY);
    expect(headers.authorization, path).toMatch(/^Bearer ey/);
    expect(headers["sb-forwarded-for"], path).toBeUndefined();
  }
});
