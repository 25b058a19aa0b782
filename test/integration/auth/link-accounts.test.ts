import { beforeEach, expect, test } from "vitest";
import { hiddenFieldsOf } from "../../support/auth/account.ts";
import { codeIn, linkIn, mailTo } from "../../support/auth/inbox.ts";
import { database } from "../../support/database/database.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

const [present, invited] = ["customer.one@example.com", "attacker@example.com"];
const subject = "Your sign-in link";

/** The address of a link that somebody had mailed to their own mailbox. */
async function linkOf(address: string): Promise<string> {
  await new Visitor().post("/signin", { intent: "magic_link", email: address });
  return linkIn(await mailTo(address, subject));
}

async function open(visitor: Visitor, link: string) {
  const response = await visitor.request(link);
  const html = await response.text();
  return { status: response.status, words: textOfHtml(html), fields: hiddenFieldsOf(html) };
}

/** Whom the account page names. */
async function whoIsIn(visitor: Visitor): Promise<string[]> {
  const response = await visitor.request("/dashboard/account");
  const page = await response.text();
  return [present, invited].filter((address) => page.includes(address));
}

testInProof("a link names its account, and signs it in where nobody is", async () => {
  const visitor = new Visitor();
  const page = await open(visitor, await linkOf(invited));
  expect([page.status, page.words]).toEqual([
    200,
    expect.stringContaining(`This link signs you in as ${invited}.`),
  ]);
  expect((await visitor.post("/auth/confirm", page.fields)).status).toBe(303);
  expect(await whoIsIn(visitor)).toEqual([invited]);
});

test("in another person's browser a link changes nothing without their choice", async () => {
  const visitor = await signedIn(present);
  const link = await linkOf(invited);
  const page = await open(visitor, link);
  expect(page.words).toContain(`You are signed in as ${present}. This link is for ${invited}.`);
  expect(page.words).toContain(`Sign out ${present} and sign in as ${invited}`);
  expect(page.words).toContain(`Stay signed in as ${present}`);
  const { account = "", instead_of = "", ...bare } = page.fields;
  const someId = crypto.randomUUID();
  for (const choice of [
    {},
    { account },
    { instead_of },
    { account, instead_of: someId },
    { account: someId, instead_of },
  ]) {
    const answer = await visitor.post("/auth/confirm", { ...bare, ...choice } as Record<
      string,
      string
    >);
    expect([answer.status, textOfHtml(await answer.text())]).toEqual([
      409,
      expect.stringContaining(`You are signed in as ${present}. This link is for ${invited}.`),
    ]);
    expect(await whoIsIn(visitor)).toEqual([present]);
  }
});

test("the one who chooses so changes the account, and the former session ends at the auth server", async () => {
  const visitor = await signedIn(present);
  const copy = visitor.twin();
  const page = await open(visitor, await linkOf(invited));
  const answer = await visitor.post("/auth/confirm", page.fields);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
  expect(await whoIsIn(visitor)).toEqual([invited]);
  expect((await copy.request("/dashboard/account")).status).toBe(302);
});

testInProof("a link of one's own account asks nothing", async () => {
  const visitor = await signedIn(present);
  const page = await open(visitor, await linkOf(present));
  expect(page.words).toContain(`This link signs you in as ${present}.`);
  expect(page.fields).not.toHaveProperty("instead_of");
  expect((await visitor.post("/auth/confirm", page.fields)).status).toBe(303);
});

testInProof("what was shown for one account does not press the link of another", async () => {
  const visitor = new Visitor();
  const [ownersLink, other] = [await linkOf(present), await linkOf(invited)];
  const { fields } = await open(visitor, ownersLink);
  const { fields: foreign } = await open(visitor, other);
  const answer = await visitor.post("/auth/confirm", { ...foreign, account: `${fields.account}` });
  expect([answer.status, textOfHtml(await answer.text())]).toEqual([
    409,
    expect.stringContaining(`This link signs you in as ${invited}.`),
  ]);
  expect(visitor.cookies.size).toBe(0);
});

testInProof("a link that confirms an address says so", async () => {
  const email = "new@example.com";
  await new Visitor().post("/signin", { intent: "sign_up", email, password: "four quiet servers" });
  const link = linkIn(await mailTo(email, "Confirm your e-mail address"));
  const { words } = await open(new Visitor(), link);
  expect(words).toContain("Confirm your e-mail address");
  expect(words).toContain(`This link confirms ${email} and signs you in.`);
  expect(words).not.toContain("Finish signing in");
});

testInProof("an unknown link names nobody, and no link carries an address", async () => {
  const { words, fields } = await open(
    new Visitor(),
    `/auth/confirm?type=email&token_hash=${"a".repeat(56)}`,
  );
  expect(words).toContain("Finish signing in");
  expect(words).not.toContain("@");
  expect(fields).not.toHaveProperty("account");
  expect(await linkOf(invited)).not.toMatch(/@|%40/);
});

test("a mailed code is not taken for another account than the one that is signed in", async () => {
  const visitor = await signedIn(present);
  await visitor.post("/signin", { intent: "magic_link", email: invited });
  const code = codeIn(await mailTo(invited, subject));
  const typed = { intent: "verify_code", email: invited, code, kind: "email" };
  const answer = await visitor.post("/signin", typed);
  expect([answer.status, textOfHtml(await answer.text())]).toEqual([
    409,
    expect.stringContaining(`You are signed in as ${present}. Sign out first`),
  ]);
  expect(await whoIsIn(visitor)).toEqual([present]);
});

testInProof(
  "a network that opened too many links of nobody is answered so, and its own good links still open",
  async () => {
    const network = "198.51.100.7";
    for (let tries = 0; tries < 30; tries++) {
      const link = { try_kind: "link", most: 30, window_seconds: 3_600 };
      await database.rpc("take_code_try", { subject: network, ...link }).throwOnError();
    }
    const guessed = `/auth/confirm?type=email&token_hash=${"b".repeat(56)}`;
    const from = async (address: string, path: string) => {
      const response = await fetch(siteUrl + path, { headers: { "cf-connecting-ip": address } });
      return [response.status, textOfHtml(await response.text())];
    };
    expect(await from(network, guessed)).toEqual([
      429,
      expect.stringContaining("Too many links that do not work were opened from your network."),
    ]);
    const [elsewhere] = await from("198.51.100.8", guessed);
    expect(elsewhere).toBe(200);
    expect(await from(network, await linkOf(invited))).toEqual([
      200,
      expect.stringContaining(`This link signs you in as ${invited}.`),
    ]);
  },
);
