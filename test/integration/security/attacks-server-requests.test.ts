import { globSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { changeOwn } from "../../support/agents/agent.ts";
import { routeInputs } from "../../support/attacks/route-inputs.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { message } from "../../support/contact/contact.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import type { ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { startReceiver } from "../../support/faults/http-receiver.ts";
import { sharedSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { callTool, connectGoogle } from "../../support/google/google-account.ts";
import {
  connectedVisitor,
  googleRequestLog,
  steerGoogle,
} from "../../support/google/google-tools.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

/**
 * Every place from which the server asks another one. Each takes the address from the configuration:
 * a person names what is read there, never where.
 */
const serverFetches: Readonly<Record<string, RegExp>> = {
  "app/features/auth/challenge.server.ts":
    /`\$\{configuration\.TURNSTILE_API_URL\}\/turnstile\/v0\/siteverify`/,
  "app/platform/fetch-with-timeout.server.ts": /export const fetchWithTimeout/,
  "app/features/google/tools/google-api.server.ts":
    /new URL\(\(isStandard \?[^\n]+: GOOGLE_API_URL\) \+ path\)/,
  "app/features/billing/stripe/stripe.server.ts":
    /new URL\(STRIPE_API_URL[\s\S]+host: hostname,[\s\S]+createFetchHttpClient\(fetchWithDeadline\(\)\)/,
  // The resolver of both Workers; what names it is looked at below.
  "app/http/dns-records.server.ts": /fetch\(`\$\{resolver\}\?\$\{new URLSearchParams/,
  // A customer's own domain, once it resolves to a public address: deployment-looks.test.ts.
  "app/features/deployments/checks/server-probe.server.ts":
    /SERVER_PROBE_URL \? `\$\{SERVER_PROBE_URL\}\/\$\{domain\}` : `https:\/\/\$\{domain\}`/,
  // Only tests have that variable: it says where a fake listens. Names and addresses are looked at before: checks.test.ts.
  "app/features/deployments/checks/probes.server.ts":
    /fetch\(`\$\{url\}\/\$\{name\}\/\$\{port\}`\)/,
  // Whether a provider is reached at all, where a customer's domain is not.
  "app/features/servers/state/probe.server.ts": /isReached\(settings\.PAGERDUTY_API_URL\)/,
  // What machines send to the other hostname of ours, where both Workers listen at one port.
  "workers/app.ts": /env\.SERVERS\.fetch\(request\)/,
  // Resend and PagerDuty at configured addresses, and webhooks, whose address is judged before: channels.test.ts.
  "app/features/servers/notifications/senders/post.server.ts": /export async function post\(/,
  // A fleet's own object.
  "app/features/servers/live/endpoint.server.ts": /fleet\.fetch\("https:\/\/fleet\.invalid\/"/,
  "app/http/assets.server.ts": /ASSETS\.fetch\(new URL\(path, "https:\/\/assets\.localhost"\)\)/,
};

let visitor: Visitor;
let id: string;

beforeAll(async () => {
  await resetFakes();
  visitor = await connectedVisitor("calendar", "tasks", "docs");
  await connectGoogle(visitor, { tool: "gmail", tab: "send" });
  await buy(visitor, "pro");
  id = await storeDeployment("customer.one@example.com", fullOptions());
});

test("the server asks others in the places that are listed here only, at configured addresses", () => {
  const files = globSync("{app,workers}/**/*.{ts,tsx}").filter(
    (file) =>
      !/\.client\.tsx?$|deployments\/bundle\/|\/(keep-session|use-my-plan)\.tsx?$/.test(file),
  );
  const filesThatFetch = files.filter((file) =>
    /\bfetch\(/.test(
      readFileSync(file, "utf8").replace(
        /async fetch\(request, env|override (?:async )?fetch\(|const \w*[fF]etch|\/\/.*/g,
        "",
      ),
    ),
  );
  expect(filesThatFetch.toSorted()).toEqual(Object.keys(serverFetches).toSorted());
  for (const [file, address] of Object.entries(serverFetches)) {
    expect(readFileSync(file, "utf8"), file).toMatch(address);
  }
  for (const file of files) {
    for (const [, resolver] of readFileSync(file, "utf8").matchAll(/ dnsAddresses\(([^,:)]+),/g)) {
      expect(resolver, file).toMatch(/^(?:DNS_API_URL|resolver)$/);
    }
  }
  const patient = files.filter((file) => /fetchWithTimeout\(/.test(readFileSync(file, "utf8")));
  for (const file of patient) {
    for (const [, first] of readFileSync(file, "utf8").matchAll(/fetchWithTimeout\(\s*([^,]+),/g)) {
      expect(first, file).toMatch(
        /^`\$\{(?:configuration\.)?(?:SUPABASE_URL|RESEND_API_URL)\}\/|googleAddress\(|^(?:url|input)$/,
      );
    }
  }
});

testInProof(
  "an address that somebody types, in whatever field of the site, is never asked by the server",
  async () => {
    await using canary = await startReceiver(200);
    const url = `${canary.url}/canary`;
    for (const { path, file } of siteRoutes()) {
      const { query = [], fields, words = [] } = routeInputs[file] ?? {};
      const at = path.replace(":id", id).replace(":name", "livekit.yaml").replace(":slug", "x");
      const target = at.replace(":tool", "docs").replace(":tab", "update");
      const named = new URLSearchParams([...query, "url", "next"].map((name) => [name, url]));
      const headers = {
        referer: url,
        "x-forwarded-host": new URL(url).host,
        "x-original-url": url,
        "x-wap-profile": url,
        forwarded: `host=${new URL(url).host}`,
      };
      await (await visitor.request(`${target}?${named}`, { headers })).body?.cancel();
      if (fields === undefined || /signout|account/.test(file)) continue;
      const intents = words.filter((word) => /^[a-z_-]+$/.test(word)).slice(0, 8);
      for (const intent of intents.length > 0 ? intents : [""]) {
        const form = Object.fromEntries(fields.map((name) => [name, url]));
        const body = { ...form, ...(intent && { intent }) };
        await (await visitor.post(target, body, { headers })).body?.cancel();
      }
    }
    const names = await changeOwn(visitor, { intent: "create-token", name: url });
    expect(names.ok).toBe(true);
    for (const page of ["/dashboard", `/dashboard/deployments/${id}`, "/openai-config/own"]) {
      await (await visitor.request(page)).body?.cancel();
    }
    expect(canary.requests).toEqual([]);
  },
  180_000,
);

/** The last is an id as Google makes them. */
const climbs = [
  "..",
  ".",
  "../../drive/v3/files",
  "%2e%2e",
  "a/../../..",
  "..\\..",
  "x?fields=*",
  "x#y",
  "//evil.example",
  "1a2b3c4d5e",
];
const tabs: [tab: string, field: string, more: Record<string, string>, under: RegExp][] = [
  ["tasks/complete", "task", {}, /^\/tasks\/v1\/lists\/@default\/tasks\/[^/]+$/],
  [
    "gmail/respond",
    "threadId",
    { step: "reply", body: "Hello", messageId: "m" },
    /^\/gmail\/v1\/users\/me\/threads\/[^/]+$/,
  ],
  ["docs/update", "documentId", { content: "New" }, /^\/v1\/documents\/[^/]+$/],
];

testInProof.each(tabs)(
  "an id in %s reaches one thing at Google, and no other address there",
  async (tab, field, more, under) => {
    await steerGoogle("requests/clear");
    for (const climb of climbs) {
      const { status } = await callTool(visitor, tab, { ...more, [field]: climb });
      expect.soft(status, climb).toBeLessThan(500);
      expect.soft([400, 404], `${climb}: ${status}`).toContain(status);
    }
    const apiRequests = await googleRequestLog();
    expect(apiRequests.length).toBeGreaterThan(0);
    const paths = apiRequests.map(({ path }) => path);
    expect(paths.filter((path) => !under.test(path))).toEqual([]);
  },
);

test("a provider that answers with a redirect takes no key and no token of ours elsewhere", async () => {
  await using canary = await startReceiver(200);
  const site = await sharedSiteWithFaults();
  const customer = visitor.twin(site.url);
  const away: ProxyHandler = async () => ({
    status: 307,
    headers: { location: `${canary.url}/canary` },
    body: "",
  });
  for (const way of [site.stripeProxy, site.googleProxy, site.mailProxy, site.supabaseProxy]) {
    way.behave(away);
  }
  for (const [target, fields] of [
    ["/pricing", { plan: "basic", attempt: crypto.randomUUID() }],
    ["/google-services/call/docs/search", { query: "plan" }],
    ["/signin", { intent: "sign_in", email: "ada@example.com", password: "a long password" }],
    ["/contact", message],
  ] as const) {
    await (await customer.post(target, fields)).body?.cancel();
  }
  site.supabaseProxy.behave();
  await (await customer.post("/contact", message)).body?.cancel();
  await (
    await customer.post("/google-services/call/docs/search", { query: "plan" })
  ).body?.cancel();
  await (
    await customer.post("/pricing", { plan: "basic", attempt: crypto.randomUUID() })
  ).body?.cancel();
  await site.logged({ message: "A contact message was not mailed" });
  const proxies = { stripe: site.stripeProxy, google: site.googleProxy, mail: site.mailProxy };
  for (const [name, way] of Object.entries(proxies)) {
    expect.soft(way.requests.length, name).toBeGreaterThan(0);
  }
  expect(canary.requests).toEqual([]);
});
