import { expect, test } from "vitest";
import { accountPageOf, change, changeMail, pressLink } from "../../support/auth/account.ts";
import { codeIn, linkIn, mailTo } from "../../support/auth/inbox.ts";
import { database } from "../../support/database/database.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";
import {
  isIn,
  newAddress,
  password,
  signedInByPassword,
  signInByPassword,
  someoneWithPassword,
} from "./people.ts";
import { oneRealSite } from "./real-site.ts";

oneRealSite();

const newPassword = "five loud routers sing";

test("who signs up is in after the mailed link, and not before", async () => {
  const email = newAddress();
  const visitor = new Visitor();
  const signUp = await visitor.post("/signin", { intent: "sign_up", email, password });
  expect([signUp.status, await isIn(visitor)]).toEqual([200, false]);
  expect((await signInByPassword(email)).status).toBe(400);
  const pressed = await pressLink(email, "Confirm your e-mail address", visitor);
  expect([pressed.status, await isIn(visitor)]).toEqual([303, true]);
  expect((await signInByPassword(email)).status).toBe(303);
});

test("a magic link opens a session once", async () => {
  const email = await someoneWithPassword();
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email });
  expect((await pressLink(email, "Your sign-in link", visitor)).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
  expect((await pressLink(email, "Your sign-in link")).status).toBe(400);
});

test("a mailed code opens a session in the browser that asked for it", async () => {
  const email = await someoneWithPassword();
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email });
  const code = codeIn(await mailTo(email, "Your sign-in link"));
  const typed = { intent: "verify_code", kind: "email", email, next: "/dashboard" };
  expect((await visitor.post("/signin", { ...typed, code: "0".repeat(code.length) })).status).toBe(
    400,
  );
  expect((await visitor.post("/signin", { ...typed, code })).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
});

test("a reset link leads to a new password, and the old one opens nothing any more", async () => {
  const email = await someoneWithPassword();
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "forgotten_password", email });
  expect((await pressLink(email, "Choose a new password", visitor)).status).toBe(303);
  const saved = await visitor.post("/signin", { intent: "update_password", password: newPassword });
  expect(saved.headers.get("location")).toContain("done=password-updated");
  expect((await signInByPassword(email)).status).toBe(400);
  const typed = { intent: "sign_in", email, password: newPassword };
  expect((await new Visitor().post("/signin", typed)).status).toBe(303);
});

test.each([
  ["the old mailbox first", (old: string, newMail: string) => [old, newMail]],
  ["the new mailbox first", (old: string, answer: string) => [answer, old]],
])("another address counts when both mailboxes agreed: %s", async (_, order) => {
  const [old, newMail] = [await someoneWithPassword(), newAddress("new")];
  const visitor = await signedInByPassword(old);
  const answer = await change(visitor, { intent: "change_email", email: newMail });
  expect([answer.status, answer.alert]).toEqual([303, ""]);
  const [first = "", second = ""] = order(old, newMail);
  const halfWay = await pressLink(first, changeMail, visitor);
  expect(await halfWay.text()).toContain("One of two is done");
  expect((await signInByPassword(newMail)).status).toBe(400);
  expect((await pressLink(second, changeMail, visitor)).status).toBe(303);
  expect(await accountPageOf(visitor)).toContain(newMail);
  expect((await signInByPassword(newMail)).status).toBe(303);
});

test("who asks for a magic link without an account gets one, with the mail that confirms an address", async () => {
  const email = newAddress();
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email });
  expect((await pressLink(email, "Confirm your e-mail address", visitor)).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
});

test("whom the operator invites gets a mail of ours, and is in after its link", async () => {
  const email = newAddress();
  const { error } = await database.auth.admin.inviteUserByEmail(email);
  expect(error).toBe(null);
  const visitor = new Visitor();
  expect((await pressLink(email, "Your LiveKit Deploy account", visitor)).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
});

test("a mail's link leads to the site's own page, with one slash", async () => {
  const email = await someoneWithPassword();
  await new Visitor().post("/signin", { intent: "magic_link", email });
  const link = linkIn(await mailTo(email, "Your sign-in link"));
  expect(link).toMatch(/^\/auth\/confirm\?token_hash=/);
});

test("a link of every kind names its account before it is pressed", async () => {
  const pageText = async (email: string, subject: string) => {
    const page = await new Visitor().request(linkIn(await mailTo(email, subject)));
    return textOfHtml(await page.text());
  };
  const email = newAddress("named");
  await new Visitor().post("/signin", { intent: "sign_up", email, password: "four quiet servers" });
  expect(await pageText(email, "Confirm your e-mail address")).toContain(
    `This link confirms ${email} and signs you in.`,
  );
  const existing = await someoneWithPassword();
  await new Visitor().post("/signin", { intent: "magic_link", email: existing });
  expect(await pageText(existing, "Your sign-in link")).toContain(
    `This link signs you in as ${existing}.`,
  );
  const forgetful = await someoneWithPassword();
  await new Visitor().post("/signin", { intent: "forgotten_password", email: forgetful });
  expect(await pageText(forgetful, "Choose a new password")).toContain(
    `signs you in as ${forgetful}, to choose a new password.`,
  );
  const visitor = await signedInByPassword(existing);
  const newMail = newAddress("wanted");
  await change(visitor, { intent: "change_email", email: newMail });
  for (const mailbox of [existing, newMail]) {
    expect(await pageText(mailbox, changeMail)).toContain(
      `This link changes the address of the account ${existing}.`,
    );
  }
});
