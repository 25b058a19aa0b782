import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import {
  tokenField,
  tokenFor,
  turnstileControl,
  withChallenge,
} from "../../support/auth/turnstile.ts";
import {
  type FaultProxy,
  faults,
  type ProxyHandler,
  startFaultProxy,
} from "../../support/faults/fault-proxy.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, siteUrl, startOwnWorker } from "../../support/site/own-site.ts";
import { Visitor } from "../../support/site/visitor.ts";

const password = "four quiet servers hum";
const missing =
  "Nothing was sent: the check that you are a person was not finished. It needs JavaScript. What you typed is still here, except a password. To sign in with a password or a provider you need no check.";
const failed =
  "Nothing was sent: the check that you are a person failed or ran out. What you typed is still here, except a password. Please send it again. To sign in with a password or a provider you need no check.";
const unavailable =
  "Nothing was sent: the check that you are a person does not work right now. What you typed is still here, except a password. Try again in a moment. To sign in with a password or a provider you need no check.";

let site: RunningWorker;
let turnstileProxy: FaultProxy;
let supabaseProxy: FaultProxy;

const variables = (url: string) => ({
  ...exampleVariables({ siteUrl: url, portBase }),
  ...withChallenge,
  SUPABASE_URL: supabaseProxy.url,
  TURNSTILE_API_URL: turnstileProxy.url,
  SIGN_IN_SMS: "on",
});

beforeAll(async () => {
  await resetFakes();
  turnstileProxy = await startFaultProxy(fakes().turnstile.url);
  supabaseProxy = await startFaultProxy(fakes().supabase.url);
  site = await startOwnWorker(variables);
});

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await turnstileProxy?.[Symbol.asyncDispose]();
  await supabaseProxy?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  turnstileProxy.behave();
  supabaseProxy.behave();
  site.takeLogs();
});

const somebody = () => `${crypto.randomUUID()}@example.com`;
const checked = ["sign_up", "resend_confirmation", "forgotten_password", "magic_link"];

function ask(intent: string, fields: Record<string, string>) {
  return postSignIn(new Visitor(site.url), { intent, password, ...fields });
}

const authServerRequests = () =>
  supabaseProxy.requests.filter(({ path }) => path.startsWith("/auth/v1/")).length;

test.each(sample([...checked, "phone_code"], 2))(
  "%s: nothing is sent without a challenge",
  async (intent) => {
    const to: Record<string, string> =
      intent === "phone_code" ? { phone: "+15550100300" } : { email: somebody() };
    const { status, view, page } = await ask(intent, to);
    expect([status, view.alert]).toEqual([403, missing]);
    expect([view.email, view.phone]).toEqual([to.email ?? "", to.phone ?? ""]);
    expect(page).not.toContain(password);
    expect(authServerRequests()).toBe(0);
    const line = site.takeLogs().find(({ message }) => message === "A challenge was not passed");
    expect(line).toMatchObject({ form: intent, why: "no token", level: "warn" });
  },
);

testInProof.each(checked)(
  "%s: with a challenge passed it is sent, once for each token",
  async (intent) => {
    const email = somebody();
    const token = await tokenFor(intent);
    const first = await ask(intent, { email, [tokenField]: token });
    expect([first.status, first.view.alert]).toEqual([200, ""]);
    const again = await ask(intent, { email, [tokenField]: token });
    expect([again.status, again.view.alert, again.view.email]).toEqual([403, failed, email]);
  },
);

test("a token for another form or another host, an old one and a made-up one count for nothing", async () => {
  const email = somebody();
  const old = await tokenFor("magic_link");
  await turnstileControl({ advance: 301 });
  const tokens = {
    old,
    "of another form": await tokenFor("sign_up"),
    "of another host": await tokenFor("magic_link", "evil.example"),
    "made up": "0.made.up",
    "too long": "x".repeat(2_049),
  };
  for (const [what, token] of Object.entries(tokens)) {
    const { status, view } = await ask("magic_link", { email, [tokenField]: token });
    expect([status, view.alert], what).toEqual([403, failed]);
  }
  expect(authServerRequests()).toBe(0);
  const why = site.takeLogs().map((line) => line.why);
  expect(why).toEqual([
    "timeout-or-duplicate",
    "another form's token",
    "another host's token",
    "invalid-input-response",
    "too long a token",
  ]);
});

