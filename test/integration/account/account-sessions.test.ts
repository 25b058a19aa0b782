import { beforeEach, expect, test } from "vitest";
import { accountPageOf, ageSignIn, change } from "../../support/auth/account.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

type Listed = { text: string; id: string | undefined };

/** The devices of the account page as their owner reads them, each with the session its button names. */
async function devicesOf(visitor: Visitor): Promise<Listed[]> {
  const page = await accountPageOf(visitor);
  const section = /<section id="sessions"[\s\S]*?<\/section>/.exec(page)?.[0] ?? "";
  const list = /<ul[\s\S]*?<\/ul>/.exec(section)?.[0] ?? "";
  return (list.match(/<li[\s\S]*?<\/li>/g) ?? []).map((html) => ({
    text: html
      .replace(/<!--.*?-->/g, "")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
    id: /name="session" value="([^"]+)"/.exec(html)?.[1],
  }));
}

const when = /Signed in \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC Last used \w+ \d+, \d{4} at/;

testInProof(
  "every session is listed, this one first, with when it began and was used",
  async () => {
    const first = await signedIn();
    const second = await signedIn();
    for (const visitor of [first, second]) {
      const [here, other, ...rest] = await devicesOf(visitor);
      expect(rest).toEqual([]);
      expect(here?.text).toContain("This device");
      expect(here?.text).toMatch(when);
      expect(here?.id).toBeUndefined();
      expect(other?.text).not.toContain("This device");
      expect(other?.text).toMatch(/Network address \S+/);
      expect(other?.text).toContain("Sign out this one");
      expect(other?.id).toMatch(/^[0-9a-f-]{36}$/);
    }
    const stranger = await signedIn("customer.two@example.com");
    expect(await devicesOf(stranger)).toHaveLength(1);
  },
);

test("one other device is signed out, and the others stay", async () => {
  const lost = await signedIn();
  const remaining = await signedIn();
  const [, other] = await devicesOf(lost);
  const remainingId = other?.id;
  const here = await signedIn();
  const lostId = (await devicesOf(here)).find(({ id }) => id && id !== remainingId)?.id ?? "";
  const { status, location } = await change(here, { intent: "end_session", session: lostId });
  expect([status, location]).toEqual([303, "/dashboard/account?done=session-ended#sessions"]);
  const page = await here.request(location);
  expect(await page.text()).toContain("That device is signed out.");
  expect(await devicesOf(here)).toHaveLength(2);
  expect((await lost.request("/dashboard/account")).status).toBe(302);
  lost.expireSession();
  expect((await lost.request("/dashboard")).status).toBe(302);
  expect((await remaining.request("/dashboard/account")).status).toBe(200);
});

test("a session of somebody else is unknown, like one that is over, and lives on", async () => {
  const owner = await signedIn();
  const twin = await signedIn();
  const [, other] = await devicesOf(owner);
  const thief = await signedIn("customer.two@example.com");
  const answers = await Promise.all(
    [other?.id ?? "", crypto.randomUUID()].map((session) =>
      change(thief, { intent: "end_session", session }),
    ),
  );
  for (const { status, alert } of answers) {
    expect([status, alert]).toEqual([
      400,
      "That device is not signed in any more. Nothing was changed.",
    ]);
  }
  expect((await twin.request("/dashboard/account")).status).toBe(200);
});

testInProof(
  "in a browser that was left open the list is read, and offers no sign-out of one",
  async () => {
    const visitor = await signedIn();
    await signedIn();
    ageSignIn(visitor, 16);
    const listed = await devicesOf(visitor);
    expect(listed).toHaveLength(2);
    expect(listed.map(({ id }) => id)).toEqual([undefined, undefined]);
    expect(await accountPageOf(visitor)).toContain(
      "For this you must have signed in within the last 15 minutes.",
    );
  },
);
