import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { type SiteCookie, siteCookies } from "../../../../app/http/cookies.ts";
import { localJwtSecret } from "../../../../fakes/supabase/fake.ts";
import { claimsIn, signToken } from "../../../support/auth/access-token.ts";
import { startSiteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { startHttpsSite } from "../../../support/site/https-site.ts";
import { siteUrl } from "../../../support/site/own-site.ts";
import { Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

type Noted = { name: string; attributes: string; response: Response };

/** Notes every cookie that the site sets in a browser, with the response that set it. */
function noteCookies(visitor: Visitor): Noted[] {
  const set: Noted[] = [];
  const request = visitor.request.bind(visitor);
  visitor.request = async (target, init) => {
    const response = await request(target, init);
    if (!new URL(target, visitor.siteUrl).href.startsWith(visitor.siteUrl)) return response;
    for (const cookie of response.headers.getSetCookie()) {
      const name = cookie.slice(0, cookie.indexOf("="));
      set.push({ name, attributes: cookie.slice(cookie.indexOf(";")), response });
    }
    return response;
  };
  return set;
}

class Observer extends Visitor {
  readonly set = noteCookies(this);
}

async function wholeVisit(visitor: Observer): Promise<void> {
  await visitor.signInWithGoogle("customer.one@example.com");
  for (const path of ["/", "/pricing", "/signup", "/dashboard", "/dashboard.data"]) {
    await visitor.request(path);
  }
  visitor.expireSession();
  await visitor.request("/dashboard");
  visitor.expireSession();
  await visitor.request("/signin");
  visitor.expireSession();
  await visitor.post("/pricing", { plan: "unknown" });
  await visitor.post("/signout", {});
}

test("session cookies are HttpOnly and Lax, and whatever sets a cookie is kept by nobody", async () => {
  const visitor = new Observer();
  await wholeVisit(visitor);
  const ofSession = /^(sb-127-auth-token(\.\d)?|sb-127-auth-token-[\w-]*code-verifier|signed-in)$/;
  const others = visitor.set.map(({ name }) => name).filter((name) => !ofSession.test(name));
  expect(Object.keys(siteCookies)).toEqual(expect.arrayContaining(others));
  expect(visitor.set.length).toBeGreaterThan(8);
  for (const { name, attributes } of visitor.set) {
    const age = Number(/; max-age=(\d+)/i.exec(attributes)?.[1]);
    // What the page about cookies says of them.
    if (name.endsWith("-code-verifier")) expect(age, name).toBeLessThanOrEqual(600);
    else if (ofSession.test(name)) expect(age, name).toBeLessThanOrEqual(7 * 24 * 3_600);
    else expect([siteCookies[name as SiteCookie], 0], name).toContain(age);
  }
  for (const { name, attributes, response } of visitor.set) {
    expect(response.headers.get("cache-control"), name).toContain("no-store");
    expect(response.headers.get("cache-control"), name).toContain("private");
    expect(attributes, name).toMatch(/; SameSite=Lax/i);
    expect(attributes, name).toMatch(/; Path=\//i);
    expect(attributes, name).not.toMatch(/; Domain=/i);
    if (name !== "signed-in") expect(attributes, name).toMatch(/; HttpOnly/i);
  }
});

testInProof("the one cookie that scripts may read holds nothing but a yes", async () => {
  const visitor = new Observer();
  await visitor.signInWithGoogle("customer.one@example.com");
  expect(visitor.cookies.get("signed-in")).toBe("1");
});

testInProof("the hint alone opens nothing", async () => {
  const response = await fetch(`${siteUrl}/dashboard`, {
    headers: { cookie: "signed-in=1" },
    redirect: "manual",
  });
  expect(response.status).toBe(302);
});

test("a session that expired is renewed on the way, also on a redirect, and goes on", async () => {
  const visitor = new Observer();
  await visitor.signInWithGoogle("customer.one@example.com");
  visitor.expireSession();
  visitor.set.length = 0;
  const response = await visitor.request("/signin");
  expect([response.status, response.headers.get("location")]).toEqual([302, "/dashboard"]);
  expect(visitor.set.map(({ name }) => name)).toContain("sb-127-auth-token");
  expect((await visitor.request("/dashboard")).status).toBe(200);
});

test("a response for one person never carries another's session", async () => {
  const visitors = await Promise.all(
    ["customer.one@example.com", "customer.two@example.com"].map(async (email) => {
      const visitor = new Observer();
      await visitor.signInWithGoogle(email);
      visitor.expireSession();
      visitor.set.length = 0;
      return visitor;
    }),
  );
  await Promise.all(
    visitors.flatMap((visitor) => [visitor.request("/dashboard"), visitor.request("/pricing")]),
  );
  for (const visitor of visitors) {
    expect(
      visitor.set.every(({ response }) => new URL(response.url).pathname === "/dashboard"),
    ).toBe(true);
    expect(visitor.set.length).toBeGreaterThan(0);
  }
});

test("on HTTPS every cookie is Secure, for all paths of this host alone, and named so", async () => {
  await using site = await startHttpsSite();
  const visitor = site.open();
  const set = noteCookies(visitor);
  const start = await visitor.post("/signin", { provider: "google", next: "/dashboard" });
  expect(start.status).toBe(303);
  await visitor.signInWithGoogle("customer.one@example.com");
  await visitor.post("/signout", {});
  expect(set.length).toBeGreaterThan(8);
  for (const { name, attributes } of set) {
    expect(name).toMatch(/^__Host-/);
    expect(attributes, name).toMatch(/; Path=\/(;|$)/);
    expect(attributes, name).toMatch(/; Secure/);
    expect(attributes, name).not.toMatch(/; Domain=/i);
  }
  expect([...visitor.cookies.keys()]).toEqual([]);
});

testInProof("a planted cookie loses", async () => {
  await using site = await startHttpsSite();
  const [owner, attacker] = [site.open(), site.open()];
  await owner.signInWithGoogle("customer.one@example.com");
  await attacker.signInWithGoogle("customer.two@example.com");
  const planted = [...attacker.cookies].map(
    ([name, value]) => `${name.replace("__Host-", "")}=${value}`,
  );
  const ownersCookies = [...owner.cookies].map(([name, value]) => `${name}=${value}`);
  const ask = async (...cookies: string[]) => {
    const { status, body } = await site.ask("/dashboard/account", { cookie: cookies.join("; ") });
    const addresses = ["customer.one@example.com", "customer.two@example.com"];
    return [status, ...addresses.filter((address) => body.includes(address))];
  };
  expect(await ask(...ownersCookies)).toEqual([200, "customer.one@example.com"]);
  // As a subdomain or a page without HTTPS plants them: without the prefix, before or after ours.
  expect(await ask(...planted, ...ownersCookies)).toEqual([200, "customer.one@example.com"]);
  expect(await ask(...ownersCookies, ...planted)).toEqual([200, "customer.one@example.com"]);
  expect(await ask(...planted)).toEqual([302]);
  // A session from before the prefix looks the same, and does not stay in the browser.
  const { headers } = await site.ask("/dashboard/account", { cookie: planted.join("; ") });
  const session = planted
    .map((pair) => pair.split("=", 1)[0])
    .find((name) => /^sb-/.test(name ?? ""));
  expect(new Headers([...headers]).get("set-cookie")).toContain(`${session}=; Max-Age=0; Path=/`);
  // No browser sends a prefixed name twice, so a request that does is not believed.
  const forged = [...attacker.cookies].map(([name, value]) => `${name}=${value}`);
  expect(await ask(...forged, ...ownersCookies)).toEqual([302]);
});

/** What providers say of somebody at most: the longest address there is, long names, a long picture. */
const fullestProfile = {
  iss: "https://accounts.google.com",
  sub: "1".repeat(21),
  provider_id: "1".repeat(21),
  email: `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`,
  email_verified: true,
  phone_verified: false,
  name: "Wolfeschlegelsteinhausen".repeat(5),
  full_name: "Wolfeschlegelsteinhausen".repeat(5),
  avatar_url: `https://pictures.example/${"p".repeat(487)}`,
  picture: `https://pictures.example/${"p".repeat(487)}`,
};

/** As long as a provider makes them that puts claims into its tokens. */
const longProviderTokens = {
  provider_token: randomBytes(1_875).toString("base64url"),
  provider_refresh_token: randomBytes(1_125).toString("base64url"),
};

testInProof(
  "the fullest profile from several providers fits in cookies of 4 KiB, and 8 KiB in all",
  async () => {
    await using site = await startSiteWithFaults();
    site.supabaseProxy.behave(async ({ path }, forward) => {
      const answer = await forward();
      if (!path.startsWith("/auth/v1/token") || answer.status !== 200) return answer;
      const session = JSON.parse(Buffer.from(answer.body).toString());
      const claims = {
        ...claimsIn(session.access_token),
        email: fullestProfile.email,
        app_metadata: { provider: "google", providers: ["google", "github", "azure", "email"] },
        user_metadata: fullestProfile,
        amr: [
          { method: "totp", timestamp: 1_800_000_000 },
          { method: "oauth", timestamp: 1_800_000_000 },
        ],
      };
      const { user } = session;
      const identity = { id: "1".repeat(36), provider: "google", identity_data: fullestProfile };
      return {
        ...answer,
        body: JSON.stringify({
          ...session,
          access_token: signToken(claims, localJwtSecret),
          ...(path.includes("grant_type=pkce") && longProviderTokens),
          user: { ...user, user_metadata: fullestProfile, identities: Array(4).fill(identity) },
        }),
      };
    });
    const visitor = new Observer(site.url);
    await visitor.signInWithGoogle("customer.one@example.com");
    expect((await visitor.request("/dashboard")).status).toBe(200);
    const held = new Map(visitor.cookies);
    expect(visitor.sessionSecrets().map(({ name }) => name)).toEqual([
      "access_token",
      "refresh_token",
    ]);
    visitor.expireSession();
    expect((await visitor.request("/dashboard")).status).toBe(200);

    for (const cookies of [held, visitor.cookies]) {
      const sizes = [...cookies].map(([name, value]) => `${name}=${value}`.length);
      const total = sizes.reduce((sum, size) => sum + size);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4_096);
      expect(total).toBeLessThanOrEqual(8_192);
      // The profile did arrive.
      expect(total).toBeGreaterThan(4_096);
    }
  },
);

testInProof(
  "a finished sign-in leaves no verifier of begun ones, and begun ones end in ten minutes",
  async () => {
    const visitor = new Observer();
    await visitor.post("/signin", { provider: "google", next: "/dashboard" });
    const begun = visitor.set.filter(({ name }) => name.endsWith("-code-verifier"));
    expect(begun.length).toBeGreaterThan(0);
    for (const { name, attributes } of begun) expect(attributes, name).toMatch(/; max-age=600;/i);
    await visitor.signInWithGoogle("customer.one@example.com");
    expect([...visitor.cookies.keys()].filter((name) => name.includes("verifier"))).toEqual([]);
  },
);