testInProof("Turnstile is sent the token, the secret and the visitor's address", async () => {
  const token = await tokenFor("magic_link");
  await ask("magic_link", { email: somebody(), [tokenField]: token });
  const [verification] = turnstileProxy.requests;
  expect([verification?.method, verification?.path]).toEqual(["POST", "/turnstile/v0/siteverify"]);
  expect(JSON.parse(verification?.body ?? "")).toEqual({
    secret: withChallenge.TURNSTILE_SECRET_KEY,
    response: token,
    remoteip: expect.stringMatching(/^[\da-f.:-]{7,}$/),
    idempotency_key: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

testInProof.each<[string, ProxyHandler]>([
  ["is down", faults["cut off"]],
  ["answers 500", faults.error],
  ["answers garbage", faults.garbage],
])("when Turnstile %s, nothing is sent and other ways stay open", async (_, handler) => {
  turnstileProxy.behave(handler);
  const email = somebody();
  for (const intent of checked) {
    const { status, view } = await ask(intent, { email, [tokenField]: await tokenFor(intent) });
    expect([status, view.alert, view.email], intent).toEqual([503, unavailable, email]);
  }
  expect(authServerRequests()).toBe(0);
  expect(site.takeLogs().map(({ message }) => message)).toContain("Turnstile did not answer");
  // A password and a code need no check.
  expect((await ask("sign_in", { email })).status).toBe(400);
  const google = await new Visitor(site.url).post("/signin", { provider: "google" });
  expect(google.status).toBe(303);
});

testInProof(
  "an answer of Turnstile that got lost is asked for again, with the same token",
  async () => {
    let requestCount = 0;
    turnstileProxy.behave((request, forward) =>
      requestCount++ === 0 ? faults["reset afterwards"](request, forward) : forward(),
    );
    const token = await tokenFor("magic_link");
    const { status } = await ask("magic_link", { email: somebody(), [tokenField]: token });
    expect([status, requestCount]).toEqual([200, 2]);
  },
);

testInProof("a wrong secret is our fault, and said and logged as that", async () => {
  await using wrong = await startOwnWorker((url) => ({
    ...variables(url),
    TURNSTILE_SECRET_KEY: "0x4AAAAAAAAnother",
  }));
  const fields = { intent: "magic_link", email: somebody(), [tokenField]: await tokenFor("x") };
  const { status, view } = await postSignIn(new Visitor(wrong.url), fields);
  expect([status, view.alert]).toEqual([503, unavailable]);
  const line = wrong.takeLogs().find(({ message }) => message === "Turnstile did not decide");
  expect(line).toMatchObject({ level: "error", code: "invalid-input-secret" });
});

testInProof.each([
  ["1x0000000000000000000000000000000AA", 200],
  ["2x0000000000000000000000000000000AA", 403],
  ["3x0000000000000000000000000000000AA", 403],
])("Cloudflare's secret for tests %s answers %i", async (secret, status) => {
  await using tested = await startOwnWorker((url) => ({
    ...variables(url),
    TURNSTILE_SECRET_KEY: secret,
  }));
  const fields = { intent: "magic_link", email: somebody(), [tokenField]: "XXXX.DUMMY.TOKEN.XXXX" };
  expect((await postSignIn(new Visitor(tested.url), fields)).status).toBe(status);
});

const message = {
  name: "Ada",
  email: "ada@example.com",
  topic: "support",
  message: "The relay does not start after the update.",
};

testInProof(
  "the contact form: nothing is stored without a challenge, and the text is kept",
  async () => {
    const visitor = new Visitor(site.url);
    const refused = await visitor.post("/contact", message);
    const page = await refused.text();
    expect(refused.status).toBe(403);
    expect(page).toContain("Nothing was sent: the check that you are a person was not finished.");
    expect(page).toContain(message.message);
    expect(supabaseProxy.requests).toEqual([]);
    const token = await tokenFor("contact");
    const sent = await visitor.post("/contact", { ...message, [tokenField]: token });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/contact/sent"]);
  },
);

testInProof.each(["/signin", "/contact"])(
  "%s: the policy lets Turnstile in where it is set up",
  async (path) => {
    const response = await new Visitor(site.url).request(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(new RegExp(`script-src [^;]*${turnstileProxy.url}`));
    expect(policy).toMatch(new RegExp(`frame-src [^;]*${turnstileProxy.url}`));
    const page = await response.text();
    expect(page).toContain(withChallenge.TURNSTILE_SITE_KEY);
    expect(page).not.toContain(withChallenge.TURNSTILE_SECRET_KEY);
    // The script is no part of the page: it loads when a form is used.
    expect(page).not.toMatch(/<(script|link)[^>]*turnstile/);
    expect(page).toMatch(/<noscript><p[^>]*>To send this form this site needs JavaScript/);
  },
);

testInProof.each(["/signin", "/contact"])(
  "%s: without keys neither the page nor its policy shows a challenge",
  async (path) => {
    const response = await new Visitor(siteUrl).request(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).not.toContain(fakes().turnstile.url);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(await response.text()).not.toMatch(/noscript|turnstile|check that you are a person/i);
  },
);
