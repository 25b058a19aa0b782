import { afterAll, beforeAll, expect, test } from "vitest";
import { linkIn, mailTo } from "../fixtures/inbox.ts";
import { postSignIn } from "../fixtures/sign-in-answer.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { startTroubledSite, type TroubledSite } from "../fixtures/troubled-site.ts";
import { Visitor } from "../fixtures/visitor.ts";

const password = "four quiet servers hum";
const rounds = 9;
/** What hashing a password and handing a mail over cost a real auth server, for an account only. */
const extraWorkMs = 150;
/** No clock of a test sees less than what a busy machine's scheduler adds. */
const clockMs = 5;

const ways: [string, Record<string, string>][] = [
  ["a wrong password", { intent: "sign_in", password: "not the password" }],
  ["an account that is not confirmed", { intent: "sign_in", password }],
  ["signing up", { intent: "sign_up", password }],
  ["a reset", { intent: "forgotten_password" }],
  ["a sign-in link", { intent: "magic_link" }],
];

let site: TroubledSite;
let slowed = 0;

beforeAll(async () => {
  await resetStandIns();
  site = await startTroubledSite();
  for (const [index, [name]] of ways.entries()) {
    await makeAccount(knownFor(index), name !== "an account that is not confirmed");
  }
  site.supabaseWay.behave(async ({ body }, forward) => {
    const answer = await forward();
    if (body.includes("known.")) {
      slowed++;
      await new Promise((resolve) => setTimeout(resolve, extraWorkMs));
    }
    return answer;
  });
});

afterAll(() => site?.[Symbol.asyncDispose]());

const knownFor = (way: number) => `known.${way}@example.com`;

async function makeAccount(email: string, confirmed: boolean) {
  const owner = new Visitor(site.url);
  await owner.post("/signin", { intent: "sign_up", email, password });
  const mail = await mailTo(email, "Confirm your e-mail address");
  if (!confirmed) return;
  const link = new URL(linkIn(mail), site.url);
  const answer = await owner.post("/auth/confirm", Object.fromEntries(link.searchParams));
  expect(answer.headers.get("location")).toBe("/dashboard");
}

/**
 * Three questions at once, nine times: about an account, about the same account again, and about
 * none. They share each busy moment of the machine, so their differences are taken round by round.
 */
test.concurrent.for(ways.map(([name, fields], way) => ({ name, fields, way })))(
  "$name: the clock tells no more of an account than of asking twice",
  async ({ fields, way }) => {
    const took = async (email: string) => {
      const visitor = new Visitor(site.url);
      const start = performance.now();
      await postSignIn(visitor, { ...fields, email });
      return performance.now() - start;
    };
    const byAccount: number[] = [];
    const byAskingTwice: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const emails = [knownFor(way), knownFor(way), `no.one.${way}.${round}@example.com`];
      // Whoever asks first is a little ahead: each takes that place in turn.
      const order = [0, 1, 2].map((place) => (place + round) % 3);
      const times: number[] = [];
      await Promise.all(
        order.map(async (which) => {
          times[which] = await took(emails[which] ?? "");
        }),
      );
      const [known = 0, again = 0, unknown = 0] = times;
      byAccount.push((known + again) / 2 - unknown);
      byAskingTwice.push(known - again);
    }
    expect(slowed).toBeGreaterThanOrEqual(2 * rounds);
    expect(Math.abs(median(byAccount))).toBeLessThan(noiseOf(byAskingTwice));
  },
);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * How far the median of these may lie from nothing by chance: where it lies, plus five times their
 * median deviation (about eight standard errors of a median of nine), plus what no clock sees.
 */
function noiseOf(differences: readonly number[]): number {
  const middle = median(differences);
  const deviation = median(differences.map((each) => Math.abs(each - middle)));
  return Math.abs(middle) + 5 * deviation + clockMs;
}
