import { expect, test } from "vitest";
import { change, changeMail, pressLink } from "../../../support/auth/account.ts";
import { beginAnew, runUntilDone } from "../../../support/billing/reconciliation.ts";
import { buyAtStripe, receivedWrites, stripe } from "../../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { faults } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { settledStripeEvents } from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../../support/workspaces/workspaces.ts";

const former = "customer.one@example.com";
const present = "new.desk@example.com";
const faultySite = siteWithFaults();

async function emailAtStripe(customer: string) {
  const found = await stripe.customers.retrieve(customer);
  return found.deleted ? undefined : found.email;
}

/** Somebody with a customer of their account and one of a purchase as a guest, which they claimed. */
async function buyerWithTwoCustomers() {
  const visitor = await signedIn(former);
  const account = await buyAtStripe({ email: former, userId: await userIdOf(former) });
  const guest = await buyAtStripe({ email: "Customer.One@Example.com" });
  await settledStripeEvents();
  await visitor.request("/dashboard");
  await signedIn(former);
  return { visitor, customers: [account.customer, guest.customer] };
}

const heir = "customer.two@example.com";

/** Somebody's team with a customer at Stripe, and another member of it. */
async function teamWith(role: "operator" | "owner") {
  const owner = await signedIn(former);
  await signedIn(heir);
  const team = await newWorkspace(former, "blue-team");
  await addMember(team, heir, role);
  const metadata = { workspace_id: team.id };
  const { id } = await stripe.customers.create({ email: former, metadata });
  await database
    .from("customers")
    .insert({ id, workspace_id: team.id, origin: "account", email: former })
    .throwOnError();
  await pauseDeliveries();
  return { owner, id };
}

test("a workspace that is handed over has its new owner's address at Stripe at once", async () => {
  const { owner, id } = await teamWith("operator");
  const sure = { intent: "hand-over", address: heir, sure: "yes" };
  await owner.post("/dashboard/w/blue-team/settings", sure);
  expect(await emailAtStripe(id)).toBe(heir);
});

test("a workspace that one of two owners leaves has the other's address at Stripe at once", async () => {
  const { owner, id } = await teamWith("owner");
  await owner.post("/dashboard/w/blue-team/members", { intent: "leave" });
  expect(await emailAtStripe(id)).toBe(heir);
});

testInProof(
  "a workspace has another owner's address at Stripe once one was removed or deleted",
  async () => {
    const { id } = await teamWith("owner");
    const person = await userIdOf(former);
    await (await signedIn(heir)).post("/dashboard/w/blue-team/members", {
      intent: "remove",
      person,
    });
    expect(await emailAtStripe(id)).toBe(heir);
  },
);

async function confirmNewAddress(visitor: Visitor) {
  await change(visitor, { intent: "change_email", email: present });
  await pressLink(former, changeMail);
  return pressLink(present, changeMail, new Visitor());
}

const updates = async () =>
  (await receivedWrites()).filter(({ path }) => /^\/v1\/customers\/cus_/.test(path));

test("an address counts at Stripe once it is confirmed, for every customer of the account, once each", async () => {
  const { visitor, customers } = await buyerWithTwoCustomers();
  const [, guest = ""] = customers;
  expect(await emailAtStripe(guest)).toBe("Customer.One@Example.com");
  await change(visitor, { intent: "change_email", email: present });
  await pressLink(former, changeMail);
  expect(await updates()).toEqual([]);

  await pressLink(present, changeMail, new Visitor());
  for (const customer of customers) {
    await pollUntil(
      () => emailAtStripe(customer),
      (email) => email === present,
    );
  }
  await settledStripeEvents();
  expect(await updates()).toHaveLength(2);
  const { data } = await database.from("customers").select("email").throwOnError();
  expect(data).toEqual([{ email: present }, { email: present }]);
});

testInProof(
  "what did not reach Stripe at that moment is brought by the reconciliation",
  async () => {
    const visitor = await signedIn(former, faultySite().url);
    const { customer } = await buyAtStripe({ email: former, userId: await userIdOf(former) });
    await settledStripeEvents();
    await change(visitor, { intent: "change_email", email: present });
    await pressLink(former, changeMail, new Visitor(faultySite().url));
    faultySite().stripeProxy.behave(faults["cut off"]);
    const pressed = await pressLink(present, changeMail, new Visitor(faultySite().url));
    expect(pressed.status).toBe(303);
    await faultySite().logged({ message: "An address did not reach Stripe" });
    expect(await emailAtStripe(customer)).toBe(former);

    faultySite().recover();
    await runUntilDone(faultySite());
    expect(await emailAtStripe(customer)).toBe(present);
    expect(faultySite().everyLogLine().join()).not.toContain("@");
    await beginAnew();
    await runUntilDone(faultySite());
    expect(await updates()).toHaveLength(1);
  },
);

test("an address that somebody set at Stripe stays, also when the account's changes", async () => {
  const visitor = await signedIn(former);
  const { customer } = await buyAtStripe({ email: former, userId: await userIdOf(former) });
  await settledStripeEvents();
  await stripe.customers.update(customer, { email: "accounts@elsewhere.example" });
  await settledStripeEvents();
  expect(await emailAtStripe(customer)).toBe("accounts@elsewhere.example");
  await confirmNewAddress(visitor);
  await runUntilDone(faultySite());
  expect(await emailAtStripe(customer)).toBe("accounts@elsewhere.example");
  // The one of this test itself.
  expect(await updates()).toHaveLength(1);

  // Back at the account's own address, it follows again.
  await stripe.customers.update(customer, { email: present });
  await settledStripeEvents();
  const { data } = await database.from("customers").select("followed_address").throwOnError();
  expect(data).toEqual([{ followed_address: present }]);
});

testInProof("an address that Stripe does not take stops nothing else", async () => {
  const visitor = await signedIn(former, faultySite().url);
  await buyAtStripe({ email: former, userId: await userIdOf(former) });
  await settledStripeEvents();
  await change(visitor, { intent: "change_email", email: present });
  await pressLink(former, changeMail, new Visitor(faultySite().url));
  faultySite().stripeProxy.behave(async ({ method, path }, forward) => {
    if (method !== "POST" || !path.startsWith("/v1/customers/")) return forward();
    const error = {
      type: "invalid_request_error",
      code: "email_invalid",
      message: "Invalid email",
    };
    const headers = { "content-type": "application/json" };
    return { status: 400, headers, body: JSON.stringify({ error }) };
  });
  await pressLink(present, changeMail, new Visitor(faultySite().url));
  await faultySite().logged({ message: "Stripe did not take an address", level: "warn" });
  await runUntilDone(faultySite());
  const done = await faultySite().logged({ message: "Records were reconciled with Stripe" });
  expect(done).toMatchObject([{ done: true, mended: 0, failed: 0 }]);
  const { data } = await database.from("customers").select("email, refused_address").throwOnError();
  expect(data).toEqual([{ email: former, refused_address: present }]);
});

test("nobody's unconfirmed address goes to Stripe", async () => {
  const visitor = await signedIn(former);
  const { customer } = await buyAtStripe({ email: former, userId: await userIdOf(former) });
  await settledStripeEvents();
  await change(visitor, { intent: "change_email", email: present });
  await visitor.post("/dashboard?index", {});
  expect(await emailAtStripe(customer)).toBe(former);
  await confirmNewAddress(visitor);
  await pollUntil(
    () => emailAtStripe(customer),
    (email) => email === present,
  );
});
