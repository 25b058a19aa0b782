import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";

const {
  SERVER_KEY_SECRET,
  ALERT_MAIL_API_KEY: _,
  PAGERDUTY_API_URL: _p,
  WEBHOOK_TEST_ORIGIN: _w,
  SERVER_SOCKETS_URL: _s,
  VAPID_PUBLIC_KEY: _v,
  VAPID_PRIVATE_KEY: _k,
  ...example
} = parseEnv(readFileSync(".dev.vars.example", "utf8")) as Record<string, string>;
const optional = [
  "STRIPE_API_URL",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_PORTAL_CONFIGURATION",
  "STRIPE_AUTOMATIC_TAX",
  "STRIPE_BANK_TRANSFER",
  "STRIPE_TAX_IDS",
  "STRIPE_BILLING_ADDRESS",
  "STRIPE_TERMS_CONSENT",
  "GOOGLE_ONE_TAP_CLIENT_ID",
  "GOOGLE_IDENTITY_URL",
  "GOOGLE_API_URL",
  "RESEND_API_URL",
  "RESEND_API_KEY",
  "SUPPORT_CHAT_URL",
  "SITE_OPERATOR",
  "SIGN_IN_PROVIDERS",
  "KEYCLOAK_URL",
  "SIGN_IN_SMS",
  "SECOND_FACTOR_SMS",
  "SMS_COUNTRIES",
  "SINGLE_SIGN_ON",
  "FORMER_COOKIE_SECRETS",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET_KEY",
  "TURNSTILE_API_URL",
  "DNS_API_URL",
  "SERVER_PROBE_URL",
  "SERVERS_URL",
];
const required = Object.keys(example).filter((name) => !optional.includes(name));

function problemsOf(variables: Record<string, string | undefined>): readonly string[] {
  const reading = readConfiguration(variables);
  return reading.ok ? [] : reading.problems;
}

test("the example's secret of the servers Worker is 32 bytes, and the site reads none of it", () => {
  expect(Buffer.from(SERVER_KEY_SECRET ?? "", "base64")).toHaveLength(32);
});

test("the example configures the Worker completely", () => {
  expect(problemsOf({ ...example })).toEqual([]);
});

test("the example explains every variable that the Worker reads", () => {
  const reading = readConfiguration({ ...example });
  if (!reading.ok) throw new Error("The example is not complete");
  expect(Object.keys(reading.configuration).toSorted()).toEqual(Object.keys(example).toSorted());
});

