import { expect, test } from "vitest";
import {
  ask as askSite,
  cookiesOf,
  expectOneRefreshEach,
  isRefresh,
  withEndedToken as personWithEndedToken,
} from "../../../support/auth/refresh-together.ts";
import { tokensSetBy } from "../../../support/auth/session-cookie.ts";
import { faults, type ProxyHandler } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { expectText } from "../../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";

const one = "customer.one@example.com";
const signInUnavailable = "Sign-in is not available right now";

const site = siteWithFaults();

const withEndedToken = () => personWithEndedToken(site());
const ask = (path: string, cookie: string, init?: RequestInit) =>
  askSite(site(), path, cookie, init);
const refreshes = () => site().supabaseProxy.requests.filter(isRefresh).length;

/** Only refreshes fare like this. */
const forRefreshes =
  (handler: ProxyHandler): ProxyHandler =>
  (request, forward) =>
    isRefresh(request) ? handler(request, forward) : forward();

const answering =
  (status: number, body: object = {}): ProxyHandler =>
  async () => ({
    status,
    headers: { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" },
    body: JSON.stringify(body),
  });

// Two hundred requests: test/proof/auth/session-refresh.test.ts.
test("20 requests of two people whose tokens end cost one refresh each, and nobody is signed out", async () => {
  await expectOneRefreshEach(site(), 10);
});

testInProof(
  "a browser that still sends the old cookie a moment later is given the same new one",
  async () => {
    const visitor = await withEndedToken();
    const old = cookiesOf(visitor);
    const first = await ask("/dashboard", old);
    const second = await ask("/dashboard", old);
    expect(tokensSetBy(second)).toBe(tokensSetBy(first));
    expect(refreshes()).toBe(1);
  },
);

test("a token that ends within a minute and a half is refreshed before it does", async () => {
  const visitor = await signedIn(one, site().url);
  visitor.changeSession((session) => ({
    ...session,
    expires_at: Math.floor(Date.now() / 1000) + 80,
  }));
  site().supabaseProxy.behave();
  const response = await visitor.request("/dashboard");
  expect([response.status, refreshes()]).toEqual([200, 1]);
  expect(tokensSetBy(response)).not.toBe("");
  expect(tokensSetBy(await visitor.request("/dashboard"))).toBe("");
});

testInProof(
  "who asked first may go away: the others are still refreshed, by the same one call",
  async () => {
    const visitor = await withEndedToken();
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    site().supabaseProxy.behave(
      forRefreshes(async (_, forward) => {
        reached.resolve();
        await released.promise;
        return forward();
      }),
    );
    const leaving = new AbortController();
    const first = ask("/dashboard", cookiesOf(visitor), { signal: leaving.signal });
    await reached.promise;
    const others = [1, 2, 3].map(() => ask("/signin", cookiesOf(visitor)));
    leaving.abort();
    await expect(first).rejects.toThrow();
    released.resolve();
    for (const response of await Promise.all(others)) {
      expect([response.status, tokensSetBy(response) !== ""]).toEqual([302, true]);
    }
    expect(refreshes()).toBe(1);
  },
);

testInProof.each([502, 503, 504])(
  "%s is asked again after 200 ms, doubled each time",
  async (status) => {
    const visitor = await withEndedToken();
    const times: number[] = [];
    const failingThrice: ProxyHandler = async (request, forward) => {
      times.push(performance.now());
      return times.length > 3 ? forward() : answering(status)(request, forward);
    };
    site().supabaseProxy.behave(forRefreshes(failingThrice));
    expect((await visitor.request("/dashboard")).status).toBe(200);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.map((pause, index) => pause >= 195 * 2 ** index)).toEqual([true, true, true]);
  },
);

const outages: [string, ProxyHandler, number][] = [
  ["is down", faults["cut off"], 4],
  ["answers 503", answering(503), 4],
  ["answers 500", faults.error, 4],
  ["answers garbage", faults.garbage, 1],
  ["counts too many attempts", answering(429, { code: "over_request_rate_limit" }), 1],
];

test.each(sample(outages, 1))(
  "when the auth server %s, an ended session is kept and works again later",
  async (_, handler, tries) => {
    const visitor = await withEndedToken();
    site().supabaseProxy.behave(forRefreshes(handler));
    const response = await visitor.request("/dashboard");
    await expectText(response, 503, signInUnavailable);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(refreshes()).toBe(tries);
    const asResource = await visitor.post("/auth/refresh", {});
    expect(asResource.status).toBe(503);
    site().recover();
    expect((await visitor.request("/dashboard")).status).toBe(200);
  },
);

test("a session that the auth server ended is removed with its hint, at the sign-in page", async () => {
  const visitor = await withEndedToken();
  site().supabaseProxy.behave(
    forRefreshes(answering(400, { code: "refresh_token_not_found", message: "Not found" })),
  );
  const guarded = await visitor.request("/dashboard");
  expect(guarded.headers.get("location")).toBe("/signin?next=%2Fdashboard");
  expect((await visitor.post("/auth/refresh", {})).status).toBe(401);
  const page = await visitor.request("/signin?next=%2Fdashboard");
  expect(page.status).toBe(200);
  expect(
    [...visitor.cookies.keys()].filter((name) => /token(\.\d)?$|signed-in/.test(name)),
  ).toEqual([]);
});

test("a late answer to a used token takes nothing from a browser that holds a newer one", async () => {
  const visitor = await signedIn(one, site().url);
  const holder = cookiesOf(visitor);
  visitor.changeSession((session) => ({
    ...session,
    refresh_token: "an-older-token",
    expires_at: 1,
  }));
  const late = cookiesOf(visitor);
  site().supabaseProxy.behave(
    forRefreshes(answering(400, { code: "refresh_token_already_used", message: "Already Used" })),
  );
  for (const path of ["/dashboard", "/dashboard.data", "/signup", "/auth/refresh"]) {
    const response = await ask(path, late);
    expect(response.headers.getSetCookie(), path).toEqual([]);
  }
  const guarded = await ask("/dashboard", late);
  expect(guarded.headers.get("location")).toBe("/signin?next=%2Fdashboard");
  const led = await ask("/signin?next=%2Fdashboard", holder);
  expect(led.headers.get("location")).toBe("/dashboard");
});

testInProof(
  "what the page asks for in time: seconds, and nobody but our pages may ask",
  async () => {
    const visitor = await signedIn(one, site().url);
    const response = await visitor.post("/auth/refresh", {});
    const { askAgainIn } = (await response.json()) as { askAgainIn: number };
    // The token lives for an hour, but its session may be ended elsewhere before.
    expect(askAgainIn).toBe(60);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect((await new Visitor(site().url).post("/auth/refresh", {})).status).toBe(401);
    expect(
      (await visitor.post("/auth/refresh", {}, { origin: "https://elsewhere.example" })).status,
    ).toBe(403);
    expect((await visitor.request("/auth/refresh")).status).toBe(405);
  },
);
