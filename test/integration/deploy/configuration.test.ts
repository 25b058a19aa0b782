import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { safetyHeaders } from "../../../workers/headers/security-headers.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";

type Worker = Awaited<ReturnType<typeof startOwnWorker>>;
let worker: Worker;
let complete: Record<string, string>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => {
    complete = exampleVariables({ siteUrl, portBase });
    return complete;
  });
});

afterAll(() => worker?.[Symbol.asyncDispose]());

async function problemsLogged(): Promise<string> {
  const lines: Record<string, unknown>[] = [];
  const about = () => lines.find(({ message }) => message === "The Worker is not configured");
  await pollUntil(
    () => lines.push(...worker.takeLogs()),
    () => about() !== undefined,
  );
  expect(about()?.level).toBe("error");
  return String(about()?.problems);
}

/** Expects a page that is plain, is not kept by anybody and shows a visitor nothing of the cause. */
async function expectPlainFailure(response: Response, variables: Record<string, string>) {
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const [name, value] of Object.entries(safetyHeaders)) {
    expect(response.headers.get(name)).toBe(value);
  }
  const page = await response.text();
  expect(page).toContain("This site is not set up yet");
  for (const [name, value] of Object.entries(variables)) {
    expect(page).not.toContain(name);
    if (value.length > 6) expect(page).not.toContain(value);
  }
}

// Each variable by itself is tested in test/unit/deploy/configuration.test.ts; here is the Worker around it.
const missing = {
  SITE_URL: "",
  SUPABASE_URL: "",
  SUPABASE_PUBLISHABLE_KEY: "",
  SUPABASE_SECRET_KEY: "",
  STRIPE_SECRET_KEY: "",
  STRIPE_WEBHOOK_SECRET: "",
  STRIPE_PRICE_BASIC: "",
  STRIPE_PRICE_PRO: "",
  STRIPE_PRICE_MONTHLY: "",
  STRIPE_PRICE_YEARLY: "",
  STRIPE_PRICE_BASIC_YEARLY: "",
  STRIPE_PRICE_PRO_MONTHLY: "",
  SUPPORT_EMAIL: "",
  COOKIE_SECRET: "",
};
const malformed = {
  SITE_URL: "somewhere.example",
  SUPABASE_URL: "ftp://somewhere.example",
  STRIPE_API_URL: "nonsense-url",
  STRIPE_SECRET_KEY: "pk_test_published",
  STRIPE_WEBHOOK_SECRET: "sk_test_the_wrong_one",
  GOOGLE_API_URL: "nonsense-too",
  RESEND_API_URL: "more-nonsense",
  SUPPORT_EMAIL: "nobody-here",
  SUPPORT_CHAT_URL: "javascript:alert(1)",
  COOKIE_SECRET: "much-too-short",
};

testInProof.each([
  ["missing", missing],
  ["malformed", malformed],
])("with variables %s there is no site, and the log names each and no value", async (_, broken) => {
  const variables: Record<string, string> = { ...complete, ...broken };
  await worker.reconfigure(variables);
  worker.takeLogs();
  await expectPlainFailure(await fetch(`${worker.url}/pricing`), variables);
  const problems = await problemsLogged();
  const named = problems.split("; ").map((problem) => problem.split(" ")[0]);
  expect(named.toSorted()).toEqual(Object.keys(broken).toSorted());
  for (const value of Object.values(variables)) {
    if (value.length > 6) expect(problems).not.toContain(value);
  }
});

test("no address of a misconfigured Worker half works", async () => {
  const variables = { ...complete, STRIPE_WEBHOOK_SECRET: "" };
  await worker.reconfigure(variables);
  for (const path of ["/", "/healthz", "/dashboard", "/api/create-checkout-session", "/nowhere"]) {
    await expectPlainFailure(await fetch(worker.url + path), variables);
  }
  for (const path of ["/pricing", "/api/create-checkout-session", "/api/stripe/webhook"]) {
    const headers = { origin: worker.url };
    await expectPlainFailure(
      await fetch(worker.url + path, { method: "POST", headers }),
      variables,
    );
  }
});

testInProof("everything that is optional may be left out together", async () => {
  const none = {
    STRIPE_PUBLISHABLE_KEY: "",
    STRIPE_PORTAL_CONFIGURATION: "",
    RESEND_API_KEY: "",
    SUPPORT_CHAT_URL: "",
    STRIPE_API_URL: "",
    GOOGLE_API_URL: "",
    RESEND_API_URL: "",
  };
  await worker.reconfigure({ ...complete, ...none });
  for (const path of ["/", "/pricing", "/support", "/signup", "/healthz"]) {
    expect((await fetch(worker.url + path)).status, path).toBe(200);
  }

  // Without a publishable key there is no Stripe.js, with one the page's policy lets it in.
  const without = await fetch(`${worker.url}/signup`);
  expect(without.headers.get("content-security-policy")).not.toContain("js.stripe.com");
  await worker.reconfigure({ ...complete, STRIPE_PUBLISHABLE_KEY: "pk_test_published" });
  const policy = (await fetch(`${worker.url}/signup`)).headers.get("content-security-policy");
  expect(policy).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/);
  expect(policy).toMatch(/frame-src [^;]*https:\/\/js\.stripe\.com/);
});
