import { expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { accountPageOf, ageSignIn, change, setUpSecondFactor } from "../../support/auth/account.ts";
import { codeIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import {
  phone,
  setUpPhone,
  textCount,
  textedCode,
  textedFields,
} from "../../support/auth/phones.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { refuseAtAuthServer, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const firstNumber = "A new way to sign in was added";
const site = siteWithFaults({ SIGN_IN_SMS: "on", SECOND_FACTOR_SMS: "on" });

const enter = (address = email) => signedIn(address, site().url);
const wish = { intent: "change_phone", phone };
const finish = async (visitor: Visitor, code?: string) =>
  change(visitor, { intent: "finish_phone_change", phone, code: code ?? (await textedCode()) });

const sessionsOfUser = () =>
  runSql<{ count: number }>(
    "select count(*)::int from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1",
    [email],
  );

test("phone_change: a code to the new number, one mail to the owner, and no further session", async () => {
  const owner = await enter();
  await setUpSecondFactor(owner);
  const begun = await change(owner, wish);
  expect([begun.status, begun.alert]).toEqual([200, ""]);
  expect(begun.page).toContain("a code is on its way there");
  const before = await sessionsOfUser();
  const done = await finish(owner);
  expect(done.location).toBe("/dashboard/account?done=phone-changed#phone");
  // The session that the auth server opens with the code is ended: it would be one without the second factor.
  expect(await sessionsOfUser()).toEqual(before);
  const page = await accountPageOf(owner);
  expect(page).toContain(phone);
  expect(page).toContain("Code by text message");
  expect((await mailTo(email, firstNumber)).html).toContain("phone signs in");
  expect((await mailsTo(email)).filter(({ subject }) => subject === firstNumber)).toHaveLength(1);
});

test("a texted code signs in and proves no mailbox: a new password needs the old one; a mailed code does", async () => {
  const owner = await enter();
  await change(owner, { intent: "change_password", password: "four quiet servers hum" });
  await change(owner, wish);
  await finish(owner);
  const wanted = { intent: "change_password", password: "five loud routers sing" };

  const byPhone = new Visitor(site().url);
  await byPhone.post("/signin", { intent: "phone_code", phone });
  const code = await textedCode();
  const arrived = await byPhone.post("/signin", { intent: "verify_code", phone, code });
  expect([arrived.status, arrived.headers.get("location")]).toEqual([303, "/dashboard"]);
  const refused = await change(byPhone, wanted);
  expect([refused.status, refused.alert]).toEqual([400, accountFailures.currentMissing]);

  const byMail = new Visitor(site().url);
  await byMail.post("/signin", { intent: "magic_link", email });
  const mailed = codeIn(await mailTo(email, "Your sign-in link"));
  await byMail.post("/signin", { intent: "verify_code", email, code: mailed });
  // The proof is that session's alone: it does not go along to one that a texted code opens.
  byPhone.setCookie("mail-proof", byMail.cookies.get("mail-proof") ?? "none");
  expect((await change(byPhone, wanted)).status).toBe(400);
  expect((await change(byMail, wanted)).location).toContain("done=password-saved");
});

test("one SIM is not both proofs: what signs in is no second factor, and a factor's number signs nobody in", async () => {
  const owner = await enter();
  const enrolment = { intent: "enrol_phone", phone };
  const begun = await change(owner, enrolment);
  const factorCode = await textedCode();
  await change(owner, wish);
  await finish(owner);
  const late = await change(owner, {
    intent: "finish_phone",
    ...textedFields(begun.page),
    code: factorCode,
  });
  expect([late.status, late.alert]).toEqual([400, accountFailures.phoneSignsIn]);
  const again = await change(owner, enrolment);
  expect([again.status, again.alert]).toEqual([400, accountFailures.phoneSignsIn]);

  const other = await enter("customer.two@example.com");
  const factor = "+491511234568";
  await setUpPhone(other, factor);
  for (const fields of [
    { intent: "change_phone", phone: factor, code: "" },
    { intent: "finish_phone_change", phone: factor, code: "000000" },
  ]) {
    const refused = await change(other, fields);
    expect([refused.status, refused.alert]).toEqual([400, accountFailures.phoneIsFactor]);
  }
  expect([await textCount(), await textCount(factor)]).toEqual([2, 1]);
});

testInProof("a number of another account gets the same answer and no text", async () => {
  const other = await enter("customer.two@example.com");
  const free = await change(other, wish);
  const wrong = await finish(other, "000000");
  expect([wrong.status, wrong.alert]).toEqual([400, accountFailures.phoneCode]);
  await finish(other);
  const taken = await change(await enter(), wish);
  expect([taken.status, taken.alert]).toEqual([free.status, free.alert]);
  expect(taken.page).toContain(`If ${phone} is not another account`);
  expect(await textCount()).toBe(1);
});

testInProof("a code of another account's change is not taken here", async () => {
  const other = await enter("customer.two@example.com");
  await change(other, wish);
  const stolen = await finish(await enter());
  expect([stolen.status, stolen.alert]).toEqual([400, accountFailures.phoneCode]);
  expect((await finish(other)).location).toContain("phone-changed");
});

testInProof("it wants a sign-in of the last fifteen minutes", async () => {
  const visitor = await enter();
  ageSignIn(visitor, 16);
  const late = await change(visitor, wish);
  expect([late.status, late.alert]).toEqual([403, accountFailures.signInAgain]);
  expect(await textCount()).toBe(0);
});

testInProof.each([
  [
    "sms_send_failed",
    422,
    "Error sending phone_change OTP to provider",
    [503, signInFailures.textUnavailable],
  ],
  [
    "over_sms_send_rate_limit",
    429,
    "SMS rate limit exceeded",
    [503, signInFailures.textUnavailable],
  ],
  [
    "over_sms_send_rate_limit",
    429,
    "For security purposes, you can only request this after 20 seconds.",
    [429, accountFailures.textedBefore],
  ],
  [
    "user_sso_managed",
    422,
    "Updating email, phone, password of a SSO account only possible via SSO",
    [400, signInFailures.phoneWrong],
  ],
] as const)("the auth server refuses with %s: %i %s", async (error_code, status, msg, answer) => {
  const visitor = await enter();
  await refuseAtAuthServer({ path: "/auth/v1/user", method: "PUT", status, error_code, msg });
  const refused = await change(visitor, wish);
  expect([refused.status, refused.alert]).toEqual([...answer]);
});
