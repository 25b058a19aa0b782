import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { signToken } from "../fixtures/access-token.ts";
import { oneTroubledSite } from "../fixtures/one-troubled-site.ts";
import { cookieValue, sessionCookieName, sessionWith } from "../fixtures/session-cookie.ts";
import { countAtAuthServer, signWithKeyPair } from "../fixtures/stand-ins.ts";
import { signedIn, Visitor } from "../fixtures/visitor.ts";

const site = oneTroubledSite();
const own = generateKeyPairSync("ec", { namedCurve: "P-256" });

const claims = () => ({
  sub: crypto.randomUUID(),
  role: "authenticated",
  aud: "authenticated",
  // One that ended a week ago is over without any question.
  exp: Math.floor(Date.now() / 1_000) - 60,
});

function withOwnKey(kid: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "ES256", typ: "JWT", kid })}.${part(claims())}`;
  const signature = sign("sha256", Buffer.from(text), {
    key: own.privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${text}.${signature.toString("base64url")}`;
}

/** A visitor with an ended session that nobody gave them, once more invented for each request. */
async function askAs(visitor: Visitor, access_token: string): Promise<Response> {
  const refresh_token = crypto.randomUUID();
  const session = sessionWith({ access_token, refresh_token, expires_at: 1, expires_in: -1 });
  visitor.setCookie(sessionCookieName, cookieValue(session));
  return visitor.request("/dashboard");
}

const refreshes = () =>
  site().supabaseWay.asked.filter(({ path }) => path.includes("grant_type=refresh_token")).length;

/** All of them, 25 at a time. */
async function times<Result>(count: number, ask: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    results.push(...(await Promise.all(Array.from({ length: 25 }, ask))));
  }
  return results;
}

test("500 invented sessions from one address cost no refresh, and a customer elsewhere signs in", async () => {
  await signWithKeyPair();
  const customer = await signedIn("customer.one@example.com", site().url);
  customer.expireSession();
  const keys = await fetch(`${site().supabaseWay.url}/auth/v1/.well-known/jwks.json`);
  const { keys: published } = (await keys.json()) as { keys: [{ kid: string }] };
  site().supabaseWay.behave();

  const forger = new Visitor(site().url);
  const kids = [published[0].kid, "unknown"];
  const answers = await times(500, () => askAs(forger, withOwnKey(kids.reverse()[0] ?? "")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
  expect(answers[0]?.headers.get("location")).toBe("/signin?next=%2Fdashboard");
  expect(refreshes()).toBe(0);

  expect((await customer.request("/dashboard")).status).toBe(200);
  expect(refreshes()).toBe(1);
  await signedIn("customer.two@example.com", site().url);
});

test("where tokens have a shared secret one address is refused, keeps its cookies, and others go on", async ({
  onTestFinished,
}) => {
  // The site's own limit is what is tried; the auth server's is narrower.
  await countAtAuthServer(false);
  onTestFinished(async () => {
    await countAtAuthServer(true);
  });
  const customer = await signedIn("customer.one@example.com", site().url);
  customer.expireSession();
  site().supabaseWay.behave();

  // wrangler.toml: REFRESH_LIMIT. A new minute may begin in between, and with it a new count.
  const moreThanTwoMinutesAllow = 2 * 60 + 5;
  const forger = new Visitor(site().url);
  const invented = () => askAs(forger, signToken(claims(), "a secret of somebody else"));
  const answers = await times(moreThanTwoMinutesAllow, invented);
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(60);
  expect(refused.length).toBeGreaterThan(0);
  expect(refreshes()).toBe(answers.length - refused.length);
  expect(await refused[0]?.text()).toContain("Sign-in is not available right now.");
  expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);

  expect((await customer.request("/dashboard")).status).toBe(200);
});
