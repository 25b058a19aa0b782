import { beforeEach, expect, test } from "vitest";
import {
  accountPageOf,
  ageSignIn,
  alertIn,
  change,
  firstCodeForm,
  freshCode,
  giveSecondFactor,
  recoveryCodesIn,
  setUpWithCodes,
} from "../../support/auth/account.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { testInProof } from "../../support/run/variants.ts";
import { refuseAtAuthServer, resetFakes } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const codePage = "/dashboard/account/code";
const recovered = "/dashboard/account?done=factor-recovered#second-factor";

beforeEach(resetFakes);

async function recover(visitor: Visitor, recovery: string) {
  const response = await visitor.post(codePage, { recovery, next: "/pricing" });
  const page = await response.text();
  return {
    status: response.status,
    location: response.headers.get("location"),
    alert: alertIn(page),
  };
}

async function storedCodes() {
  return (await database.from("recovery_codes").select("*").throwOnError()).data;
}

test("ten codes are shown once when the second factor is on, and kept as hashes only", async () => {
  const visitor = await signedIn();
  const { codes } = await setUpWithCodes(visitor);
  expect(new Set(codes).size).toBe(10);
  const page = await accountPageOf(visitor);
  expect(recoveryCodesIn(page)).toEqual([]);
  expect(page).toContain("10 of 10 are left.");
  const stored = JSON.stringify(await storedCodes());
  for (const code of codes) {
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(code.replaceAll("-", ""));
  }
});

testInProof("new codes end the old ones", async () => {
  const owner = await signedIn();
  const { codes: old } = await setUpWithCodes(owner);
  const { status, page } = await change(owner, { intent: "renew_codes" });
  expect(status).toBe(200);
  expect(page).toContain("These are your new codes. The old ones no longer work.");
  const [fresh = ""] = recoveryCodesIn(page);
  const visitor = await signedIn();
  expect(await recover(visitor, old[0] ?? "")).toEqual({
    status: 400,
    location: null,
    alert: "This recovery code is wrong, or it was used already.",
  });
  expect((await recover(visitor, fresh)).location).toBe(recovered);
});

test("a code lets somebody in who lost the phone: the factor goes, others are signed out, and the page says what is next", async () => {
  const thief = await signedIn();
  const { secret, codes } = await setUpWithCodes(await signedIn());
  const other = await signedIn();
  await giveSecondFactor(other, secret, "/dashboard");
  const visitor = await signedIn();
  const typed = (codes[3] ?? "").toLowerCase().replaceAll("-", " ");
  const { status, location } = await recover(visitor, typed);
  expect([status, location]).toEqual([303, recovered]);
  const page = await (await visitor.request(recovered)).text();
  expect(page).toContain("Set up a new second factor now.");
  expect(page).toContain("Not set up.");
  for (const elsewhere of [thief, other]) {
    expect((await elsewhere.request("/dashboard/account")).status).toBe(302);
  }
  expect(await storedCodes()).toEqual([]);
  const bought = await visitor.post("/pricing", { plan: "basic" });
  expect(bought.headers.get("location")).toContain("/c/pay/");
});

test("a code works once: of two who come with it at the same moment one gets in", async () => {
  await setUpWithCodes(await signedIn());
  const person = await userIdOf(email);
  const stored = await storedCodes();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      database.rpc("use_recovery_code", { person, hash: stored[0]?.code_hash ?? "" }),
    ),
  );
  expect(answers.filter(({ data }) => data)).toHaveLength(1);
  expect((await database.rpc("recovery_codes_left", { person })).data).toBe(9);
});

testInProof(
  "a code is given back when the sign-in service does not remove the factor",
  async () => {
    const { codes } = await setUpWithCodes(await signedIn());
    const person = await userIdOf(email);
    const visitor = await signedIn();
    const { data: factors } = await database.auth.admin.mfa.listFactors({ userId: person });
    await refuseAtAuthServer({
      path: `/auth/v1/admin/users/${person}/factors/${factors?.factors[0]?.id}`,
      method: "DELETE",
      status: 500,
      error_code: "unexpected_failure",
      msg: "internal detail",
    });
    const failed = await recover(visitor, codes[0] ?? "");
    expect([failed.status, failed.alert]).toEqual([
      503,
      "Our sign-in service does not answer right now. Your recovery code was not used up. Please try again in a moment.",
    ]);
    expect((await recover(visitor, codes[0] ?? "")).location).toBe(recovered);
  },
);

