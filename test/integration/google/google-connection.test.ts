import { beforeEach, expect, test } from "vitest";
import { readConnection } from "../../../app/features/google/connection/google-connection.server.ts";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { pressLink } from "../../support/auth/account.ts";
import { userIdOf } from "../../support/database/database.ts";
import { callTool, connectGoogle } from "../../support/google/google-account.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import { steerGoogle } from "../../support/google/google-tools.ts";
import { testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, siteUrl } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const other = "customer.two@example.com";
const gmail = { tool: "gmail", tab: "send" };

beforeEach(resetFakes);

async function connected(tool = "gmail", tab = "send"): Promise<Visitor> {
  const visitor = await signedIn();
  const end = await connectGoogle(visitor, { tool, tab });
  expect(end.pathname + end.search).toBe(`/google-services?tool=${tool}&tab=${tab}`);
  return visitor;
}

async function connectionOf(visitor: Visitor) {
  const response = await visitor.request("/google-services/connection");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const answer = (await response.json()) as { connected?: unknown; error?: unknown };
  return { status: response.status, ...answer };
}

const sendMail = (visitor: Visitor) =>
  callTool(visitor, "gmail/send", { to: "jo@example.com", subject: "Hello", body: "Hello" });

test("connecting asks Google for exactly the scopes of the tool, and keeps those of the tools before", async () => {
  const visitor = await signedIn();
  const ask = async (tool: string, tab: string) => {
    const body = { intent: "connect", tool, tab };
    const answer = await visitor.post("/google-services/connection", body);
    const { url }: { url: string } = await answer.json();
    const consent = await visitor.arrive(await visitor.request(url), url);
    return consent.url.searchParams;
  };
  const authorization = await ask("tasks", "create");
  const scopes = authorization
    .get("scope")
    ?.split(" ")
    .filter((scope) => scope.startsWith("https://"));
  expect(scopes).toEqual(["https://www.googleapis.com/auth/tasks"]);
  expect(authorization.get("include_granted_scopes")).toBe("true");
  expect(authorization.get("login_hint")).toBe(googleEmail);

  await connectGoogle(visitor, { tool: "tasks", tab: "create" });
  expect(await connectionOf(visitor)).toMatchObject({
    connected: { email: googleEmail, scopes: ["tasks"] },
  });
  await connectGoogle(visitor, gmail);
  const { connected } = await connectionOf(visitor);
  const all = { scopes: expect.arrayContaining(["tasks", "gmail.send", "gmail.metadata"]) };
  expect(connected).toMatchObject(all);
});

test("Google's token is sealed in a cookie of the tools for at most an hour, and nowhere else", async () => {
  const visitor = await signedIn();
  expect(visitor.sessionSecrets().map(({ name }) => name)).toEqual([
    "access_token",
    "refresh_token",
  ]);
  const before = visitor.sessionSecrets();
  const start = await visitor.post("/google-services/connection", { intent: "connect", ...gmail });
  const { url }: { url: string } = await start.json();
  const consent = await visitor.arrive(await visitor.request(url), url);
  const page = await consent.response.text();
  const form = page.split("<form").find((each) => each.includes(googleEmail)) ?? "";
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
  );
  const chosen = await visitor.post(
    new URL("/o/oauth2/v2/auth/callback", consent.url).href,
    Object.fromEntries(fields),
  );
  const atAuthServer = await visitor.request(chosen.headers.get("location") ?? "");
  const back = await visitor.request(atAuthServer.headers.get("location") ?? "");
  const cookie = back.headers.getSetCookie().find((line) => line.startsWith("google-connection="));
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  const age = Number(/Max-Age=(\d+)/.exec(cookie ?? "")?.[1]);
  expect(age).toBeGreaterThan(3_500);
  expect(age).toBeLessThanOrEqual(3_600);
  const value = visitor.cookies.get("google-connection") ?? "";
  for (const text of [value, Buffer.from(value, "base64url").toString("latin1")]) {
    expect(text).not.toMatch(/google_|gmail|customer/);
  }
  expect(visitor.sessionSecrets()).toEqual(before);
  expect(JSON.stringify(await connectionOf(visitor))).not.toContain("google_");
});

