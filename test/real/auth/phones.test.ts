import { expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { accountPageOf, alertIn, change, recoveryCodesIn } from "../../support/auth/account.ts";
import { mailTo } from "../../support/auth/inbox.ts";
import { googleCredential, nonceIn, oneTapVariables } from "../../support/auth/one-tap.ts";
import { textedFields } from "../../support/auth/phones.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { isIn, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const twilio = {
  GOTRUE_SMS_PROVIDER: "twilio",
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: "AC0",
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: "token",
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: "MG0",
};
const real = oneRealSite({
  auth: {
    ...twilio,
    GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
    GOTRUE_RATE_LIMIT_SMS_SENT: "100",
  },
  site: { SIGN_IN_SMS: "on", SECOND_FACTOR_SMS: "on", ...oneTapVariables },
});

let numbers = 1_000_000;
/** A number that nobody has, and that the provider takes. */
const newNumber = () => `+49151${numbers++}1`;

/** The code of the newest text to a number. */
function codeTo(phone: string): string {
  const text = real().texts.findLast(({ to }) => to === phone)?.text ?? "";
  return /\d{6}/.exec(text)?.[0] ?? "";
}

async function setUp(owner: Visitor, phone: string) {
  const { page } = await change(owner, { intent: "enrol_phone", phone });
  const fields = { intent: "finish_phone", ...textedFields(page), code: codeTo(phone) };
  return recoveryCodesIn((await change(owner, fields)).page);
}

const give = async (visitor: Visitor, fields: Record<string, string>) => {
  const response = await visitor.post("/dashboard/account/code", { next: "/dashboard", ...fields });
  const page = await response.text();
  return { location: response.headers.get("location"), page, alert: alertIn(page) };
};

test("phone as second factor: enrolled, asked for, given, and gone with a recovery code", async () => {
  const email = await someoneWithPassword();
  const phone = newNumber();
  const [recovery = ""] = await setUp(await signedInByPassword(email), phone);
  await real().query(
    "update auth.mfa_factors set last_challenged_at = now() - interval '2 minutes'",
  );
  const visitor = await signedInByPassword(email);
  expect(await isIn(visitor)).toBe(false);
  const [factor] = await real().query<{ id: string }>(
    "select f.id from auth.mfa_factors f join auth.users u on u.id = f.user_id where u.email = $1",
    [email],
  );
  const sent = await give(visitor, { text: factor?.id ?? "" });
  const again = await give(visitor, { text: factor?.id ?? "", ...textedFields(sent.page) });
  expect(again.alert).toBe(accountFailures.textedBefore);
  const fields = textedFields(again.page);
  expect((await give(visitor, { ...fields, code: "000000" })).alert).toBe(
    accountFailures.textedCode,
  );
  expect((await give(visitor, { ...fields, code: codeTo(phone) })).location).toBe("/dashboard");
  expect(await isIn(visitor)).toBe(true);
  const other = await signedInByPassword(email);
  expect((await give(other, { ...fields, code: codeTo(phone) })).alert).toBe(
    accountFailures.textedElsewhere,
  );
  expect((await give(other, { recovery })).location).toContain("factor-recovered");
  expect(await accountPageOf(other)).not.toContain("Remove Phone");
});

test("a number that the provider does not take is said to be so, and is no outage", async () => {
  const owner = await signedInByPassword(await someoneWithPassword());
  const refused = await change(owner, { intent: "enrol_phone", phone: "+491510000009" });
  expect([refused.status, refused.alert]).toEqual([503, signInFailures.textUnavailable]);
});

test("phone_change: by a code, with a mail to the owner, and no session more", async () => {
  const email = await someoneWithPassword();
  const phone = newNumber();
  const owner = await signedInByPassword(email);
  const count = () =>
    real().query(
      "select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1",
      [email],
    );
  await change(owner, { intent: "change_phone", phone });
  const finish = { intent: "finish_phone_change", phone };
  expect((await change(owner, { ...finish, code: "000000" })).alert).toBe(
    accountFailures.phoneCode,
  );
  const done = await change(owner, { ...finish, code: codeTo(phone) });
  expect(done.location).toBe("/dashboard/account?done=phone-changed#phone");
  expect(await count()).toHaveLength(1);
  expect(await accountPageOf(owner)).toContain(phone);
  expect((await mailTo(email, "A new way to sign in was added")).html).toContain("phone signs in");
  const second = newNumber();
  await real().query("update auth.users set phone_change_sent_at = null");
  await change(owner, { intent: "change_phone", phone: second });
  await change(owner, { ...finish, phone: second, code: codeTo(second) });
  expect((await mailTo(email, "Your phone number was changed")).html).toContain(second);

  const sent = real().texts.length;
  const stranger = await signedInByPassword(await someoneWithPassword());
  const taken = await change(stranger, { intent: "change_phone", phone: second });
  expect([taken.status, taken.alert]).toEqual([200, ""]);
  expect(real().texts).toHaveLength(sent);
});

test("id_token: Google One Tap's token signs in with this browser's nonce, and with no other", async () => {
  const onSignUpPage = async () => {
    const visitor = new Visitor();
    return { visitor, nonce: nonceIn(await (await visitor.request("/signup")).text()) };
  };
  const { visitor, nonce } = await onSignUpPage();
  const give = (who: Visitor, credential: string) =>
    who.post("/signin", { intent: "one_tap", credential, next: "/signup" });
  for (const wrong of [
    await googleCredential("0".repeat(64)),
    await googleCredential(""),
    await googleCredential(nonce, "customer.one@example.com", "another-client"),
  ]) {
    expect((await give(visitor, wrong)).status).toBe(400);
  }
  const credential = await googleCredential(nonce);
  expect((await give((await onSignUpPage()).visitor, credential)).status).toBe(400);
  expect((await give(visitor, credential)).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
});
