import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { type FaultProxy, faults, startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const toOne =
  "Five messages to this address were asked for within the hour, so none was sent now. Use the newest of them, sign in another way, or ask again in an hour.";
const toOneFromNetwork =
  "Three messages to this address were asked for from your network within the hour, so none was sent now. Use the newest of them, sign in another way, or ask again in an hour.";
const fromNetwork =
  "Too many messages were asked for from your network within the hour, so none was sent now. Sign in another way, or ask again in an hour.";
const confirming = ["sign_up", "resend_confirmation"];
const signingIn = ["magic_link", "forgotten_password"];
const intents = [...signingIn, ...confirming];

// What counts by the minute would refuse before what counts by the hour.
let site: RunningWorker;
let supabaseProxy: FaultProxy;

beforeAll(async () => {
  await resetFakes();
  supabaseProxy = await startFaultProxy(fakes().supabase.url);
  site = await startSiteWithoutRateLimits({ SUPABASE_URL: supabaseProxy.url, SIGN_IN_SMS: "on" });
});

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await supabaseProxy?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  supabaseProxy.behave();
  site.takeLogs();
});

const somebody = () => `${crypto.randomUUID()}@example.com`;

function ask(email: string, intent = "magic_link", visitor = new Visitor(site.url)) {
  return postSignIn(visitor, { intent, email, password: "four quiet servers hum" });
}

const mailRequests = () =>
  supabaseProxy.requests.filter(({ path }) => /^\/auth\/v1\/(otp|signup|resend|recover)/.test(path))
    .length;

test.each(
  sample(
    [
      ["to sign in", signingIn, "mail"],
      ["to confirm an address", confirming, "confirmation"],
    ],
    1,
  ),
)(
  "one address: five mails in an hour %s, whichever visitor asks; then a sentence says why none comes",
  async (_, kinds, limit) => {
    const email = somebody();
    const spellings = [email, ` ${email.toUpperCase()}`];
    for (let turn = 0; turn < 5; turn++) {
      const { status } = await ask(spellings[turn % 2] ?? email, kinds[turn % 2]);
      expect(status).toBe(200);
    }
    const refused = await Promise.all([0, 1, 2].map((turn) => ask(email, kinds[turn % 2])));
    expect(mailRequests()).toBe(5);
    for (const { status, headers, view } of refused) {
      expect([status, view.alert, headers.get("retry-after")]).toEqual([429, toOne, "3600"]);
      expect(view.email.trim().toLowerCase()).toBe(email);
      // The code of an earlier mail is not good in the browser of a visitor who asked in vain.
      expect(headers.get("set-cookie") ?? "").not.toContain("code-request");
    }
    expect((await ask(somebody())).status).toBe(200);
    const lines = site.takeLogs();
    expect(lines.filter((line) => line.limit === limit)).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain(email.slice(0, 36));
  },
);

testInProof(
  "one network: three of an address's mails in an hour, and its owner elsewhere gets the next",
  async () => {
    const email = somebody();
    const [stranger, sameLine] = ["2001:db8:99:1::1", "2001:db8:99:2::1"].map(
      (address) => new Visitor(site.url, address),
    );
    for (const visitor of [stranger, sameLine, stranger]) {
      expect((await ask(email, "magic_link", visitor)).status).toBe(200);
    }
    for (const intent of signingIn) {
      const { status, headers, view } = await ask(email, intent, sameLine);
      expect([status, view.alert]).toEqual([429, toOneFromNetwork]);
      expect(headers.get("retry-after")).toBe("3600");
    }
    // What is refused there is not counted against the address, and other addresses are not refused.
    expect((await ask(somebody(), "magic_link", stranger)).status).toBe(200);
    for (const intent of signingIn) expect((await ask(email, intent)).status).toBe(200);
    expect((await ask(email)).view.alert).toBe(toOne);
  },
);

testInProof(
  "strangers who sign up with a customer's address do not keep that customer from a link",
  async () => {
    const email = "customer.one@example.com";
    for (let turn = 0; turn < 6; turn++) await ask(email, confirming[turn % 2]);
    expect((await ask(email, "sign_up")).view.alert).toBe(toOne);
    expect((await ask(email, "magic_link")).status).toBe(200);
  },
);

testInProof("one network: twenty mails in an hour, to any address; others go on", async () => {
  const stranger = new Visitor(site.url);
  // Only the counts are the real ones: 20 real mails at once are more than a busy machine does in time.
  supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/rest/v1/rpc/take_code_try")
      ? forward()
      : { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
  );
  const answers = await Promise.all(
    Array.from({ length: 23 }, () => ask(somebody(), "magic_link", stranger)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(mailRequests()).toBe(20);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, headers, view } of refused) {
    expect([status, view.alert, headers.get("retry-after")]).toEqual([429, fromNetwork, "3600"]);
  }
  expect(site.takeLogs().filter(({ limit }) => limit === "mail-from")).toHaveLength(3);
  expect((await ask(somebody())).status).toBe(200);
});

testInProof("texts to one number are counted like mails", async () => {
  const phone = "+1 555 010 0200";
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const { status } = await postSignIn(new Visitor(site.url), { intent: "phone_code", phone });
    statuses.push(status);
  }
  // The local auth server has no SMS, and says so until nobody asks it any more.
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, 5)).not.toContain(429);
  expect(mailRequests()).toBe(5);
});

test("when the database does not answer, no mail is asked for", async () => {
  const email = somebody();
  supabaseProxy.behave(({ path }, forward) =>
    path.startsWith("/rest/v1/rpc/take_code_try") ? faults.garbage() : forward(),
  );
  for (const intent of intents) {
    const { status, view } = await ask(email, intent);
    expect([status, view.email], intent).toEqual([503, email]);
    expect(view.alert, intent).toMatch(/^Sign-in is not available right now\. Nothing was changed/);
  }
  expect(mailRequests()).toBe(0);
});
