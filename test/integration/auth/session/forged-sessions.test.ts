import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { localJwtSecret } from "../../../../fakes/supabase/fake.ts";
import { claimsIn, signToken } from "../../../support/auth/access-token.ts";
import {
  cookieValue,
  sessionCookieName,
  sessionWith,
} from "../../../support/auth/session-cookie.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { amount, testInProof } from "../../../support/run/variants.ts";
import { countAtAuthServer, signWithKeyPair } from "../../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";

// Its own: these tests count what one Worker asks the auth server in a minute.
const site = siteWithFaults({});
const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });

const claims = () => ({
  sub: crypto.randomUUID(),
  role: "authenticated",
  aud: "authenticated",
  // One that ended a week ago is over without any question.
  exp: Math.floor(Date.now() / 1_000) - 60,
});
/** Of a session that nobody need renew yet. */
const unexpired = () => ({ ...claims(), exp: Math.floor(Date.now() / 1_000) + 3_600 });

function withOwnKey(kid: string, payload: object = claims(), alg = "ES256"): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg, typ: "JWT", kid })}.${part(payload)}`;
  const signature = sign("sha256", Buffer.from(text), {
    key: keyPair.privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${text}.${signature.toString("base64url")}`;
}

type Ask = (visitor: Visitor) => Promise<Response>;

/** A visitor with a session that nobody gave them, once more invented for each request. */
async function askAs(
  visitor: Visitor,
  access_token: string,
  ask: Ask = () => visitor.request("/dashboard"),
): Promise<Response> {
  const refresh_token = crypto.randomUUID();
  const { exp: expires_at } = claimsIn(access_token);
  const session = sessionWith({ access_token, refresh_token, expires_at, expires_in: 1 });
  visitor.setCookie(sessionCookieName, cookieValue(session));
  return ask(visitor);
}

/** The ways to sign out that ask nobody who they are. */
const waysOut: [string, Ask][] = [
  ["/signout", (visitor) => visitor.post("/signout", { scope: "local" })],
  [
    "signing in again",
    (visitor) => visitor.post("/dashboard/account", { intent: "sign_in_again" }),
  ],
];

/** How often the auth server was asked whose token somebody has. */
const questions = () =>
  site().supabaseProxy.requests.filter(({ path }) => path.startsWith("/auth/v1/user")).length;
/** One request may ask twice, and is counted once. Each has a token of its own. */
const tokenQuestions = () =>
  new Set(
    site()
      .supabaseProxy.requests.filter(({ path }) => path.startsWith("/auth/v1/user"))
      .map(({ headers }) => headers.authorization),
  ).size;
const signOuts = () =>
  site().supabaseProxy.requests.filter(({ path }) => path.startsWith("/auth/v1/logout")).length;
const refreshes = () =>
  site().supabaseProxy.requests.filter(({ path }) => path.includes("grant_type=refresh_token"))
    .length;

// wrangler.toml: REFRESH_LIMIT.
const limit = 60;
/** Also where the half of them is refused for another reason. */
const overTheLimit = 125;

/** The count begins anew with each minute: how often one address is let through in all minutes since a time. */
const allowedSince = (began: number) =>
  limit * (1 + Math.floor(Date.now() / 60_000) - Math.floor(began / 60_000));

/** Asks until one is refused, however many minutes begin in between. Answers all answers. */
async function untilRefused(ask: () => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  while (!answers.some(({ status }) => status === 503) && answers.length < 1_000) {
    answers.push(...(await times(25, ask)));
  }
  return answers;
}

/** All of them, 25 at a time. */
async function times<Result>(count: number, ask: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    results.push(...(await Promise.all(Array.from({ length: 25 }, ask))));
  }
  return results;
}

