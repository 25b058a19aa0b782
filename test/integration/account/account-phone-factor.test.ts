import { beforeEach, expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import {
  accountPageOf,
  alertIn,
  change,
  giveSecondFactor,
  setUpSecondFactor,
  withoutScripts,
} from "../../support/auth/account.ts";
import {
  phone,
  setUpPhone,
  textCount,
  textedCode,
  textedFields,
} from "../../support/auth/phones.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { testInProof } from "../../support/run/variants.ts";
import { refuseAtAuthServer, resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const codePage = "/dashboard/account/code";

beforeEach(resetFakes);

/** Posts one form of the page that asks for the second factor. */
async function give(visitor: Visitor, fields: Record<string, string>) {
  const response = await visitor.post(codePage, { next: "/pricing", ...fields });
  const page = withoutScripts(await response.text());
  return {
    status: response.status,
    location: response.headers.get("location"),
    page,
    alert: alertIn(page),
  };
}

async function codePageOf(visitor: Visitor): Promise<string> {
  return withoutScripts(await (await visitor.request(codePage)).text());
}

/** As if the last text to each telephone was more than a minute ago. */
const aMinuteLater = () =>
  runSql("update auth.mfa_factors set last_challenged_at = now() - interval '61 seconds'");

async function phoneFactorId(): Promise<string> {
  const { data } = await database.auth.admin.mfa.listFactors({ userId: await userIdOf(email) });
  return data?.factors.find(({ factor_type }) => factor_type === "phone")?.id ?? "";
}

test("a phone as second factor: turned on by a texted code, asked for at sign-in, removed", async () => {
  const owner = await signedIn();
  expect(await setUpPhone(owner)).toHaveLength(10);
  expect(await accountPageOf(owner)).toContain("Remove Phone ending in 67");

  await aMinuteLater();
  const visitor = await signedIn();
  const led = await visitor.request("/dashboard/account");
  expect(led.headers.get("location")).toBe(`${codePage}?next=%2Fdashboard%2Faccount`);
  const page = await codePageOf(visitor);
  expect(page).toContain("Text a code to the number ending in 67");
  expect(page).not.toContain("Open your authenticator app.");
  expect(page).not.toContain(phone.slice(1));
  // Opening the page texts nothing: each text costs.
  expect(await textCount()).toBe(1);

  const sent = await give(visitor, { text: await phoneFactorId() });
  expect(sent.page).toContain("A code is on its way to the number ending in 67.");
  expect(await textCount()).toBe(2);
  const fields = textedFields(sent.page);
  const wrong = await give(visitor, { ...fields, code: "000000" });
  expect([wrong.status, wrong.alert]).toEqual([400, accountFailures.textedCode]);
  const code = await textedCode();
  const right = await give(visitor, { ...textedFields(wrong.page), code });
  expect([right.status, right.location]).toEqual([303, "/pricing"]);

  // Each text is taken once.
  const thief = await signedIn();
  const again = await give(thief, { ...fields, code });
  expect([again.status, again.alert]).toEqual([400, accountFailures.textedElsewhere]);

  const removed = await change(visitor, {
    intent: "remove_factor",
    factorId: await phoneFactorId(),
  });
  expect(removed.location).toBe("/dashboard/account?done=factor-removed#second-factor");
  expect((await (await signedIn()).request("/dashboard/account")).status).toBe(200);
});

test("with an app and a phone either is enough, and a code of the app texts nobody", async () => {
  const owner = await signedIn();
  const secret = await setUpSecondFactor(owner);
  await setUpPhone(owner);
  const byApp = await signedIn();
  const page = await codePageOf(byApp);
  expect(page).toContain("Open your authenticator app.");
  expect(page).toContain("Text a code to the number ending in 67");
  expect((await give(byApp, { code: "000000" })).status).toBe(400);
  expect((await giveSecondFactor(byApp, secret, "/pricing")).status).toBe(303);
  expect(await textCount()).toBe(1);

  await aMinuteLater();
  const byPhone = await signedIn();
  const sent = await give(byPhone, { text: await phoneFactorId() });
  const given = await give(byPhone, { ...textedFields(sent.page), code: await textedCode() });
  expect(given.location).toBe("/pricing");
});

testInProof("a recovery code removes a phone that was lost", async () => {
  const [recovery = ""] = await setUpPhone(await signedIn());
  const visitor = await signedIn();
  const spent = await give(visitor, { recovery });
  expect(spent.location).toBe("/dashboard/account?done=factor-recovered#second-factor");
  expect(await accountPageOf(visitor)).not.toContain("Remove Phone");
});

testInProof(
  "the codes of a phone count as tries of the account, with those of an app",
  async () => {
    await setUpPhone(await signedIn());
    await aMinuteLater();
    const visitor = await signedIn();
    const { page } = await give(visitor, { text: await phoneFactorId() });
    const fields = { ...textedFields(page), code: "000000" };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await give(visitor, fields)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  },
);

test("texts are limited by person and by new number, before the auth server is asked", async () => {
  const owner = await signedIn();
  for (const last of [1, 2, 3, 4, 5]) {
    const { status } = await change(owner, { intent: "enrol_phone", phone: `+49151000000${last}` });
    expect(status).toBe(200);
  }
  const sixth = await change(owner, { intent: "enrol_phone", phone: "+491510000006" });
  expect([sixth.status, sixth.alert]).toEqual([429, signInFailures.textsInDay]);
  expect(Number(sixth.retryAfter)).toBe(86_400);
  expect(await textCount("+491510000006")).toBe(0);
});

test("a text that was sent a moment ago is not sent again, and its code stays good", async () => {
  await setUpPhone(await signedIn());
  await aMinuteLater();
  const visitor = await signedIn();
  const text = await phoneFactorId();
  const sent = await give(visitor, { text });
  const again = await give(visitor, { text, ...textedFields(sent.page) });
  expect([again.status, again.alert]).toEqual([429, accountFailures.textedBefore]);
  const code = await textedCode();
  expect((await give(visitor, { ...textedFields(again.page), code })).location).toBe("/pricing");
});

test("where the provider of texts takes none, the page says so, and it is no outage", async () => {
  const owner = await signedIn();
  await setUpPhone(owner);
  const id = await phoneFactorId();
  await refuseAtAuthServer({
    path: `/auth/v1/factors/${id}/challenge`,
    status: 500,
    error_code: "unexpected_failure",
    msg: "error sending message",
  });
  const visitor = await signedIn();
  const sent = await give(visitor, { text: id });
  expect([sent.status, sent.alert]).toEqual([503, signInFailures.textUnavailable]);
  expect(sent.page).toContain("Text a code to the number ending in 67");
});

testInProof.each([
  ["an old code", "update auth.mfa_challenges set created_at = now() - interval '6 minutes'"],
  ["another network", "update auth.mfa_challenges set ip_address = '192.0.2.99'"],
])("%s of a text is refused with what to do", async (_, change) => {
  await setUpPhone(await signedIn());
  await aMinuteLater();
  const visitor = await signedIn();
  const { page } = await give(visitor, { text: await phoneFactorId() });
  await runSql(change);
  const late = await give(visitor, { ...textedFields(page), code: await textedCode() });
  expect([late.status, late.alert]).toEqual([400, accountFailures.textedElsewhere]);
});

testInProof("a stranger's factor is neither texted nor given", async () => {
  await setUpPhone(await signedIn());
  const factorId = await phoneFactorId();
  const stranger = await signedIn("customer.two@example.com");
  await setUpPhone(stranger, "+491517654321");
  const visitor = await signedIn("customer.two@example.com");
  await aMinuteLater();
  expect((await give(visitor, { text: factorId })).alert).toBe(accountFailures.notFound);
  const fields = { factorId, challengeId: crypto.randomUUID(), code: "123456" };
  expect((await give(visitor, fields)).alert).toBe(accountFailures.notFound);
  expect(await textCount()).toBe(1);
});
