import { generateKeyPairSync, sign } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { localJwtSecret } from "../../../../fakes/supabase/fake.ts";
import { claimsIn, signToken } from "../../../support/auth/access-token.ts";
import {
  cookieValue,
  sessionCookieName,
  sessionWith,
} from "../../../support/auth/session-cookie.ts";
import { sample } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { randomAddress } from "../../../support/site/network-address.ts";
import { siteUrl } from "../../../support/site/own-site.ts";
import { Visitor } from "../../../support/site/visitor.ts";

/** The session of somebody who is really in: what is bent below is this. */
let good: Record<string, unknown>;

beforeAll(async () => {
  await resetFakes();
  const visitor = new Visitor();
  await visitor.signInWithGoogle("customer.one@example.com");
  visitor.changeSession((session) => {
    good = session;
    return session;
  });
});

const name = sessionCookieName;
const one = (value: string) => `${name}=${value}`;
const holding = (fields: Record<string, unknown>) => one(cookieValue({ ...good, ...fields }));
const token = () => String(good.access_token);
const parts = () => token().split(".") as [string, string, string];
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = (changed: object = {}) => ({ ...claimsIn(token()), ...changed });
const now = () => Math.floor(Date.now() / 1000);

function withEllipticKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const text = `${encoded({ alg: "ES256", typ: "JWT", kid: "mine" })}.${encoded(claims())}`;
  const signature = sign("sha256", Buffer.from(text), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${text}.${signature.toString("base64url")}`;
}

const halves = (): [string, string] => {
  const value = cookieValue(good);
  return [value.slice(0, value.length / 2), value.slice(value.length / 2)];
};

const rows: [string, () => string][] = [
  // No session in it at all.
  ["an empty value", () => one("")],
  ["a word", () => one("garbage")],
  ["only the prefix", () => one("base64-")],
  ["what is not base64", () => one("base64-%%%")],
  ["what is not base64url", () => one("base64-++//==")],
  ["broken percent signs", () => one("%E0%A4%A")],
  [
    "bytes that are no UTF-8",
    () => one(`base64-${Buffer.from([0xff, 0xfe, 0x80]).toString("base64url")}`),
  ],
  ["cut JSON", () => one(`base64-${Buffer.from('{"access_token":"').toString("base64url")}`)],
  ["a number", () => one(cookieValue(7))],
  ["null", () => one(cookieValue(null))],
  ["a string", () => one(cookieValue("session"))],
  ["an empty object", () => one(cookieValue({}))],
  ["an empty list", () => one(cookieValue([]))],
  ["a list of tokens", () => one(cookieValue([token(), good.refresh_token]))],
  ["plain JSON of nothing", () => one("{}")],
  ["deep nesting", () => one(`base64-${Buffer.from("[".repeat(2_000)).toString("base64url")}`)],
  [
    "a polluted prototype",
    () => one(cookieValue(JSON.parse('{"__proto__":{"access_token":"x"}}'))),
  ],
  // Truncated, oversized, in wrong pieces.
  ["the first half", () => one(halves()[0])],
  ["the second half", () => one(halves()[1])],
  ["the last letters missing", () => one(cookieValue(good).slice(0, -9))],
  ["only the first piece", () => `${name}.0=${halves()[0]}`],
  ["only the second piece", () => `${name}.1=${halves()[1]}`],
  ["pieces the wrong way round", () => `${name}.0=${halves()[1]}; ${name}.1=${halves()[0]}`],
  ["a gap between pieces", () => `${name}.0=${halves()[0]}; ${name}.2=${halves()[1]}`],
  [
    "pieces of two writings",
    () => `${name}.0=${halves()[0]}; ${name}.1=${cookieValue({}).slice(9)}`,
  ],
  ["pieces that count from one", () => `${name}.1=${halves()[0]}; ${name}.2=${halves()[1]}`],
  ["eight kilobytes", () => one(`base64-${"A".repeat(8_000)}`)],
  [
    "ten pieces",
    () => Array.from({ length: 10 }, (_, index) => `${name}.${index}=base64-AAAA`).join("; "),
  ],
  ["another project's name", () => `sb-other-auth-token=${cookieValue(good)}`],
  ["the hint alone", () => "signed-in=1"],
  [
    "a thousand pieces",
    () => Array.from({ length: 1_000 }, (_, index) => `sb-a-auth-token.${index}=`).join("; "),
  ],
  // Tokens of the wrong kind.
  ["no access token", () => holding({ access_token: undefined })],
  ["an empty access token", () => holding({ access_token: "" })],
  ["a number as access token", () => holding({ access_token: 7 })],
  ["an object as access token", () => holding({ access_token: { a: 1 } })],
  ["a line break in the access token", () => holding({ access_token: "a\r\nb" })],
  ["letters beyond Latin in the access token", () => holding({ access_token: "ключ.ключ.ключ" })],
  ["a token of two parts", () => holding({ access_token: parts().slice(0, 2).join(".") })],
  ["a token of four parts", () => holding({ access_token: `${token()}.x` })],
  ["parts that are no JSON", () => holding({ access_token: "YWJj.YWJj.YWJj" })],
  [
    "a header that is null",
    () => holding({ access_token: `${encoded(null)}.${parts()[1]}.${parts()[2]}` }),
  ],
  [
    "claims that are null",
    () => holding({ access_token: `${parts()[0]}.${encoded(null)}.${parts()[2]}` }),
  ],
  // Tokens that somebody else made.
  ["no signature", () => holding({ access_token: `${parts()[0]}.${parts()[1]}.` })],
  [
    "a changed signature",
    () => holding({ access_token: `${parts()[0]}.${parts()[1]}.${"A".repeat(43)}` }),
  ],
  [
    "claims changed after signing",
    () =>
      holding({
        access_token: `${parts()[0]}.${encoded(claims({ sub: crypto.randomUUID() }))}.${parts()[2]}`,
      }),
  ],
  [
    "alg none",
    () => holding({ access_token: `${encoded({ alg: "none", typ: "JWT" })}.${parts()[1]}.` }),
  ],
  [
    "alg NONE with the old signature",
    () => holding({ access_token: `${encoded({ alg: "NONE" })}.${parts()[1]}.${parts()[2]}` }),
  ],
  [
    "no alg",
    () => holding({ access_token: `${encoded({ typ: "JWT" })}.${parts()[1]}.${parts()[2]}` }),
  ],
  [
    "an alg that nobody knows",
    () => holding({ access_token: signToken(claims(), localJwtSecret, { alg: "XX1", kid: "a" }) }),
  ],
  [
    "another secret",
    () => holding({ access_token: signToken(claims(), "another secret, of another server") }),
  ],
  ["an elliptic key of one's own", () => holding({ access_token: withEllipticKey() })],
  [
    "the publishable key as secret",
    () => holding({ access_token: signToken(claims(), "sb_publishable_local") }),
  ],
  // Tokens that the server made, or might have.
  [
    "a token that has ended",
    () => holding({ access_token: signToken(claims({ exp: now() - 60 }), localJwtSecret) }),
  ],
  [
    "a token without an end",
    () => holding({ access_token: signToken(claims({ exp: undefined }), localJwtSecret) }),
  ],
  [
    "an end that is a word",
    () => holding({ access_token: signToken(claims({ exp: "never" }), localJwtSecret) }),
  ],
  [
    "a session that nobody opened",
    () =>
      holding({
        access_token: signToken(claims({ session_id: crypto.randomUUID() }), localJwtSecret),
      }),
  ],
  [
    "an account that nobody has",
    () =>
      holding({ access_token: signToken(claims({ sub: crypto.randomUUID() }), localJwtSecret) }),
  ],
  [
    "a subject that is no id",
    () => holding({ access_token: signToken(claims({ sub: "' or 1=1" }), localJwtSecret) }),
  ],
  [
    "no subject",
    () => holding({ access_token: signToken(claims({ sub: undefined }), localJwtSecret) }),
  ],
  // Refresh tokens, once the access token has ended.
  ["an unknown refresh token", () => holding({ expires_at: 1, refresh_token: "unknownunkno" })],
  ["an empty refresh token", () => holding({ expires_at: 1, refresh_token: "" })],
  ["a number as refresh token", () => holding({ expires_at: 1, refresh_token: 7 })],
  ["an object as refresh token", () => holding({ expires_at: 1, refresh_token: {} })],
  ["a long refresh token", () => holding({ expires_at: 1, refresh_token: "a".repeat(3_000) })],
  ["an end before time began", () => holding({ expires_at: -1e300, refresh_token: "x" })],
  ["another server's session", () => one(cookieValue(sessionWith()))],
];

async function ask(path: string, cookie: string, method = "GET"): Promise<Response> {
  return fetch(`${siteUrl}${path}`, {
    method,
    redirect: "manual",
    headers: { cookie, origin: siteUrl, "cf-connecting-ip": randomAddress() },
    ...(method === "POST" ? { body: new URLSearchParams({ customer: "cus_1" }) } : {}),
  });
}

test.each(sample(rows, 4))("%s means signed out, on every kind of page", async (_, cookie) => {
  const sent = cookie();
  const [dashboard, signIn, action, resource] = await Promise.all([
    ask("/dashboard", sent),
    ask("/signin", sent),
    ask("/dashboard/billing", sent, "POST"),
    ask("/auth/refresh", sent, "POST"),
  ]);
  expect([dashboard.status, dashboard.headers.get("location")]).toEqual([
    302,
    "/signin?next=%2Fdashboard",
  ]);
  expect(signIn.status).toBe(200);
  expect(await signIn.text()).toContain('name="password"');
  expect([action.status, action.headers.get("location")]).toEqual([
    303,
    "/signin?next=%2Fdashboard",
  ]);
  expect([resource.status, await resource.json()]).toEqual([
    401,
    { error: "Sign in to continue." },
  ]);
});

test("the session that the rows bend is a good one", async () => {
  expect((await ask("/dashboard", holding({}))).status).toBe(200);
  const again = signToken(claims({}), localJwtSecret);
  expect((await ask("/dashboard", holding({ access_token: again }))).status).toBe(200);
});