test("hundreds of invented sessions from one address cost no refresh, and a customer elsewhere signs in", async () => {
  await signWithKeyPair();
  const customer = await signedIn("customer.one@example.com", site().url);
  customer.expireSession();
  const keys = await fetch(`${site().supabaseProxy.url}/auth/v1/.well-known/jwks.json`);
  const { keys: published } = (await keys.json()) as { keys: [{ kid: string }] };
  site().supabaseProxy.behave();

  const forger = new Visitor(site().url);
  const kids = [published[0].kid, "unknown"];
  const count = amount({ inTest: 100, inProof: 500 });
  const answers = await times(count, () => askAs(forger, withOwnKey(kids.reverse()[0] ?? "")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
  expect(answers[0]?.headers.get("location")).toBe("/signin?next=%2Fdashboard");
  expect(refreshes()).toBe(0);

  expect((await customer.request("/dashboard")).status).toBe(200);
  expect(refreshes()).toBe(1);
  await signedIn("customer.two@example.com", site().url);
});

const notOurs = JSON.stringify({ error_code: "bad_jwt", msg: "invalid JWT" });

testInProof(
  "beside published keys, the auth server checks 60 tokens a minute from one address, and others go on",
  async () => {
    await signWithKeyPair();
    const customer = await signedIn("customer.one@example.com", site().url);
    site().supabaseProxy.behave(async ({ path }, forward) =>
      // The auth server counts by itself, and narrower.
      path.startsWith("/auth/v1/user")
        ? { status: 403, headers: { "content-type": "application/json" }, body: notOurs }
        : forward(),
    );
    const forger = new Visitor(site().url);
    const kinds = [
      () => signToken(unexpired(), "a secret of somebody else"),
      () => withOwnKey("unknown", unexpired()),
    ];
    let turn = 0;
    const invented = () => askAs(forger, kinds[turn++ % kinds.length]?.() ?? "");
    const answers = await untilRefused(invented);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
    expect(refused.length).toBeGreaterThan(0);
    expect(questions()).toBe(answers.length - refused.length);
    expect(await refused[0]?.text()).toContain("Sign-in is not available right now");
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);

    site().supabaseProxy.behave();
    // A token that the published keys verify costs no question, wherever it comes from.
    const neighbour = new Visitor(site().url, forger.address);
    for (const [name, value] of customer.cookies) neighbour.setCookie(name, value);
    expect((await neighbour.request("/dashboard")).status).toBe(200);
  },
);

testInProof(
  "after a change from the shared secret to published keys a customer opens any number of pages with the former token",
  async () => {
    await signWithKeyPair();
    const customer = await signedIn("customer.one@example.com", site().url);
    customer.changeSession(({ access_token, ...session }) => ({
      ...session,
      access_token: signToken(claimsIn(String(access_token)), localJwtSecret),
    }));
    site().supabaseProxy.behave();
    const answers = await times(overTheLimit, () => customer.request("/dashboard"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // The auth server still says for each page whose token it is.
    expect(questions()).toBeGreaterThanOrEqual(overTheLimit);
  },
);

testInProof.for(waysOut)(
  "a sign-out by %s with an invented session makes the auth server end none, and the cookies go",
  async ([, signOut]) => {
    await signWithKeyPair();
    const keys = await fetch(`${site().supabaseProxy.url}/auth/v1/.well-known/jwks.json`);
    const { keys: published } = (await keys.json()) as { keys: [{ kid: string }] };
    const forger = new Visitor(site().url);
    const kid = published[0].kid;
    const invented = () => askAs(forger, withOwnKey(kid, unexpired()), signOut);
    site().supabaseProxy.behave();
    const answers = await times(50, invented);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect([...forger.cookies.keys()]).toEqual([]);
    expect([signOuts(), questions(), refreshes()]).toEqual([0, 0, 0]);
  },
);

test("sign-outs with tokens that only the auth server can verify are counted with the pages", async () => {
  await signWithKeyPair();
  const keys = await fetch(`${site().supabaseProxy.url}/auth/v1/.well-known/jwks.json`);
  const { keys: published } = (await keys.json()) as { keys: [{ kid: string }] };
  site().supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/auth/v1/user")
      ? { status: 403, headers: { "content-type": "application/json" }, body: notOurs }
      : forward(),
  );
  const forger = new Visitor(site().url);
  const kinds = [
    () => signToken(unexpired(), "a secret of somebody else"),
    () => withOwnKey(published[0].kid, unexpired(), ""),
  ];
  let turn = 0;
  const invented = () =>
    askAs(forger, kinds[turn++ % kinds.length]?.() ?? "", waysOut[turn % waysOut.length]?.[1]);
  const began = Date.now();
  const answers = await times(overTheLimit, invented);
  // A visitor over the limit is signed out in this browser all the same.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(tokenQuestions()).toBeGreaterThanOrEqual(limit);
  expect(tokenQuestions()).toBeLessThanOrEqual(allowedSince(began));
  expect(questions()).toBeLessThanOrEqual(2 * tokenQuestions());
  expect(signOuts()).toBe(0);
});

testInProof(
  "where tokens have a shared secret one address is refused, keeps its cookies, and others go on",
  async ({ onTestFinished }) => {
    // The site's own limit is what is tried; the auth server's is narrower.
    await countAtAuthServer(false);
    onTestFinished(async () => {
      await countAtAuthServer(true);
    });
    const customer = await signedIn("customer.one@example.com", site().url);
    customer.expireSession();
    site().supabaseProxy.behave();

    const forger = new Visitor(site().url);
    const invented = () => askAs(forger, signToken(claims(), "a secret of somebody else"));
    const answers = await untilRefused(invented);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
    expect(refused.length).toBeGreaterThan(0);
    expect(refreshes()).toBe(answers.length - refused.length);
    expect(await refused[0]?.text()).toContain("Sign-in is not available right now");
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);

    expect((await customer.request("/dashboard")).status).toBe(200);
  },
);
