import { expect, test } from "vitest";
import { cookieValue, sessionCookieName, sessionWith } from "../../support/auth/session-cookie.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const site = siteWithFaults();
const email = "ada.lovelace@example.com";
const password = "four quiet servers hum";

/** Who asks in vain, and what is logged of it. */
type Case = readonly [
  what: string,
  line: Record<string, unknown>,
  ask: (visitor: Visitor) => Promise<unknown>,
];

const withSession = async (visitor: Visitor, value: string) => {
  visitor.setCookie(sessionCookieName, value);
  await (await visitor.request("/dashboard")).text();
};

const cases: Case[] = [
  [
    "a wrong password",
    { message: "The auth server refused", code: "invalid_credentials" },
    (visitor) => postSignIn(visitor, { intent: "sign_in", email, password }),
  ],
  [
    "a mailed link that is over",
    { message: "A mailed link of nobody was refused", type: "email" },
    (visitor) => visitor.post("/auth/confirm", { token_hash: "a".repeat(56), type: "email" }),
  ],
  [
    "a session that nobody opened",
    { message: "A session was refused" },
    (visitor) => withSession(visitor, cookieValue(sessionWith())),
  ],
  [
    "a cookie that is no session",
    { message: "A session was refused", reason: "unreadable" },
    (visitor) => withSession(visitor, "base64-bm9uc2Vuc2U"),
  ],
  [
    "a form of somebody who is signed out",
    { message: "An action was refused", reason: "signed-out", route: "/dashboard/billing" },
    (visitor) => visitor.post("/dashboard/billing", {}),
  ],
  [
    "a form of another site",
    { message: "A request from elsewhere was refused", origin: "foreign", route: "/signin" },
    (visitor) => visitor.post("/signin", { email }, { origin: "https://elsewhere.example" }),
  ],
  [
    "a form without an origin, under a name of its own",
    { message: "A request from elsewhere was refused", origin: "none", route: "/:id" },
    (visitor) => visitor.post(`/${email}`, { email }, { origin: null }),
  ],
];

test.each(sample(cases, 3))(
  "one line is logged of %s, and it names nobody",
  async (_, line, ask) => {
    const visitor = new Visitor(site().url);
    await ask(visitor);
    await site().logged({ level: "warn", ...line });
    const lines = site().everyLogLine();
    expect(lines).toHaveLength(1);
    for (const personal of [email, "lovelace", visitor.address, password, "elsewhere.example"]) {
      expect(lines.join()).not.toContain(personal);
    }
    expect(JSON.parse(lines[0] ?? "")).toHaveProperty("requestId");
  },
);

testInProof("one line is logged of a session that ended elsewhere", async () => {
  const visitor = await signedIn("customer.one@example.com", site().url);
  const copy = visitor.twin();
  await visitor.post("/signout", {});
  site().recover();
  await (await copy.request("/dashboard")).text();
  await site().logged({ level: "warn", message: "A session was refused" });
  expect(site().everyLogLine()).toHaveLength(1);
});

test("one line says which limit was exceeded and by what kind of key, not whose", async () => {
  const visitor = new Visitor(site().url);
  const over = { message: "A limit was exceeded", limit: "SIGN_IN_LIMIT" };
  // A new minute may begin in between.
  for (let tries = 0; tries < 41; tries++) {
    site().recover();
    const { status } = await visitor.post("/signin", { intent: "update_password", password });
    if (status === 429) break;
  }
  expect(await site().logged(over)).toEqual([
    expect.objectContaining({ level: "warn", by: "address", route: "/signin" }),
  ]);
  expect(site().everyLogLine()).toHaveLength(1);
  expect(site().everyLogLine().join()).not.toContain(visitor.address);
});

testInProof("a sign-in that worked leaves a line too", async () => {
  await signedIn("customer.one@example.com", site().url);
  expect(await site().logged({ message: "Somebody signed in" })).toEqual([
    expect.objectContaining({ level: "info", by: "provider" }),
  ]);
  expect(site().everyLogLine().join()).not.toContain("customer.one");
});