test.each(required)("%s is required: absent or empty is one problem that names it", (name) => {
  const { [name]: _, ...without } = example;
  for (const variables of [without, { ...example, [name]: "" }]) {
    const problems = problemsOf(variables);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} (is missing|must be )`));
  }
});

test("the secrets of the example, which everybody can read, are refused for a site on https", () => {
  const problems = problemsOf({ ...example, SITE_URL: "https://www.example.com" });
  expect(problems).toEqual(
    ["STRIPE_WEBHOOK_SECRET", "COOKIE_SECRET"].map(
      (name) => `${name} is still the sample value of .dev.vars.example`,
    ),
  );
});

/** What else a site on https needs. */
const onHttps = {
  ...example,
  SITE_URL: "https://www.example.com",
  STRIPE_WEBHOOK_SECRET: "whsec_of_this_test",
  COOKIE_SECRET: Buffer.alloc(32, 1).toString("base64"),
};

test("a site on https refuses Supabase's former keys, with which all visitors count as one", () => {
  const legacy = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.signature";
  const say = (name: string, prefix: string) =>
    `${name} must start with ${prefix}: make one in Supabase, Project Settings → API Keys`;
  const publishable = say("SUPABASE_PUBLISHABLE_KEY", "sb_publishable_");
  const secret = say("SUPABASE_SECRET_KEY", "sb_secret_");
  expect(problemsOf(onHttps)).toEqual([]);
  expect(problemsOf({ ...onHttps, SUPABASE_PUBLISHABLE_KEY: legacy })).toEqual([publishable]);
  expect(problemsOf({ ...onHttps, SUPABASE_SECRET_KEY: legacy })).toEqual([secret]);
  const { SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY } = example;
  const exchanged = {
    SUPABASE_PUBLISHABLE_KEY: SUPABASE_SECRET_KEY,
    SUPABASE_SECRET_KEY: SUPABASE_PUBLISHABLE_KEY,
  };
  expect(problemsOf({ ...onHttps, ...exchanged })).toEqual([publishable, secret]);
  expect(problemsOf({ ...example, SUPABASE_SECRET_KEY: legacy })).toEqual([]);
});

test.each(optional)("%s may be absent or empty", (name) => {
  const { [name]: _, ...without } = example;
  expect(problemsOf(without)).toEqual([]);
  expect(problemsOf({ ...example, [name]: "" })).toEqual([]);
});

test.each([
  ["SITE_URL", "www.example.com"],
  ["SITE_URL", "ftp://example.com"],
  ["SITE_URL", "javascript:alert(1)"],
  ["SUPABASE_URL", "abc.supabase.co"],
  ["STRIPE_API_URL", "stripe"],
  ["STRIPE_SECRET_KEY", "pk_live_published"],
  ["STRIPE_SECRET_KEY", " sk_live_with_a_space_before"],
  ["STRIPE_WEBHOOK_SECRET", "sk_live_the_wrong_one"],
  ["GOOGLE_API_URL", "not a url"],
  ["RESEND_API_URL", "not a url"],
  ["SUPPORT_EMAIL", "support at example"],
  ["SUPPORT_CHAT_URL", "javascript:alert(document.domain)"],
  ["COOKIE_SECRET", "too short"],
  ["COOKIE_SECRET", Buffer.alloc(31, 7).toString("base64")],
  ["COOKIE_SECRET", Buffer.alloc(33, 7).toString("base64")],
  ["COOKIE_SECRET", "!".repeat(44)],
  ["COOKIE_SECRET", `${Buffer.alloc(32, 7).toString("base64")},too short`],
  ["FORMER_COOKIE_SECRETS", `${Buffer.alloc(32, 7).toString("base64")},too short`],
])("%s refuses a malformed value and does not repeat it", (name, value) => {
  const problems = problemsOf({ ...example, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  expect(problems[0]).not.toContain(value);
});

test("COOKIE_SECRET takes the new secret and the old ones, none of them the example's on https", () => {
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  expect(readConfiguration({ ...example, COOKIE_SECRET: `${first}, ${second}` })).toMatchObject({
    ok: true,
    configuration: { COOKIE_SECRET: [first, second] },
  });
  const rotated = { ...example, COOKIE_SECRET: `${first},${example.COOKIE_SECRET}` };
  expect(problemsOf({ ...rotated, SITE_URL: "https://www.example.com" })).toContain(
    "COOKIE_SECRET is still the sample value of .dev.vars.example",
  );
});

test("FORMER_COOKIE_SECRETS lists the secrets that COOKIE_SECRET no longer has", () => {
  const [first = "", second = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  expect(
    readConfiguration({ ...example, FORMER_COOKIE_SECRETS: `${first}, ${second}` }),
  ).toMatchObject({ ok: true, configuration: { FORMER_COOKIE_SECRETS: [first, second] } });
  expect(readConfiguration(example)).toMatchObject({
    configuration: { FORMER_COOKIE_SECRETS: [] },
  });
});

test("every problem is reported at once", () => {
  const named = problemsOf({}).map((problem) => problem.split(" ")[0]);
  expect(named.toSorted()).toEqual(required.toSorted());
});

test("addresses lose the slash at their end, and standard ones are used when left out", () => {
  const { STRIPE_API_URL: _s, GOOGLE_API_URL: _g, RESEND_API_URL: _r, ...rest } = example;
  const reading = readConfiguration({ ...rest, SITE_URL: "http://example.com/" });
  expect(reading).toMatchObject({
    ok: true,
    configuration: {
      SITE_URL: "http://example.com",
      STRIPE_API_URL: "https://api.stripe.com",
      GOOGLE_API_URL: "https://www.googleapis.com",
      RESEND_API_URL: "https://api.resend.com",
    },
  });
});

test.each(["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"])(
  "Turnstile without %s is refused",
  (name) => {
    const both = { TURNSTILE_SITE_KEY: "0x4site", TURNSTILE_SECRET_KEY: "0x4secret" };
    expect(problemsOf({ ...example, ...both })).toEqual([]);
    expect(problemsOf({ ...example, ...both, [name]: "" })).toEqual([
      `${name} is missing: Turnstile needs both of its keys`,
    ]);
  },
);

test("a site on https refuses Turnstile's keys for tests, with which anybody passes", () => {
  const problems = problemsOf({
    ...onHttps,
    TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
    TURNSTILE_SECRET_KEY: "1x0000000000000000000000000000000AA",
  });
  expect(problems).toEqual(
    ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"].map(
      (name) => `${name} is one of Cloudflare's keys for tests, which decide nothing`,
    ),
  );
});

test.each([
  ["STRIPE_AUTOMATIC_TAX", "on", 'must be "off", "included" or "added"'],
  ["STRIPE_TAX_IDS", "yes", 'must be "on" or "off"'],
])("%s does not take %s", (name, value, problem) => {
  expect(problemsOf({ ...example, [name]: value })).toEqual([`${name} ${problem}`]);
});
