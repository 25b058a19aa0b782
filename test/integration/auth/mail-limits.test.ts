import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { textCount, textedCode } from "../../support/auth/phones.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { type FaultProxy, faults, startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

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

const askForText = (phone: string, visitor = new Visitor(site.url)) =>
  postSignIn(visitor, { intent: "phone_code", phone });
const newNumber = () => `+1555${String(Math.random()).slice(2, 9).padEnd(7, "0")}`;

test("one network: ten texts that sign in within an hour, and thirty from its /48", async () => {
  supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/rest/v1/rpc/take_code_try")
      ? forward()
      : { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
  );
  const prefix = randomAddress().split(":").slice(0, 3).join(":");
  const fromNetworkOf = (subnet: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        askForText(newNumber(), new Visitor(site.url, `${prefix}:${subnet}::1`)),
      ),
    );
  const first = await fromNetworkOf(1, 11);
  expect(first.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = first.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.view.alert]).toEqual([429, signInFailures.textsInHour]);
  const others = (await Promise.all([2, 3, 4].map((subnet) => fromNetworkOf(subnet, 7)))).flat();
  expect(others.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(mailRequests()).toBe(30);
  expect((await askForText(newNumber())).status).toBe(200);
});

/** Somebody with an account that this number signs in, and to whom no text went within the minute. */
async function ownerOf(phone: string): Promise<Visitor> {
  const email = "customer.one@example.com";
  await signedIn(email);
  await runSql(
    `update auth.users set phone = $1, phone_confirmed_at = now(), confirmation_sent_at = null
     where email = $2`,
    [phone.slice(1), email],
  );
  return new Visitor(site.url);
}

test("one number: five texts that sign in within a day, until its owner gives the right code", async () => {
  const phone = newNumber();
  const owner = await ownerOf(phone);
  for (const visitor of [owner, ...Array.from({ length: 4 }, () => new Visitor(site.url))]) {
    expect((await askForText(phone, visitor)).status).toBe(200);
  }
  const refused = await askForText(phone);
  expect([refused.status, refused.view.alert]).toEqual([429, signInFailures.textsToNumber]);
  const code = await textedCode(phone);
  const arrived = await owner.post("/signin", { intent: "verify_code", phone, code });
  expect(arrived.headers.get("location")).toBe("/dashboard");
  const next = await pollUntil(
    () => askForText(phone),
    ({ status }) => status !== 429,
  );
  expect(next.status).toBe(200);
});

test("a number of no account gets the same answer, no text and no account; a text is a line in the log", async () => {
  const [phone, nobodys] = [newNumber(), newNumber()];
  await ownerOf(phone);
  const unknown = await askForText(nobodys);
  const known = await askForText(phone);
  expect([unknown.status, unknown.view.alert]).toEqual([200, ""]);
  expect([known.status, known.view.alert]).toEqual([200, ""]);
  for (const { page } of [unknown, known]) expect(page).toContain("Check your phone for the code");
  const lines: unknown[] = [];
  await pollUntil(
    () => lines.push(...site.takeLogs().filter(({ message }) => message === "A code was texted")),
    () => lines.length > 0,
  );
  expect(lines).toMatchObject([{ for: "sign-in" }]);
  expect([await textCount(nobodys), await textCount(phone)]).toEqual([0, 1]);
  const accounts = await runSql("select id from auth.users where phone = $1", [nobodys.slice(1)]);
  expect(accounts).toEqual([]);
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
