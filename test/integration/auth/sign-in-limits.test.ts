import { beforeAll, expect, test } from "vitest";
import { postSignIn, visibleView } from "../../support/auth/sign-in-answer.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const tooOften = "Too many attempts. Please wait a minute and try again.";
// wrangler.toml: SIGN_IN_LIMIT. A new minute may begin in between, and with it a new count.
const limit = 20;
const moreThanTwoMinutesAllow = 2 * limit + 1;

beforeAll(resetFakes);

/** Tries from one address until it is refused. Without a reset link no attempt gets far, or slow. */
async function exhaust(visitor: Visitor): Promise<number> {
  for (let tries = 0; tries < moreThanTwoMinutesAllow; tries++) {
    const { status } = await visitor.post("/signin", { intent: "update_password", password: "x" });
    if (status === 429) return tries;
  }
  throw new Error("Nothing was refused");
}

/** What is answered to an address that is over its limit. A new minute may begin before it asks. */
async function askOverLimit<Answer extends { status: number }>(
  visitor: Visitor,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  await exhaust(visitor);
  const answer = await ask();
  if (answer.status === 429) return answer;
  await exhaust(visitor);
  return ask();
}

test("one network address: refused after twenty attempts, other addresses go on", async () => {
  const visitor = new Visitor();
  const email = "neighbour@example.com";
  expect(await exhaust(visitor)).toBeGreaterThanOrEqual(limit);

  const refused = await askOverLimit(visitor, () =>
    postSignIn(visitor, { intent: "sign_in", email, password: "my secret" }),
  );
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(refused.view).toMatchObject({ alert: tooOften, email, password: "" });
  expect(refused.page).not.toContain("my secret");

  const other = await postSignIn(new Visitor(), { intent: "sign_in", email, password: "wrong" });
  expect(other.status).toBe(400);
});

testInProof("whatever the address asks next is refused in the same way", async () => {
  const visitor = new Visitor();
  const link = { token_hash: "a".repeat(56), type: "email" };
  const posts = [
    () => visitor.post("/signin", { provider: "google", next: "/docs" }),
    () => visitor.post("/signin.data", { intent: "magic_link", email: "ada@example.com" }),
    () => visitor.post("/auth/confirm", link),
  ];
  for (const post of posts) {
    const answer = await askOverLimit(visitor, post);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await answer.text()).toContain(tooOften);
  }
});

test("one account: refused after twenty attempts from anywhere, other accounts go on", async () => {
  const email = "besieged@example.com";
  const spellings = [email, "Besieged@Example.com", ` ${email} `];
  const answers = await Promise.all(
    Array.from({ length: moreThanTwoMinutesAllow }, (_, turn) =>
      postSignIn(new Visitor(), {
        intent: "verify_code",
        email: spellings[turn % spellings.length] ?? email,
        code: "123456",
      }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
  for (const { headers, page } of refused) {
    expect(headers.get("retry-after")).toBe("60");
    expect(visibleView(page).alert).toBe(tooOften);
    expect(visibleView(page).email.trim().toLowerCase()).toBe(email);
  }

  const other = await postSignIn(new Visitor(), {
    intent: "verify_code",
    email: "left.alone@example.com",
    code: "123456",
  });
  expect(other.status).toBe(400);
});
