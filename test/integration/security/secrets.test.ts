import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { beforeAll, expect, test } from "vitest";
import routes from "../../../app/routes.ts";
import { orderButton } from "../../support/billing/order.ts";
import { buyAtStripe, prices } from "../../support/billing/stripe-account.ts";
import { deliver, newestEvent } from "../../support/billing/webhook-delivery.ts";
import { faults } from "../../support/faults/fault-proxy.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteVariables } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const secretNames = [
  "SUPABASE_SECRET_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "COOKIE_SECRET",
  "RESEND_API_KEY",
];

beforeAll(resetFakes);

type Secret = { name: string; value: string };

/** Each secret as it is, and as somebody would find it who decodes what they see. */
function inEveryForm(secrets: readonly Secret[]): Secret[] {
  return secrets.flatMap(({ name, value }) => [
    { name, value },
    { name: `${name} in base64`, value: Buffer.from(value).toString("base64").replace(/=+$/, "") },
    { name: `${name} in a URL`, value: encodeURIComponent(value) },
  ]);
}

function secretsIn(variables: Record<string, string>): Secret[] {
  return secretNames.map((name) => {
    const value = variables[name];
    if (!value) throw new Error(`${name} has no value to look for`);
    return { name, value };
  });
}

function found(text: string, secrets: readonly Secret[]): string[] {
  return secrets.filter(({ value }) => text.includes(value)).map(({ name }) => name);
}

test("no file that is served to browsers holds a configured secret", () => {
  const localVariables = existsSync(".dev.vars") ? parseEnv(readFileSync(".dev.vars", "utf8")) : {};
  const secrets = inEveryForm([
    ...secretsIn(siteVariables),
    ...secretNames.flatMap((name) =>
      localVariables[name] ? [{ name, value: localVariables[name] }] : [],
    ),
  ]);
  const files = globSync("build/client/**/{*,.*}").filter((file) => statSync(file).isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    expect(found(readFileSync(file, "latin1"), secrets), file).toEqual([]);
    expect(file).not.toMatch(/\.map$|\.env|\.dev\.vars/);
  }
});

testInProof(
  "no response of a walk through the whole site holds a secret, and neither does the log",
  async () => {
    await using site = await startSiteWithFaults();
    const visitor = new Visitor(site.url);
    const logs: string[] = [];
    await visitor.signInWithGoogle(email);
    const { session: checkoutSession, customer } = await buyAtStripe({ email });
    const secrets = inEveryForm([...secretsIn(siteVariables), ...visitor.sessionSecrets()]);
    let responses = 0;

    async function check(response: Response, what: string): Promise<string> {
      responses++;
      const body = await response.text();
      expect.soft(found(body, secrets), `the body of ${what}`).toEqual([]);
      for (const [name, value] of response.headers) {
        if (name === "set-cookie" && /; httponly/i.test(value)) continue;
        expect.soft(found(value, secrets), `${name} of ${what}`).toEqual([]);
      }
      return body;
    }

    const stranger = new Visitor(site.url);
    const waiting = new Set([
      ...everyPath(),
      `/success?session_id=${checkoutSession}`,
      "/signin?problem=expired",
      "/signup?dialog=sign-in",
      "/nowhere",
      "/robots.txt",
      "/.dev.vars",
      "/.env",
      "/wrangler.json",
      "/_headers",
      "/index.js",
      "/server/index.js",
    ]);
    for (const path of waiting) {
      const [pathname = "", query = ""] = path.split("?");
      const dataPath = `${pathname === "/" ? "/_root" : pathname}.data?${query}`;
      for (const [who, person] of Object.entries({ stranger, visitor })) {
        const read = async (target: string) =>
          check(await person.request(target), `${target} for the ${who}`);
        const [page] = await Promise.all([read(path), read(dataPath)]);
        for (const [, link = ""] of page.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)) waiting.add(link);
      }
    }

    const order = await orderButton(visitor, email, prices.yearly);
    const event = await newestEvent("invoice.paid", customer);
    const actions = async (state: string) => {
      const checkAnswer = async (what: string, response: Promise<Response>) =>
        check(await response, `${what} ${state}`);
      await Promise.all([
        checkAnswer("an order", order()),
        checkAnswer("a form post", visitor.post("/pricing", { plan: "pro" })),
        checkAnswer("a refresh", visitor.post("/dashboard?index", {})),
        checkAnswer("the portal", visitor.post("/dashboard/billing", {})),
        checkAnswer("the dashboard", visitor.request("/dashboard")),
        checkAnswer("a made-up code", stranger.request("/auth/callback?code=made-up")),
        checkAnswer("a sign-in", stranger.post("/signin", { provider: "google" })),
        checkAnswer("a webhook", deliver(event, { siteUrl: site.url })),
        checkAnswer("a forgery", deliver(event, { siteUrl: site.url, secret: "whsec_x" })),
      ]);
    };
    await actions("when all is well");
    site.stripeProxy.behave(async () => ({
      status: 401,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ error: { message: "Invalid API Key provided: sk_test_****" } }),
    }));
    await actions("when Stripe refuses the key");
    site.stripeProxy.behave();
    site.supabaseProxy.behave(faults.error);
    await actions("when Supabase fails");
    site.supabaseProxy.behave();
    await check(await visitor.post("/signout", {}), "signing out");

    expect(responses).toBeGreaterThan(100);
    logs.push(...site.everyLogLine());
    expect(logs.length).toBeGreaterThan(8);
    for (const line of logs) {
      expect(found(line, [...secrets, { name: "an address", value: email }]), line).toEqual([]);
    }
  },
);

function everyPath(): string[] {
  return routes
    .flatMap(({ path = "", children }) => [
      `/${path}`,
      ...(children ?? []).flatMap((child) => (child.path ? [`/${path}/${child.path}`] : [])),
    ])
    .map((path) => path.replace(/:\w+/g, "no-such-thing"));
}
