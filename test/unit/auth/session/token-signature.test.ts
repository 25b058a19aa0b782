import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AskingFor } from "~/platform/auth-server/auth-server-fetch.server";

const issuer = "https://project.supabase.co/auth/v1";
const asking = {
  configuration: {
    SUPABASE_URL: "https://project.supabase.co",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
    SUPABASE_SECRET_KEY: "sb_secret_x",
  },
  caller: {},
} as AskingFor;

const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const older = generateKeyPairSync("rsa", { modulusLength: 2048 });
const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });
const published = [
  { ...ours.publicKey.export({ format: "jwk" }), kid: "ours", alg: "ES256", use: "sig" },
  { ...older.publicKey.export({ format: "jwk" }), kid: "older", alg: "RS256", use: "sig" },
];

const now = () => Math.floor(Date.now() / 1_000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An access token that ended an hour ago. */
function ended(key: KeyObject, header: object, claims: object = {}): string {
  const body = { iss: issuer, sub: crypto.randomUUID(), exp: now() - 3_600, ...claims };
  const text = `${part({ alg: "ES256", typ: "JWT", ...header })}.${part(body)}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** The auth server: what it publishes, and what it was asked. */
let server: {
  keys: object[];
  issuer: string;
  failure?: (() => Response) | undefined;
  requests: string[];
};
let mayBeGenuine: (token: string) => Promise<boolean>;

async function ask(path: string): Promise<Response> {
  server.requests.push(path);
  return path.endsWith("jwks.json")
    ? Response.json({ keys: server.keys })
    : (server.failure?.() ?? Response.json({ issuer: server.issuer }));
}

beforeEach(async () => {
  server = { keys: published, issuer, requests: [] };
  vi.useFakeTimers({ toFake: ["Date"] });
  // What an isolate keeps is kept by the module.
  vi.resetModules();
  const module = await import("~/features/auth/session/token-signature.server");
  mayBeGenuine = (token) => module.mayBeGenuine(token, asking, ask);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const signed = () => ended(ours.privateKey, { kid: "ours" });

test.each<[string, () => string, boolean]>([
  ["signed with the present key", signed, true],
  ["signed with an older key", () => ended(older.privateKey, { kid: "older", alg: "RS256" }), true],
  ["signed with somebody's own key", () => ended(theirs.privateKey, { kid: "ours" }), false],
  ["that names no key", () => ended(theirs.privateKey, {}), false],
  ["that names an unknown key", () => ended(theirs.privateKey, { kid: "theirs" }), false],
  ["without an algorithm", () => ended(theirs.privateKey, { kid: "ours", alg: "none" }), false],
  ["of an empty algorithm", () => ended(ours.privateKey, { kid: "ours", alg: "" }), false],
  ["of null as algorithm", () => ended(ours.privateKey, { kid: "ours", alg: null }), false],
  ["of a list as algorithm", () => ended(ours.privateKey, { kid: "ours", alg: ["HS256"] }), false],
  ["that names an empty key", () => ended(ours.privateKey, { kid: "" }), false],
  ["of another algorithm", () => ended(theirs.privateKey, { kid: "ours", alg: "RS256" }), false],
  ["of an unknown algorithm", () => ended(ours.privateKey, { kid: "ours", alg: "ES512" }), false],
  [
    "with a changed body",
    () => signed().replace(/\.[^.]+\./, `.${part({ sub: "other" })}.`),
    false,
  ],
  ["without a signature", () => signed().replace(/[^.]+$/, ""), false],
  ["that is no token", () => "nonsense", false],
  [
    "of another issuer",
    () => ended(ours.privateKey, { kid: "ours" }, { iss: "https://other.supabase.co/auth/v1" }),
    false,
  ],
  ["without an issuer", () => ended(ours.privateKey, { kid: "ours" }, { iss: undefined }), false],
  // Nobody but the auth server can verify it.
  ["of a shared secret", () => ended(theirs.privateKey, { alg: "HS256" }), true],
])("an ended token %s may be renewed: %#", async (_, token, renewed) => {
  const clientFetch = vi.fn(() => Promise.reject(new Error("The auth client asks nobody")));
  vi.stubGlobal("fetch", clientFetch);
  expect(await mayBeGenuine(token())).toBe(renewed);
  expect(clientFetch).not.toHaveBeenCalled();
});

test("behind a domain of its own the auth server says which name its tokens carry", async () => {
  server.issuer = "https://abcdefghijklmnopqrst.supabase.co/auth/v1";
  const token = () => ended(ours.privateKey, { kid: "ours" }, { iss: server.issuer });
  expect(await mayBeGenuine(token())).toBe(true);
  expect(await mayBeGenuine(token())).toBe(true);
  expect(server.requests).toEqual(["/.well-known/jwks.json", "/.well-known/openid-configuration"]);
});

test("an answer that names no issuer is no verdict and is not kept: the next token asks again", async () => {
  const otherIssuer = "https://abcdefghijklmnopqrst.supabase.co/auth/v1";
  const token = () => ended(ours.privateKey, { kid: "ours" }, { iss: otherIssuer });
  for (const failure of [
    () => new Response("Not found", { status: 404 }),
    () => Response.json({ issuer: otherIssuer }, { status: 403 }),
    () => new Response("<!doctype html>"),
    () => new Response(""),
    () => Response.json({}),
  ]) {
    server.failure = failure;
    await expect(mayBeGenuine(token())).rejects.toThrow("named no issuer");
  }
  server.failure = undefined;
  server.issuer = otherIssuer;
  expect(await mayBeGenuine(token())).toBe(true);
});

test.each<[string, () => string, boolean]>([
  ["signed with a published key", signed, false],
  [
    "that names a published key and has a wrong signature",
    () => ended(theirs.privateKey, { kid: "ours" }),
    false,
  ],
  ["of a shared secret", () => ended(theirs.privateKey, { alg: "HS256" }), true],
  [
    "of a shared secret, in the name of a published key",
    () => ended(theirs.privateKey, { alg: "HS256", kid: "ours" }),
    true,
  ],
  ["that names no key", () => ended(theirs.privateKey, {}), true],
  ["that names an empty key", () => ended(theirs.privateKey, { kid: "" }), true],
  ["that names an unknown key", () => ended(theirs.privateKey, { kid: "theirs" }), true],
  ["that names a number as key", () => ended(theirs.privateKey, { kid: 1 }), true],
  // The auth client would ask the auth server about these, whatever key they name.
  ["of an empty algorithm", () => ended(theirs.privateKey, { kid: "ours", alg: "" }), true],
  ["of null as algorithm", () => ended(theirs.privateKey, { kid: "ours", alg: null }), true],
  [
    "without a word on its algorithm",
    () => ended(theirs.privateKey, { kid: "ours", alg: undefined }),
    true,
  ],
  ["that is no token", () => "nonsense", true],
])("whether only the auth server can verify a token %s: %#", async (_, token, beyond) => {
  const { isBeyondPublishedKeys } = await import("~/features/auth/session/token-signature.server");
  expect(await isBeyondPublishedKeys(token(), ask)).toBe(beyond);
  server.keys = [];
  vi.resetModules();
  const another = await import("~/features/auth/session/token-signature.server");
  expect(await another.isBeyondPublishedKeys(token(), ask)).toBe(false);
});

test("where no keys are published nothing can be verified, so everything may be renewed", async () => {
  server.keys = [];
  expect(await mayBeGenuine(ended(theirs.privateKey, { kid: "theirs" }))).toBe(true);
});

test("500 invented tokens cost one question, and an unknown key one more a minute", async () => {
  const invented = () => ended(theirs.privateKey, { kid: crypto.randomUUID() });
  for (let count = 0; count < 500; count++) expect(await mayBeGenuine(invented())).toBe(false);
  expect(server.requests.length).toBe(1);
  vi.setSystemTime(Date.now() + 61_000);
  for (let count = 0; count < 10; count++) expect(await mayBeGenuine(invented())).toBe(false);
  expect(server.requests.length).toBe(2);
});

test("a new key is known a minute after it is published, an old one is forgotten after ten", async () => {
  server.keys = published.slice(1);
  expect(await mayBeGenuine(signed())).toBe(false);
  server.keys = published.slice(0, 1);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await mayBeGenuine(signed())).toBe(true);
  server.keys = published.slice(1);
  vi.setSystemTime(Date.now() + 9 * 60_000);
  expect(await mayBeGenuine(signed())).toBe(true);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await mayBeGenuine(signed())).toBe(false);
});

test("an auth server that is down is no verdict", async () => {
  const module = await import("~/features/auth/session/token-signature.server");
  const down = () => Promise.reject(new Error("down"));
  await expect(module.mayBeGenuine(signed(), asking, down)).rejects.toThrow("down");
});
