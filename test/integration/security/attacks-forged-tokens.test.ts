import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { localJwtSecret } from "../../../fakes/supabase/fake.ts";
import { claimsIn, signToken } from "../../support/auth/access-token.ts";
import { cookieValue, sessionCookieName } from "../../support/auth/session-cookie.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes, signWithKeyPair } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

/** The session of somebody who is really in, signed with a published key as at a hosted project. */
let good: Record<string, unknown>;
let published: { kid: string; x: string };

beforeAll(async () => {
  await resetFakes();
  await signWithKeyPair();
  const visitor = new Visitor();
  await visitor.signInWithGoogle("customer.one@example.com");
  visitor.changeSession((session) => {
    good = session;
    return session;
  });
  const keys = `${variable("SUPABASE_URL")}/auth/v1/.well-known/jwks.json`;
  published = ((await (await fetch(keys)).json()) as { keys: [typeof published] }).keys[0];
});

const mine = generateKeyPairSync("ec", { namedCurve: "P-256" });
const mineJwk = () => mine.publicKey.export({ format: "jwk" });
const claims = (changed: object = {}) => ({ ...claimsIn(String(good.access_token)), ...changed });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);

function withEllipticKey(key: KeyObject, header: object, changed: object = {}): string {
  const text = `${part({ alg: "ES256", typ: "JWT", ...header })}.${part(claims(changed))}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

function withSecret(secret: string | Buffer, header: object, changed: object = {}): string {
  const text = `${part({ typ: "JWT", ...header })}.${part(claims(changed))}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const publishedKey = () => createPublicKey({ key: { ...published }, format: "jwk" });
const known = () => ({ kid: published.kid });
const stranger = { sub: crypto.randomUUID(), session_id: crypto.randomUUID() };
const otherProject = { iss: "https://otherproject.supabase.co/auth/v1" };

const forgeries: [what: string, token: () => string][] = [
  [
    "no algorithm and no signature",
    () => `${part({ alg: "none", ...known() })}.${part(claims())}.`,
  ],
  ["no algorithm, with a signature", () => withSecret("", { alg: "none", ...known() })],
  [
    "the published key as a shared secret, as PEM",
    () =>
      withSecret(publishedKey().export({ type: "spki", format: "pem" }), {
        alg: "HS256",
        ...known(),
      }),
  ],
  [
    "the published key as a shared secret, as DER",
    () =>
      withSecret(publishedKey().export({ type: "spki", format: "der" }), {
        alg: "HS256",
        ...known(),
      }),
  ],
  [
    "the published key as a shared secret, as JSON",
    () => withSecret(JSON.stringify(published), { alg: "HS256", ...known() }),
  ],
  [
    "the published key's coordinate as a shared secret",
    () => withSecret(Buffer.from(published.x, "base64url"), { alg: "HS256", ...known() }),
  ],
  [
    "the publishable key as a shared secret",
    () => withSecret(variable("SUPABASE_PUBLISHABLE_KEY"), { alg: "HS256" }),
  ],
  ["a key of one's own under the published name", () => withEllipticKey(mine.privateKey, known())],
  ["a key of one's own, brought along", () => withEllipticKey(mine.privateKey, { jwk: mineJwk() })],
  [
    "a key of one's own at an address of one's own",
    () =>
      withEllipticKey(mine.privateKey, {
        kid: "mine",
        jku: "https://evil.example/jwks.json",
        x5u: "https://evil.example/x.pem",
      }),
  ],
  [
    "a key named by a path",
    () => withEllipticKey(mine.privateKey, { kid: "../../../../dev/null" }),
  ],
  ["an empty signature", () => `${part({ alg: "ES256", ...known() })}.${part(claims())}.`],
  [
    "a signature of nothing but zeros",
    () =>
      `${part({ alg: "ES256", ...known() })}.${part(claims())}.${Buffer.alloc(64).toString("base64url")}`,
  ],
  [
    "another user under the old signature",
    () => {
      const [header = "", , signature = ""] = String(good.access_token).split(".");
      return `${header}.${part(claims(stranger))}.${signature}`;
    },
  ],
  [
    "another algorithm's name over the old signature",
    () => {
      const [, body = "", signature = ""] = String(good.access_token).split(".");
      return `${part({ alg: "RS256", ...known() })}.${body}.${signature}`;
    },
  ],
  [
    "another project's key and issuer",
    () => withEllipticKey(mine.privateKey, { kid: "theirs" }, otherProject),
  ],
  [
    "another project's secret and issuer",
    () =>
      withSecret(
        "the secret of another project, which is long enough",
        { alg: "HS256" },
        otherProject,
      ),
  ],
];

/** Signed as the server signs, but with claims that give no session. */
const worthless: [what: string, changed: object][] = [
  ["that has ended", { exp: now() - 60 }],
  ["without a subject", { sub: undefined }],
  ["of a session that nobody opened", stranger],
  ["for another audience", { aud: "somebody-else" }],
  ["of the role that has no name", { role: "anon", aud: "anon" }],
  ["that says it is the operator", { role: "service_role", aud: "authenticated" }],
];

function ask(path: string, token: string, init: RequestInit = {}): Promise<Response> {
  const cookie = `${sessionCookieName}=${cookieValue({ ...good, access_token: token, refresh_token: "no-such-token" })}`;
  return fetch(siteUrl + path, {
    redirect: "manual",
    ...init,
    headers: { cookie, origin: siteUrl, "cf-connecting-ip": randomAddress() },
  });
}

/** Nothing that needs a session is given, and nothing is done. */
async function expectSignedOut(token: string) {
  const [page, api, change] = await Promise.all([
    ask("/dashboard", token),
    ask("/openai-config/own", token),
    ask("/dashboard/account", token, {
      method: "POST",
      body: new URLSearchParams({ intent: "enrol", name: "x" }),
    }),
  ]);
  expect([page.status, page.headers.get("location")]).toEqual([302, "/signin?next=%2Fdashboard"]);
  expect(api.status).toBe(401);
  expect(change.status).toBe(303);
  expect(change.headers.get("location")).toMatch(
    /^\/signin\?next=%2Fdashboard(%2Faccount(%23second-factor)?)?$/,
  );
}

test("the session that is forged below is a good one", async () => {
  expect((await ask("/dashboard", String(good.access_token))).status).toBe(200);
  expect(
    JSON.parse(Buffer.from(String(good.access_token).split(".")[0] ?? "", "base64url").toString()),
  ).toMatchObject({ alg: "ES256", ...known() });
});

test.each(sample(forgeries, 5))(
  "a token with %s opens nothing, where keys are published",
  async (_, token) => {
    await expectSignedOut(token());
  },
);

test.each(sample(worthless, 2))("a well-signed token %s opens nothing", async (_, changed) => {
  await expectSignedOut(signToken(claims(changed), localJwtSecret));
});

testInProof.each([...forgeries])("the database takes no token with %s either", async (_, token) => {
  for (const table of ["deployments", "subscriptions", "api_tokens"]) {
    const response = await fetch(`${variable("SUPABASE_URL")}/rest/v1/${table}?select=id`, {
      headers: { apikey: variable("SUPABASE_PUBLISHABLE_KEY"), authorization: `Bearer ${token()}` },
    });
    expect([400, 401, 403], `${table}: ${response.status}`).toContain(response.status);
  }
});