test("another customer's connection and a bent one are none", async () => {
  const owner = await connected();
  expect((await sendMail(owner)).status).toBe(200);
  const value = owner.cookies.get("google-connection") ?? "";
  const bent = `${value.slice(0, 30)}${value[30] === "A" ? "B" : "A"}${value.slice(31)}`;

  const stranger = await signedIn(other);
  stranger.setCookie("google-connection", value);
  expect((await connectionOf(stranger)).connected).toBeUndefined();
  expect((await sendMail(stranger)).outcome).toMatchObject({ ok: false, consent: true });
  for (const wrong of [bent, value.slice(0, -3), "", "x", "%00"]) {
    owner.setCookie("google-connection", wrong);
    const { status, outcome } = await sendMail(owner);
    expect([wrong, status, outcome]).toMatchObject([wrong, 403, { consent: true }]);
  }
});

testInProof(
  "a consent that ends as somebody else connects nothing, and leaves the session as it is",
  async () => {
    const visitor = await signedIn();
    const end = await connectGoogle(visitor, { ...gmail, email: other });
    expect(end.search).toBe("?tool=gmail&tab=send&problem=other-account");
    expect((await connectionOf(visitor)).connected).toBeUndefined();
    const account = await (await visitor.request("/dashboard/account")).text();
    expect(account).toContain(googleEmail);
    expect(account).not.toContain(other);
  },
);

testInProof(
  "a user who does not sign in with Google is led to the account page, and gets no new sign-in here",
  async () => {
    await new Visitor().post("/signin", { intent: "magic_link", email: other });
    const visitor = new Visitor();
    await pressLink(other, "Your sign-in link", visitor);
    const answer = await visitor.post("/google-services/connection", {
      intent: "connect",
      ...gmail,
    });
    expect(answer.status).toBe(409);
    expect(answer.headers.getSetCookie().join()).not.toContain("google-consent");
    expect(await answer.json()).toEqual({
      error: "Google is not among your ways to sign in yet.",
      link: { href: "/dashboard/account#identities", words: "Connect it under Account" },
    });
  },
);

testInProof("a way back that nobody began, or that ended at Google, says so", async () => {
  const visitor = await signedIn();
  const ending = async (query: string) => {
    const response = await visitor.request(`/google-services/connected?${query}`);
    return response.headers.get("location");
  };
  expect(await ending("code=made-up")).toBe("/google-services?problem=expired");
  await visitor.post("/google-services/connection", { intent: "connect", ...gmail });
  expect(await ending("error=access_denied")).toBe(
    "/google-services?tool=gmail&tab=send&problem=cancelled",
  );
  await visitor.post("/google-services/connection", { intent: "connect", ...gmail });
  expect(await ending("code=made-up")).toBe("/google-services?tool=gmail&tab=send&problem=expired");
  expect((await connectionOf(visitor)).connected).toBeUndefined();
});

testInProof("a permission that was unticked is asked for again", async () => {
  await steerGoogle("consent", {
    withhold: ["https://www.googleapis.com/auth/gmail.send"],
  });
  const visitor = await connected();
  expect(await connectionOf(visitor)).toMatchObject({ connected: { scopes: ["gmail.metadata"] } });
  const refusal = await sendMail(visitor);
  expect([refusal.status, refusal.outcome]).toMatchObject([403, { ok: false, consent: true }]);
  await steerGoogle("consent", { withhold: [] });
  await connectGoogle(visitor, gmail);
  expect((await sendMail(visitor)).status).toBe(200);
});

test("disconnecting revokes the token at Google", async () => {
  const visitor = await connected();
  const cookie = visitor.cookies.get("google-connection") ?? "";
  const response = await visitor.post("/google-services/connection", { intent: "disconnect" });
  expect(response.status).toBe(200);
  expect(visitor.cookies.has("google-connection")).toBe(false);
  visitor.setCookie("google-connection", cookie);
  const { status, outcome, headers } = await sendMail(visitor);
  expect([status, outcome]).toMatchObject([401, { ok: false, consent: true }]);
  expect(headers.getSetCookie().join()).toContain("google-connection=; Max-Age=0");
});

