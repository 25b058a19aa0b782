import { createClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import { change, changeMail, pressLink } from "../../../support/auth/account.ts";
import { buyAtStripe, payOnHostedPage, prices } from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  newestEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { sharedSiteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes, settledStripeEvents } from "../../../support/site/control-fakes.ts";
import { variable } from "../../../support/site/variables.ts";
import { Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

async function buyAsGuest(address: string): Promise<void> {
  const start = await new Visitor().post("/pricing", { plan: "pro" });
  await payOnHostedPage(start.headers.get("location") ?? "", { email: address });
  await settledStripeEvents();
}

async function customers() {
  const { data } = await database.from("customers").select("user_id, origin, email");
  return data;
}

async function dashboardOf(visitor: Visitor): Promise<string> {
  return (await visitor.request("/dashboard")).text();
}

test("a guest's purchase is recorded, and claimed by the user who signs in with that address", async () => {
  await buyAsGuest(email);
  expect(await customers()).toEqual([{ user_id: null, origin: "guest", email }]);

  const buyer = new Visitor();
  await buyer.signInWithGoogle(email);
  expect(await customers()).toEqual([{ user_id: await userIdOf(email), origin: "guest", email }]);
  const page = await dashboardOf(buyer);
  expect(page).toContain("Pro");
  expect(page).toContain("Active");
});

testInProof("upper and lower case in the address make no difference", async () => {
  await buyAsGuest("Customer.One@Example.COM");
  const buyer = new Visitor();
  await buyer.signInWithGoogle(email);
  expect(await dashboardOf(buyer)).toContain("Active");
});

test("somebody else who signs in gets nothing of it, before or after", async () => {
  await buyAsGuest(email);
  const other = new Visitor();
  await other.signInWithGoogle("customer.two@example.com");
  expect(await dashboardOf(other)).toContain("No plan yet");
  await new Visitor().signInWithGoogle(email);
  expect(await dashboardOf(other)).toContain("No plan yet");
});

testInProof("an address that Google has not verified claims nothing", async () => {
  await buyAsGuest("unverified@example.com");
  const visitor = new Visitor();
  await expect(visitor.signInWithGoogle("unverified@example.com")).rejects.toThrow("ended at");
  expect((await visitor.request("/dashboard")).status).toBe(302);
  expect(await customers()).toEqual([
    { user_id: null, origin: "guest", email: "unverified@example.com" },
  ]);
});

testInProof(
  "somebody who is in with an address that the auth server does not call verified claims nothing",
  async () => {
    await buyAsGuest(email);
    const site = await sharedSiteWithFaults();
    site.supabaseProxy.behave(async ({ path }, forward) => {
      const answer = await forward();
      if (!/^\/auth\/v1\/(token|user)/.test(path)) return answer;
      const text = Buffer.from(answer.body).toString();
      return { ...answer, body: text.replaceAll('"email_confirmed_at"', '"email_unconfirmed_at"') };
    });
    const visitor = new Visitor(site.url);
    await visitor.signInWithGoogle(email);
    expect(await dashboardOf(visitor)).toContain("No plan yet");
    expect(await customers()).toEqual([{ user_id: null, origin: "guest", email }]);
  },
);

test("an address that signed up by e-mail without confirming claims nothing", async () => {
  await buyAsGuest("new.person@example.com");
  const attacker = createClient(variable("SUPABASE_URL"), variable("SUPABASE_PUBLISHABLE_KEY"));
  const password = "correct horse battery";
  const signUp = await attacker.auth.signUp({ email: "new.person@example.com", password });
  expect(signUp.data.session).toBeNull();
  await attacker.rpc("claim_guest_purchases", {
    claimant: signUp.data.user?.id,
    verified_email: "new.person@example.com",
  });
  expect(await customers()).toMatchObject([{ user_id: null, origin: "guest" }]);
});

testInProof(
  "a purchase whose webhook comes after sign-in is claimed when the dashboard is opened",
  async () => {
    await pauseDeliveries();
    const buyer = new Visitor();
    await buyer.signInWithGoogle(email);
    const { customer } = await buyAtStripe({ email, price: prices.pro });
    expect(await dashboardOf(buyer)).toContain("No plan yet");
    await deliver(await newestEvent("checkout.session.completed", customer));
    expect(await dashboardOf(buyer)).toContain("Active");
  },
);

test("the success page records a purchase before any webhook arrives", async () => {
  await pauseDeliveries();
  const start = await new Visitor().post("/pricing", { plan: "pro" });
  const end = await payOnHostedPage(start.headers.get("location") ?? "", { email });
  expect(await customers()).toEqual([]);
  const page = await new Visitor().request(end.href);
  expect(await page.text()).toContain("Your subscription has been activated.");
  expect(await customers()).toMatchObject([{ user_id: null, origin: "guest", email }]);
});

test("a claimed purchase keeps its owner when Stripe reports it again", async () => {
  await buyAsGuest(email);
  await new Visitor().signInWithGoogle(email);
  const owner = await userIdOf(email);
  const { data } = await database.from("customers").select("id");
  await deliver(await newestEvent("invoice.paid", data?.[0]?.id ?? ""));
  expect(await customers()).toMatchObject([{ user_id: owner }]);
});

test("somebody who bought as a guest cannot be charged for a second plan", async () => {
  await buyAsGuest(email);
  const buyer = new Visitor();
  await buyer.signInWithGoogle(email);
  const response = await buyer.post("/pricing", { plan: "basic" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/dashboard/plan?to=basic");
});

testInProof("metadata that names nobody of ours leaves a guest's record, and no 500", async () => {
  await pauseDeliveries();
  for (const userId of [crypto.randomUUID(), "u-1", "'; drop table customers"]) {
    const { customer } = await buyAtStripe({ email: "guest@example.com", userId });
    const event = await newestEvent("invoice.paid", customer);
    expect((await deliver(event)).status, userId).toBe(200);
    const { data } = await database.from("customers").select("user_id, origin").eq("id", customer);
    expect(data).toEqual([{ user_id: null, origin: "guest" }]);
  }
});

async function signInByMail(address: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email: address });
  await pressLink(address, "Your sign-in link", visitor);
  return visitor;
}

testInProof(
  "two guests with one address: the person behind it gets both purchases by a mailed link",
  async () => {
    const address = "shared.desk@example.com";
    await buyAsGuest(address);
    await buyAsGuest(address);
    const buyer = await signInByMail(address);
    const owner = await userIdOf(address);
    expect(await customers()).toEqual(
      Array.from({ length: 2 }, () => ({ user_id: owner, origin: "guest", email: address })),
    );
    // The later purchase was refunded and ended: test/integration/billing/checkout/paid-twice.test.ts.
    expect(await dashboardOf(buyer)).not.toContain("You have more than one running plan");
  },
);

testInProof(
  "a changed address claims what was bought with it once both links were pressed, not before",
  async () => {
    const address = "new.desk@example.com";
    await buyAsGuest(address);
    const person = new Visitor();
    await person.signInWithGoogle(email);
    await change(person, { intent: "change_email", email: address });
    expect(await dashboardOf(person)).toContain("No plan yet");
    await pressLink(email, changeMail);
    expect(await dashboardOf(person)).toContain("No plan yet");
    expect(await customers()).toMatchObject([{ user_id: null }]);

    await pressLink(address, changeMail, person);
    expect(await customers()).toMatchObject([{ user_id: await userIdOf(address) }]);
    expect(await dashboardOf(person)).toContain("Active");
  },
);

testInProof("an address that somebody else has is claimed by that person alone", async () => {
  const theirs = "customer.two@example.com";
  await buyAsGuest(theirs);
  const thief = new Visitor();
  await thief.signInWithGoogle(email);
  const owner = new Visitor();
  await owner.signInWithGoogle(theirs);
  await change(thief, { intent: "change_email", email: theirs });
  await thief.post("/signin", {
    intent: "sign_up",
    email: theirs,
    password: "correct horse battery",
  });
  await thief.post("/dashboard", {});
  expect(await customers()).toMatchObject([{ user_id: await userIdOf(theirs) }]);
  expect(await dashboardOf(thief)).toContain("No plan yet");
  expect(await dashboardOf(owner)).toContain("Active");
});

testInProof("a sign-up that was not confirmed claims nothing; its mailed link does", async () => {
  const address = "late.desk@example.com";
  await buyAsGuest(address);
  const person = new Visitor();
  await person.post("/signin", {
    intent: "sign_up",
    email: address,
    password: "correct horse battery",
  });
  expect(await customers()).toMatchObject([{ user_id: null }]);
  await pressLink(address, "Confirm your e-mail address", person);
  expect(await customers()).toMatchObject([{ user_id: await userIdOf(address) }]);
});
