import { expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import {
  accountPageOf,
  alertIn,
  change,
  firstCodeForm,
  giveSecondFactor,
  pressLink,
  setUpSecondFactor,
} from "../../support/auth/account.ts";
import { prices, receivedWrites } from "../../support/billing/stripe-account.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const faultySite = siteWithFaults();

/** What needs a second factor once there is one, and where it leads without. */
const protectedPosts: [string, string, Record<string, string>, string][] = [
  ["the customer portal", "/dashboard/billing", {}, "/dashboard"],
  ["a checkout on the price page", "/pricing", { plan: "basic" }, "/pricing"],
  ["a checkout after sign-up", "/signup", { option: "monthly" }, "/signup"],
  ...(
    [
      [{ intent: "delete", confirmation: email }, "deletion"],
      [{ intent: "change_email", email: "thief@example.com" }, "email"],
      [{ intent: "change_password", password: "four quiet servers hum" }, "password"],
      [{ intent: "enrol", name: "a second one" }, "second-factor"],
    ] as const
  ).map(([fields, section]): [string, string, Record<string, string>, string] => [
    `the form ${fields.intent}`,
    "/dashboard/account",
    fields,
    `/dashboard/account#${section}`,
  ]),
];

test("once there is a second factor, money and the account ask for it, and go on after it", async () => {
  const owner = await signedIn();
  const secret = await setUpSecondFactor(owner);
  expect(await accountPageOf(owner)).toContain("Remove Authenticator app");

  const visitor = await signedIn();
  const page = await visitor.request("/dashboard/account");
  expect([page.status, page.headers.get("location")]).toEqual([
    302,
    "/dashboard/account/code?next=%2Fdashboard%2Faccount",
  ]);
  for (const [what, path, fields, next] of protectedPosts) {
    const response = await visitor.post(path, fields);
    expect([response.status, response.headers.get("location")], what).toEqual([
      303,
      `/dashboard/account/code?${new URLSearchParams({ next })}`,
    ]);
  }
  const order = await visitor.request("/api/create-checkout-session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ priceId: prices.monthly, userId: await userIdOf(email) }),
  });
  expect([order.status, await order.json()]).toEqual([
    403,
    {
      error: "Give the code of your second factor first, then try again.",
      url: "/dashboard/account/code?next=%2Fsignup",
    },
  ]);
  expect(await receivedWrites()).toEqual([]);

  const wrong = await visitor.post("/dashboard/account/code", { code: "000000", next: "/pricing" });
  expect(wrong.status).toBe(400);
  expect(alertIn(await wrong.text())).toContain("This code is wrong or too old.");
  const right = await giveSecondFactor(visitor, secret, "/pricing");
  expect([right.status, right.headers.get("location")]).toEqual([303, "/pricing"]);
  const bought = await visitor.post("/pricing", { plan: "basic" });
  expect(bought.headers.get("location")).toContain("/c/pay/");
});

testInProof(
  "turning it on signs out who has not given it, and a refresh keeps what was given",
  async () => {
    const other = await signedIn();
    const owner = await signedIn();
    await setUpSecondFactor(owner);
    expect((await other.request("/dashboard/account")).status).toBe(302);
    owner.expireSession();
    const { status, page } = await change(owner, { intent: "enrol", name: "Spare\0 phone" });
    expect(status).toBe(200);
    expect(page).toContain("Scan this with your authenticator app.");
  },
);

testInProof(
  "the code of a factor that is set up is not taken where one is being set up",
  async () => {
    const owner = await signedIn();
    const secret = await setUpSecondFactor(owner);
    const { data } = await database.auth.admin.mfa.listFactors({ userId: await userIdOf(email) });
    const answer = await change(owner, {
      intent: "finish_enrolment",
      factorId: data?.factors[0]?.id ?? "",
      secret,
      code: "000000",
    });
    expect([answer.status, answer.alert]).toEqual([400, accountFailures.notFound]);
  },
);

testInProof("a wrong first code turns nothing on and keeps the secret on the page", async () => {
  const visitor = await signedIn();
  const begun = await change(visitor, { intent: "enrol", name: "" });
  expect(begun.page).toMatch(/<img src="data:image\/svg\+xml/);
  // The auth server's own picture would make it many times as long.
  expect(begun.page.length).toBeLessThan(100_000);
  let form = firstCodeForm(begun.page);
  const { secret } = form;
  for (const code of ["", "12345", "abcdef", "000000"]) {
    const tried = await change(visitor, { ...form, code });
    form = firstCodeForm(tried.page);
    expect([tried.status, tried.alert]).toEqual([
      400,
      "This code is wrong or too old. Type the one that the app shows now.",
    ]);
    expect(form.secret).toBe(secret);
  }
  expect(await accountPageOf(visitor)).not.toContain("Remove ");
});

test("it is removed by a session that gave it, and nothing asks for it any more", async () => {
  const visitor = await signedIn();
  await setUpSecondFactor(visitor);
  const id = /name="factorId" value="([^"]+)"/.exec(await accountPageOf(visitor))?.[1] ?? "";
  const { location } = await change(visitor, { intent: "remove_factor", factorId: id });
  expect(location).toBe("/dashboard/account?done=factor-removed#second-factor");
  const later = await signedIn();
  expect(await accountPageOf(later)).not.toContain("Remove ");
  expect((await later.post("/pricing", { plan: "basic" })).headers.get("location")).toContain(
    "/c/",
  );
});

testInProof(
  "the page that asks leads on at once when nothing is due, and to this site only",
  async () => {
    const visitor = await signedIn();
    const response = await visitor.request("/dashboard/account/code?next=//evil.example");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/dashboard"]);
  },
);

testInProof.each([
  [404, "not_found"],
  [422, "mfa_totp_enroll_not_enabled"],
])("a sign-in server that answers %i %s: a note in place of the form", async (status, code) => {
  const visitor = await signedIn(email, faultySite().url);
  faultySite().supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/auth/v1/factors")
      ? {
          status,
          headers: { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" },
          body: JSON.stringify({ code, message: "internal detail" }),
        }
      : forward(),
  );
  const { status: shown, page } = await change(visitor, { intent: "enrol", name: "" });
  faultySite().recover();
  expect(shown).toBe(200);
  expect(page).toContain("The sign-in server of this site does not offer a second factor.");
  expect(page).not.toContain("Set up");
  expect(page).not.toContain("internal detail");
});

testInProof(
  "a user who has it and forgot the password gives it, and then chooses a new one",
  async () => {
    const secret = await setUpSecondFactor(await signedIn());
    const visitor = new Visitor();
    const chosen = { intent: "update_password", password: "four quiet servers hum" };
    const view = "/signin#auth-update-password";
    const codePage = `/dashboard/account/code?${new URLSearchParams({ next: view })}`;
    await visitor.post("/signin", { intent: "forgotten_password", email });
    const arrival = await pressLink(email, "Choose a new password", visitor);
    expect(arrival.headers.get("location")).toBe(codePage);
    const early = await visitor.post("/signin", chosen);
    expect([early.status, early.headers.get("location")]).toEqual([303, codePage]);

    const given = await giveSecondFactor(visitor, secret, view);
    expect(given.headers.get("location")).toBe(view);
    const saved = await visitor.post("/signin", chosen);
    expect([saved.status, saved.headers.get("location")]).toEqual([
      303,
      "/signin?done=password-updated#auth-sign-in",
    ]);
    const signIn = { intent: "sign_in", email, password: chosen.password };
    expect((await new Visitor().post("/signin", signIn)).status).toBe(303);
  },
);
