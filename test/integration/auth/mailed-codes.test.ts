import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { codeRequestCookieOf } from "../../support/auth/code-request.ts";
import { codeIn, mailTo } from "../../support/auth/inbox.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { type FaultProxy, faults, startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const wrong = "This code is wrong, expired or was already used. Ask for a new one.";
const elsewhere =
  "A code works for ten minutes, in the browser where it was asked for. Ask for a new code in this browser, or open the link in the mail.";
const usedUp =
  "Five codes were tried for this account within ten minutes. Wait ten minutes and ask for a new code, or open the link in the mail.";

// Tries of one account are more here than the limit by the minute lets through.
let site: RunningWorker;
let supabaseProxy: FaultProxy;

beforeAll(async () => {
  await resetFakes();
  supabaseProxy = await startFaultProxy(fakes().supabase.url);
  site = await startSiteWithoutRateLimits({ SUPABASE_URL: supabaseProxy.url });
});

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await supabaseProxy?.[Symbol.asyncDispose]();
});

beforeEach(() => supabaseProxy.behave());

const somebody = () => `${crypto.randomUUID()}@example.com`;
const newVisitor = () => new Visitor(site.url);

/** Asks for a sign-in link and answers the code in its mail. */
async function askForCode(visitor: Visitor, email: string): Promise<string> {
  const { status } = await postSignIn(visitor, { intent: "magic_link", email });
  expect(status).toBe(200);
  return codeIn(await mailTo(email, "Your sign-in link"));
}

function tryCode(visitor: Visitor, email: string, code: string, more: Record<string, string> = {}) {
  return postSignIn(visitor, { intent: "verify_code", email, code, ...more });
}

/** A code of the same length that is not this one. */
const notThis = (code: string, turn = 0) =>
  String((Number(code) + 1 + turn) % 10 ** code.length).padStart(code.length, "0");

const triesAtAuthServer = () =>
  supabaseProxy.requests.filter(({ path }) => path.startsWith("/auth/v1/verify")).length;

test("forty wrong codes: five are looked at, and then the right one is refused in every browser", async () => {
  const email = somebody();
  const requester = newVisitor();
  const code = await askForCode(requester, email);
  const answers: (string | number)[][] = [];
  for (let turn = 0; turn < 8; turn++) {
    // Each from a network address of its own, in a browser with the same cookies.
    const tries = await Promise.all(
      Array.from({ length: 5 }, (_, each) =>
        tryCode(requester.twin(), email, notThis(code, turn * 5 + each)),
      ),
    );
    answers.push(...tries.map(({ status, view }) => [status, view.alert]));
  }
  expect(answers.filter(([status]) => status === 400)).toEqual(Array(5).fill([400, wrong]));
  expect(answers.filter(([status]) => status !== 400)).toEqual(Array(35).fill([429, usedUp]));
  expect(triesAtAuthServer()).toBe(5);

  const right = await tryCode(requester, email, code);
  expect([right.status, right.view.alert]).toEqual([429, usedUp]);
  expect(right.headers.get("retry-after")).toBe("600");
  expect(right.view.email).toBe(email);
  const other = await tryCode(newVisitor(), email, code);
  expect([other.status, other.view.alert]).toEqual([400, elsewhere]);
});

testInProof("twenty tries at once: at most five reach the auth server", async () => {
  const email = somebody();
  const requester = newVisitor();
  const code = await askForCode(requester, email);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => tryCode(requester, email, notThis(code, turn))),
  );
  expect(triesAtAuthServer()).toBe(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
});

testInProof("a new code does not come with new tries, whatever it is for", async () => {
  const email = somebody();
  const visitor = newVisitor();
  const code = await askForCode(visitor, email);
  await Promise.all([0, 1, 2, 3, 4].map((turn) => tryCode(visitor, email, notThis(code, turn))));
  await visitor.post("/signin", { intent: "forgotten_password", email });
  const reset = codeIn(await mailTo(email, "Choose a new password"));
  const { status, view } = await tryCode(visitor, email, reset, { kind: "recovery" });
  expect([status, view.alert]).toEqual([429, usedUp]);
});

