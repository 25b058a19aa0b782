import { beforeAll, expect, test } from "vitest";
import { linkIn, mailsTo, mailTo } from "../fixtures/inbox.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { Visitor } from "../fixtures/visitor.ts";

// The site answers on whole seconds, so these wait at the same time. Each has accounts of its own:
// attempts count against them.
const password = "four quiet servers hum";

beforeAll(resetStandIns);

const somebody = (who: string) => `${who}.${crypto.randomUUID()}@example.com`;

async function confirmedAccount(): Promise<string> {
  const email = somebody("known");
  const owner = new Visitor();
  await owner.post("/signin", { intent: "sign_up", email, password });
  const link = new URL(linkIn(await mailTo(email, "Confirm your e-mail address")), owner.siteUrl);
  const confirmed = await owner.post("/auth/confirm", Object.fromEntries(link.searchParams));
  expect(confirmed.headers.get("location")).toBe("/dashboard");
  return email;
}

/** Everything that a stranger sees of an answer, with the address itself left out. */
async function seen(fields: Record<string, string>) {
  const response = await new Visitor().post("/signin", fields);
  const page = (await response.text()).replaceAll(fields.email ?? "", "ADDRESS");
  return {
    status: response.status,
    cookies: response.headers.getSetCookie().map((cookie) => cookie.split("=")[0]),
    message: /role="(alert|status)"[^>]*>(.*?)<\/div>/.exec(page)?.slice(1),
    length: page.length,
  };
}

test.concurrent.each([
  ["a wrong password", { intent: "sign_in", password: "not the password" }],
  ["signing up", { intent: "sign_up", password }],
  ["a confirmation sent again", { intent: "resend_confirmation" }],
  ["a reset", { intent: "forgotten_password" }],
  ["a sign-in link", { intent: "magic_link" }],
  ["a wrong code", { intent: "verify_code", code: "123456" }],
] as const)("%s is answered alike for an account and for none", async (_, fields) => {
  const ofKnown = await seen({ ...fields, email: await confirmedAccount() });
  const ofStranger = await seen({ ...fields, email: somebody("nobody") });
  expect(ofKnown.message?.[1]).toBeTruthy();
  expect(ofKnown).toEqual(ofStranger);
});

test.concurrent("an unconfirmed account is answered like a wrong password", async () => {
  const email = somebody("unconfirmed");
  await new Visitor().post("/signin", { intent: "sign_up", email, password });
  const right = await seen({ intent: "sign_in", email, password });
  expect(right).toEqual(await seen({ intent: "sign_in", email: somebody("nobody"), password }));
  expect(right.status).toBe(400);
});

test.concurrent("a reset for an unknown address mails nobody", async () => {
  const stranger = somebody("nobody");
  await seen({ intent: "forgotten_password", email: stranger });
  expect(await mailsTo(stranger)).toEqual([]);
});

test.concurrent.each([
  ["a wrong password", { intent: "sign_in", password: "not the password" }],
  ["a reset", { intent: "forgotten_password" }],
] as const)(
  "the time that %s takes tells less than asking twice",
  async (_, fields) => {
    const known = await confirmedAccount();
    const took = async (email: string) => {
      const visitor = new Visitor();
      const start = performance.now();
      await (await visitor.post("/signin", { ...fields, email })).text();
      return performance.now() - start;
    };
    const samples = { known: [] as number[], again: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 9; round++) {
      // At the same time, so that a busy moment of the machine falls on all three alike.
      const [ofKnown, ofUnknown, asAgain] = await Promise.all([
        took(known),
        took(somebody("nobody")),
        took(known),
      ]);
      samples.known.push(ofKnown);
      samples.unknown.push(ofUnknown);
      samples.again.push(asAgain);
    }
    const difference = Math.abs(median(samples.known) - median(samples.unknown));
    const noise = spread([...samples.known, ...samples.again]);
    expect(difference).toBeLessThan(noise);
    expect(Math.min(...samples.unknown)).toBeGreaterThan(900);
  },
  90_000,
);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** How far answers to one and the same question lie apart. */
function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
