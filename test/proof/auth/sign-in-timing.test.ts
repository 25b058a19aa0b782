import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import type { ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { type SiteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { Visitor } from "../../support/site/visitor.ts";

const password = "four quiet servers hum";
const rounds = 9;
/** What hashing a password or handing a mail over may cost an auth server, for an account only. */
const extraWorkMs = 200;
/** One turn of a busy machine's scheduler, which no clock of a test sees through. */
const clockMs = 10;

const ways: [string, Record<string, string>][] = [
  ["a wrong password", { intent: "sign_in", password: "not the password" }],
  ["an account that is not confirmed", { intent: "sign_in", password }],
  ["signing up", { intent: "sign_up", password }],
  ["a reset", { intent: "forgotten_password" }],
  ["a sign-in link", { intent: "magic_link" }],
];

const json = (status: number, body: object | boolean) => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** An auth server as it must be feared: for an account it has more to do. What it says is not asked here. */
const slowForAccounts: ProxyHandler = async ({ path, body }) => {
  // The database counts tries and mails: these people have asked for little yet.
  if (path.startsWith("/rest/v1/rpc/take_code_try")) return json(200, true);
  const isExisting = body.includes("known.");
  if (isExisting) {
    slowed++;
    await wait(extraWorkMs);
  }
  if (!path.startsWith("/auth/v1/token")) return json(200, {});
  return isExisting && body.includes(password)
    ? json(400, { code: 400, error_code: "email_not_confirmed", msg: "Email not confirmed" })
    : json(400, { code: 400, error_code: "invalid_credentials", msg: "Invalid login credentials" });
};

let site: SiteWithFaults;
let slowed = 0;

beforeAll(async () => {
  site = await startSiteWithFaults();
  site.supabaseProxy.behave(slowForAccounts);
});

afterAll(() => site?.[Symbol.asyncDispose]());

/**
 * Three questions at once, nine times: about an account, about the same account again, and about
 * none. They share each busy moment of the machine, so their differences are taken round by round.
 */
test.concurrent.for(ways.map(([name, fields], way) => ({ name, fields, way })))(
  "$name: the clock reveals no more of an account than of asking twice",
  async ({ fields, way }) => {
    const existing = `known.${way}@example.com`;
    const took = async (email: string) => {
      const visitor = new Visitor(site.url);
      const start = performance.now();
      await postSignIn(visitor, { ...fields, email });
      return performance.now() - start;
    };
    // Answers come once a second: the five ways share it out, so that none works at another's cost.
    await wait((way * 1_000) / ways.length);
    const byAccount: number[] = [];
    const byAskingTwice: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const emails = [existing, existing, `no.one.${way}.${round}@example.com`];
      // The first to ask is a little ahead: each takes that place in turn.
      const times: number[] = [];
      await Promise.all(
        [0, 1, 2].map(async (place) => {
          const which = (place + round) % 3;
          times[which] = await took(emails[which] ?? "");
        }),
      );
      const [once = 0, again = 0, unknown = 0] = times;
      byAccount.push((once + again) / 2 - unknown);
      byAskingTwice.push(once - again);
    }
    expect(slowed).toBeGreaterThan(rounds);
    expect(Math.abs(median(byAccount))).toBeLessThan(noiseOf(byAskingTwice));
  },
);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** How far the median of these may lie from nothing by chance: three times their mean size. */
function noiseOf(differences: readonly number[]): number {
  const sum = differences.reduce((total, each) => total + Math.abs(each), 0);
  return (3 * sum) / differences.length + clockMs;
}
