import { beforeEach, expect, test } from "vitest";
import { alertIn, freshCode, setUpWithCodes } from "../../support/auth/account.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

async function give(visitor: Visitor, fields: Record<string, string>) {
  const response = await visitor.post("/dashboard/account/code", { next: "/pricing", ...fields });
  return {
    status: response.status,
    location: response.headers.get("location"),
    retryAfter: Number(response.headers.get("retry-after")),
    alert: alertIn(await response.text()),
  };
}

const wrong = { code: "000000" };
const wrongSentence = "This code is wrong or too old. Type the one that the app shows now.";
const wrongRecoverySentence = "This recovery code is wrong, or it was used already.";
const recovered = "/dashboard/account?done=factor-recovered#second-factor";
const refused =
  /^Too many codes were tried for this account\. You can try again in (10|9) minutes, at \d+:\d\d [AP]M UTC\.$/;

test("five wrong codes end all tries for ten minutes, in every browser and for the right code", async () => {
  const { secret } = await setUpWithCodes(await signedIn());
  // Each comes from a network address of its own.
  for (let count = 0; count < 5; count++) {
    expect(await give(await signedIn(), wrong)).toMatchObject({
      status: 400,
      alert: wrongSentence,
    });
  }
  const owner = await signedIn();
  for (const fields of [wrong, { code: freshCode(secret) }]) {
    const answer = await give(owner, fields);
    expect([answer.status, answer.location]).toEqual([429, null]);
    expect(answer.alert).toMatch(refused);
    expect(answer.retryAfter).toBeGreaterThan(500);
  }

  await database
    .from("code_tries")
    .update({ since: new Date(Date.now() - 11 * 60_000).toISOString() })
    .eq("kind", "totp")
    .throwOnError();
  expect((await give(owner, { code: freshCode(secret) })).location).toBe("/pricing");
});

testInProof("of many wrong codes at the same moment five are looked at", async () => {
  await setUpWithCodes(await signedIn());
  const visitors = [await signedIn(), await signedIn(), await signedIn(), await signedIn()];
  const answers = await Promise.all(
    visitors.flatMap((visitor, browser) =>
      [1, 2, 3, 4].map((count) => give(visitor, { code: `00000${browser * 4 + count}`.slice(-6) })),
    ),
  );
  expect(answers.filter(({ alert }) => alert === wrongSentence)).toHaveLength(5);
  expect(answers.filter(({ alert }) => refused.test(alert))).toHaveLength(11);
});

testInProof("of twenty tries at the same moment the database lets five through", async () => {
  const call = { subject: "somebody", try_kind: "totp", most: 5, window_seconds: 600 };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => database.rpc("take_code_try", call)),
  );
  expect(answers.filter(({ data }) => data === true)).toHaveLength(5);
  expect(answers.filter(({ data }) => data === false)).toHaveLength(15);
  // Further tries of strangers do not prolong the wait of the account's owner.
  const { data: next } = await database.rpc("next_code_try", call);
  await database.rpc("take_code_try", call);
  expect((await database.rpc("next_code_try", call)).data).toBe(next);
});

testInProof("a right code gives all tries back", async () => {
  const { secret } = await setUpWithCodes(await signedIn());
  const visitor = await signedIn();
  for (let count = 0; count < 4; count++) await give(visitor, wrong);
  expect((await give(visitor, { code: freshCode(secret) })).location).toBe("/pricing");
  for (let count = 0; count < 5; count++) {
    expect((await give(await signedIn(), wrong)).status).toBe(400);
  }
});

testInProof(
  "a stranger who uses up the tries of the app's codes does not keep the owner from a recovery code",
  async () => {
    const { codes } = await setUpWithCodes(await signedIn());
    for (let count = 0; count < 6; count++) await give(await signedIn(), wrong);
    const owner = await signedIn();
    expect((await give(owner, wrong)).status).toBe(429);
    expect((await give(owner, { recovery: codes[0] ?? "" })).location).toBe(recovered);
  },
);

testInProof(
  "ten wrong recovery codes end their tries for ten minutes in one network, and nowhere else",
  async () => {
    const { secret, codes } = await setUpWithCodes(await signedIn());
    const stranger = await signedIn();
    for (let count = 0; count < 10; count++) {
      const answer = await give(stranger, { recovery: `${count}AB1-CDEF-GHJK-MNPQ-RSTV-WXYZ` });
      expect([answer.status, answer.alert]).toEqual([400, wrongRecoverySentence]);
    }
    const answer = await give(stranger, { recovery: codes[0] ?? "" });
    expect([answer.status, answer.location]).toEqual([429, null]);
    expect(answer.alert).toMatch(refused);
    // Codes of the app have tries of their own, there too.
    expect((await give(stranger, { code: freshCode(secret) })).location).toBe("/pricing");
    expect((await give(await signedIn(), { recovery: codes[0] ?? "" })).location).toBe(recovered);
  },
);

testInProof(
  "a stranger who has the password alone does not spend the attempts of a minute for the owner",
  async () => {
    const { codes } = await setUpWithCodes(await signedIn());
    const strangers = [await signedIn(), await signedIn(), await signedIn()];
    // wrangler.toml: SIGN_IN_LIMIT. No network is at it, together they are over twice of it.
    const posts = strangers.flatMap((visitor) =>
      Array.from({ length: 14 }, () => give(visitor, { recovery: "no code" })),
    );
    for (const { status } of await Promise.all(posts)) expect(status).toBe(400);
    expect((await give(await signedIn(), { recovery: codes[0] ?? "" })).location).toBe(recovered);
  },
);

test("the same code is taken once, also by another browser and at the same moment", async () => {
  const { secret } = await setUpWithCodes(await signedIn());
  const visitors = [await signedIn(), await signedIn(), await signedIn()];
  const code = freshCode(secret);
  const answers = await Promise.all(visitors.map((visitor) => give(visitor, { code })));
  expect(answers.filter(({ location }) => location === "/pricing")).toHaveLength(1);
  for (const { alert, location } of answers) {
    if (location) continue;
    expect(alert).toBe(
      "This code was used already. Wait for the next one: the app shows it within 30 seconds.",
    );
  }
});

testInProof("no row of the count says whose it is, and what is older than a day goes", async () => {
  await setUpWithCodes(await signedIn());
  const visitor = await signedIn();
  await give(visitor, wrong);
  const person = await userIdOf(email);
  const { data } = await database.from("code_tries").select("*").throwOnError();
  expect(data.length).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain(person);
  // Nor does a hash that anybody can make of everybody's.
  const plain = await runSql<{ hash: string }>("select public.code_try_subject($1) as hash", [
    person,
  ]);
  expect(JSON.stringify(data)).not.toContain(plain[0]?.hash);
  await database
    .from("code_tries")
    .update({ since: new Date(Date.now() - 25 * 60 * 60_000).toISOString() })
    .neq("kind", "")
    .throwOnError();
  await database.rpc("take_code_try", {
    subject: "somebody else",
    try_kind: "totp",
    most: 5,
    window_seconds: 600,
  });
  const { data: left } = await database.from("code_tries").select("tries").throwOnError();
  expect(left).toEqual([{ tries: 1 }]);
});