testInProof("the right code after four wrong ones signs in, and all tries are back", async () => {
  const email = somebody();
  const visitor = newVisitor();
  const code = await askForCode(visitor, email);
  for (const turn of [0, 1, 2, 3]) {
    expect((await tryCode(visitor, email, notThis(code, turn))).status).toBe(400);
  }
  const right = await tryCode(visitor, email.toUpperCase(), code);
  expect([right.status, right.headers.get("location")]).toEqual([303, "/dashboard"]);
  // The browser forgets the address with the code.
  expect([...visitor.cookies.keys()].join()).not.toContain("code-request");

  const again = newVisitor();
  await postSignIn(again, { intent: "forgotten_password", email });
  const answers = await Promise.all(
    [0, 1, 2, 3, 4].map((turn) => tryCode(again, email, notThis(code, turn))),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
});

test("a code is refused in a browser that did not ask for it, with the way to a new one", async () => {
  const email = somebody();
  const code = await askForCode(newVisitor(), email);
  const { status, view, page } = await tryCode(newVisitor(), email, code);
  expect([status, view.alert, view.email]).toEqual([400, elsewhere, email]);
  expect(page).toMatch(/<a href="#auth-magic-link"[^>]*>Mail me a new code</);
  expect(page).toMatch(/<a href="#auth-forgot-password"[^>]*>Ask for a reset link</);
  expect(triesAtAuthServer()).toBe(0);
});

testInProof(
  "asking for somebody else's code, or for one of another kind, opens nothing",
  async () => {
    const [email, victim] = [somebody(), somebody()];
    const code = await askForCode(newVisitor(), victim);
    const visitor = newVisitor();
    await askForCode(visitor, email);
    const forVictim = await tryCode(visitor, victim, code);
    expect([forVictim.status, forVictim.view.alert]).toEqual([400, elsewhere]);
    const asReset = await tryCode(visitor, email, code, { kind: "recovery" });
    expect([asReset.status, asReset.view.alert]).toEqual([400, elsewhere]);
    expect(triesAtAuthServer()).toBe(0);
  },
);

test("after ten minutes the code is refused, in the browser that kept its cookie too", async () => {
  const email = somebody();
  const code = await askForCode(newVisitor(), email);
  const late = newVisitor();
  const [name, value] = await codeRequestCookieOf({ to: email, kind: "email" }, -1);
  late.setCookie(name, value);
  expect((await tryCode(late, email, code)).view.alert).toBe(elsewhere);
  const inTime = newVisitor();
  inTime.setCookie(name, (await codeRequestCookieOf({ to: email, kind: "email" }, 1_000))[1]);
  expect((await tryCode(inTime, email, code)).status).toBe(303);
});

testInProof("when the database does not answer, no code is tried", async () => {
  const email = somebody();
  const visitor = newVisitor();
  const code = await askForCode(visitor, email);
  supabaseProxy.behave((request, forward) =>
    request.path.startsWith("/rest/v1/rpc/take_code_try")
      ? faults.unavailable(request, forward)
      : forward(),
  );
  const refused = await tryCode(visitor, email, code);
  expect(refused.status).toBe(503);
  expect(refused.view.alert).toMatch(/^Sign-in is not available right now\. Nothing was changed/);
  expect(triesAtAuthServer()).toBe(0);
  supabaseProxy.behave();
  expect((await tryCode(visitor, email, code)).status).toBe(303);
});

testInProof(
  "a visitor who comes back finds the address of the code that they asked for",
  async () => {
    const email = somebody();
    const owner = newVisitor();
    await tryCode(owner, email, await askForCode(owner, email));
    const visitor = newVisitor();
    await postSignIn(visitor, { intent: "forgotten_password", email });
    const page = await (await visitor.request("/signin")).text();
    expect(page).toMatch(new RegExp(`auth-verify-otp.*<input[^>]*value="${email}"`, "s"));
    const code = codeIn(await mailTo(email, "Choose a new password"));
    // The view does not say what the code is for: the browser asked for a reset.
    const opened = await tryCode(visitor, email, code);
    expect(opened.headers.get("location")).toBe("/signin#auth-update-password");

    const other = await (await newVisitor().request("/signin")).text();
    expect(other).not.toContain(email);
  },
);