testInProof.each([
  ["signing out here", "/signout", { scope: "local" }],
  ["signing out everywhere", "/signout", { scope: "global" }],
  ["deleting the account", "/dashboard/account", { intent: "delete", confirmation: googleEmail }],
])(
  "%s ends the connection in the browser and the permission at Google",
  async (_, path, fields) => {
    const visitor = await connected();
    const token = await tokenOf(visitor);
    expect(await statusAtGoogle(token)).toBe(200);
    expect((await visitor.post(path, fields)).status).toBe(303);
    expect(visitor.cookies.has("google-connection")).toBe(false);
    // The permission is revoked after the answer: a slow Google keeps nobody from leaving.
    await pollUntil(
      () => statusAtGoogle(token),
      (status) => status === 400,
    );
  },
);

testInProof(
  "signing in again keeps the connection for its owner, and another user who signs in instead has none",
  async () => {
    const visitor = await connected();
    const again = () => visitor.post("/dashboard/account", { intent: "sign_in_again" });
    expect((await again()).status).toBe(303);
    expect((await connectionOf(visitor)).status).toBe(401);
    await visitor.signInWithGoogle();
    expect((await sendMail(visitor)).status).toBe(200);
    await again();
    await visitor.signInWithGoogle(other);
    expect((await connectionOf(visitor)).connected).toBeUndefined();
    expect((await sendMail(visitor)).outcome).toMatchObject({ ok: false, consent: true });
  },
);

/** Google's token, as only who has our secret can read it from the cookie. */
async function tokenOf(visitor: Visitor): Promise<string> {
  const reading = readConfiguration(exampleVariables({ siteUrl, portBase }));
  if (!reading.ok) throw new Error(reading.problems.join());
  const cookie = `google-connection=${visitor.cookies.get("google-connection")}`;
  const connection = await readConnection(
    { configuration: reading.configuration },
    new Request(siteUrl, { headers: { cookie } }),
    await userIdOf(googleEmail),
  );
  return connection?.token ?? "";
}

async function statusAtGoogle(token: string): Promise<number> {
  const body = new URLSearchParams({ access_token: token });
  const answer = await fetch(`${fakes().google.url}/tokeninfo`, { method: "POST", body });
  return answer.status;
}

testInProof("strangers, other sites, other methods and unknown tools are refused", async () => {
  const stranger = new Visitor();
  expect(await connectionOf(stranger)).toMatchObject({
    status: 401,
    error: "Sign in to continue.",
  });
  const body = { intent: "connect", ...gmail };
  expect((await stranger.post("/google-services/connection", body)).status).toBe(401);
  expect((await sendMail(stranger)).outcome).toEqual({
    ok: false,
    status: 401,
    message: "Sign in to continue.",
  });
  // Not 413: without a session the body is discarded as it arrives, so its length is not known.
  const long = { body: "x".repeat(5_300_000) };
  expect((await stranger.post("/google-services/call/gmail/send", long)).status).toBe(401);
  const visitor = await connected();
  for (const origin of [null, "https://elsewhere.example"]) {
    for (const path of ["/google-services/connection", "/google-services/call/gmail/send"]) {
      expect((await visitor.post(path, body, { origin })).status).toBe(403);
    }
  }
  expect((await visitor.request("/google-services/call/gmail/send")).status).toBe(405);
  for (const path of ["gmail/nothing", "nothing/send", "__proto__/toString", "gmail/constructor"]) {
    expect((await visitor.post(`/google-services/call/${path}`, {})).status, path).toBe(404);
  }
  const wrong = { intent: "connect", tool: "gmail", tab: "nothing" };
  expect((await visitor.post("/google-services/connection", wrong)).status).toBe(400);
});