testInProof("without a second factor there are no codes, and none is taken", async () => {
  const visitor = await signedIn();
  const { codes } = await setUpWithCodes(visitor);
  const id = /name="factorId" value="([^"]+)"/.exec(await accountPageOf(visitor))?.[1] ?? "";
  await change(visitor, { intent: "remove_factor", factorId: id });
  expect(await storedCodes()).toEqual([]);
  expect(await recover(visitor, codes[0] ?? "")).toMatchObject({ location: "/pricing" });
});

testInProof.each(["older", "newer"])(
  "codes outlive the %s of two second factors",
  async (which) => {
    const visitor = await signedIn();
    const { codes } = await setUpWithCodes(visitor);
    const [first = ""] = factorsIn(await accountPageOf(visitor));
    await addSecondFactor(visitor);
    const both = factorsIn(await accountPageOf(visitor));
    expect(both).toHaveLength(2);
    const second = both.find((id) => id !== first) ?? "";
    await change(visitor, {
      intent: "remove_factor",
      factorId: which === "older" ? first : second,
    });
    const person = await userIdOf(email);
    const { data: standing } = await database.auth.admin.mfa.listFactors({ userId: person });
    expect(standing?.factors.map(({ id }) => id)).toEqual([which === "older" ? second : first]);
    expect((await database.rpc("recovery_codes_left", { person })).data).toBe(10);
    expect((await recover(await signedIn(), codes[0] ?? "")).location).toBe(recovered);
  },
);

testInProof(
  "codes outlive the older factor also where nobody looked at them while both stood",
  async () => {
    const visitor = await signedIn();
    const { codes } = await setUpWithCodes(visitor);
    const [first = ""] = factorsIn(await accountPageOf(visitor));
    await addSecondFactor(visitor);
    // No page was opened between the two.
    await change(visitor, { intent: "remove_factor", factorId: first });
    expect((await recover(await signedIn(), codes[0] ?? "")).location).toBe(recovered);
  },
);

testInProof("codes whose last factor was removed elsewhere do not serve the next one", async () => {
  const visitor = await signedIn();
  await setUpWithCodes(visitor);
  const person = await userIdOf(email);
  const [old] = await storedCodes();
  const [only = ""] = factorsIn(await accountPageOf(visitor));
  await removeElsewhere(person, only);
  await setUpWithCodes(await signedIn());
  await database
    .from("recovery_codes")
    .insert({ user_id: person, code_hash: old?.code_hash ?? "", factors: old?.factors ?? [] })
    .throwOnError();
  const hash = old?.code_hash ?? "";
  expect((await database.rpc("use_recovery_code", { person, hash })).data).toBe(false);
  expect((await database.rpc("recovery_codes_left", { person })).data).toBe(10);
});

/** The ids of the second factors that a page offers to remove. */
function factorsIn(page: string): string[] {
  return [...page.matchAll(/name="factorId" value="([^"]+)"/g)].map(([, id = ""]) => id);
}

/** A further second factor: no new codes are shown. */
async function addSecondFactor(visitor: Visitor): Promise<void> {
  const { page } = await change(visitor, { intent: "enrol", name: "" });
  const form = firstCodeForm(page);
  const { location } = await change(visitor, { ...form, code: freshCode(form.secret ?? "") });
  expect(location).toBe("/dashboard/account?done=factor-added#second-factor");
}

/** As an operator removes a factor at the auth server. */
async function removeElsewhere(userId: string, id: string): Promise<void> {
  const { error } = await database.auth.admin.mfa.deleteFactor({ userId, id });
  expect(error).toBeNull();
}

testInProof("a browser that was left open makes no codes", async () => {
  const visitor = await signedIn();
  await setUpWithCodes(visitor);
  ageSignIn(visitor, 16);
  expect(await accountPageOf(visitor)).not.toContain("Make new recovery codes");
});

testInProof.each(["", "123456", "<script>", "UUUU-UUUU-UUUU-UUUU-UUUU-UUUU"])(
  "%j is refused as what it is, and costs no try",
  async (typed) => {
    const { codes } = await setUpWithCodes(await signedIn());
    const visitor = await signedIn();
    for (let count = 0; count < 6; count++) {
      expect(await recover(visitor, typed)).toMatchObject({
        status: 400,
        alert: "A recovery code has six groups of four letters and digits. Check for a slip.",
      });
    }
    expect((await recover(visitor, codes[0] ?? "")).location).toBe(recovered);
  },
);
