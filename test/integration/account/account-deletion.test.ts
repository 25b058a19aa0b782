import { expect, test } from "vitest";
import { accountPageOf, ageSignIn, change } from "../../support/auth/account.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import {
  payOnHostedPage,
  prices,
  receivedWrites,
  stripe,
} from "../../support/billing/stripe-account.ts";
import {
  deliver,
  madeUpEvent,
  newestEvent,
  pauseDeliveries,
} from "../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import type { ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { runSql, settledStripeEvents } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import { addMember, personalWorkspace } from "../../support/workspaces/workspaces.ts";

const email = "customer.one@example.com";
const wish = { intent: "delete", confirmation: email };
const faultySite = siteWithFaults();

async function statusesAtStripe(): Promise<string[]> {
  const { data } = await stripe.subscriptions.list({ status: "all" });
  return data.map(({ status }) => status);
}

/** Everything that is kept here of anybody. */
async function recordsOfAnybody() {
  const { data: customers } = await database.from("customers").select("id, email");
  const { data: subscriptions } = await database.from("subscriptions").select("id");
  const { data: messages } = await database.from("contact_messages").select("email");
  const users = (await database.auth.admin.listUsers()).data.users.map((user) => user.email);
  return { customers, subscriptions, messages, users };
}

const nothing = { customers: [], subscriptions: [], messages: [], users: [] };

async function writeToSupport(from: string): Promise<void> {
  const message = { name: "One", email: from, topic: "support", message: "Where are the logs?" };
  await database.from("contact_messages").insert(message).throwOnError();
}

test("deleting ends the plan at Stripe, leaves nothing here, and says farewell", async () => {
  const visitor = await signedIn();
  await buy(visitor, "pro");
  await writeToSupport("Customer.One@example.com");
  const { status, location } = await change(visitor, wish);
  expect([status, location]).toEqual([303, "/account-deleted"]);
  expect([...visitor.cookies.keys()]).toEqual([]);
  const farewell = await (await visitor.request(location)).text();
  expect(farewell).toContain("Your account is deleted");
  expect(farewell).not.toContain(email);
  expect(await statusesAtStripe()).toEqual(["canceled"]);
  await settledStripeEvents();
  expect(await recordsOfAnybody()).toEqual(nothing);
  const { data: invoices } = await stripe.invoices.list();
  expect(invoices.map(({ status }) => status)).toEqual(["paid"]);
  expect((await visitor.request("/dashboard")).status).toBe(302);
});

testInProof(
  "the account page says that deleting the account removes deployments with all versions, and it does",
  async () => {
    const visitor = await signedIn();
    const id = await storeDeployment(email, fullOptions());
    await storeVersion(email, id, { ...fullOptions(), size: "large" }, 1);
    const list = /<ol[\s\S]*?<\/ol>/.exec(
      (await accountPageOf(visitor)).split('id="deletion"')[1] ?? "",
    );
    expect(list?.[0]).toContain("removes your deployments with all their versions");
    expect((await change(visitor, wish)).status).toBe(303);
    for (const table of ["deployments", "deployment_versions"] as const) {
      const { count } = await database.from(table).select("*", { count: "exact", head: true });
      expect(count).toBe(0);
    }
  },
);

testInProof(
  "late webhooks bring nothing back, and a person who signs up again starts anew",
  async () => {
    const visitor = await signedIn();
    await buy(visitor, "pro");
    const [customer] = (await stripe.customers.list()).data;
    await change(visitor, wish);
    for (const type of ["customer.updated", "customer.deleted"]) {
      expect((await deliver(madeUpEvent(type, { ...customer }))).status).toBe(200);
    }
    expect(await recordsOfAnybody()).toEqual(nothing);
    const newcomer = await signedIn();
    expect(await (await newcomer.request("/dashboard")).text()).toContain("No plan yet");
    const bought = await newcomer.post("/pricing", { plan: "basic" });
    await payOnHostedPage(bought.headers.get("location") ?? "");
    await settledStripeEvents();
    expect((await stripe.customers.list()).data.length).toBe(2);
    expect(await (await newcomer.request("/dashboard")).text()).toContain("Active");
  },
);

test("the sole owner of a workspace with other members decides about it first, and nothing is lost", async () => {
  const visitor = await signedIn();
  await buy(visitor, "pro");
  const workspace = await personalWorkspace(email);
  const colleague = await signedIn("customer.two@example.com");
  await addMember(workspace, "customer.two@example.com", "admin");
  const before = textOfHtml(await (await visitor.request("/dashboard/account")).text());
  expect(before).toContain("Decide first who owns these workspaces.");
  const { status, page } = await change(visitor, wish);
  expect(status).toBe(409);
  expect(textOfHtml(page)).toContain(
    "Nothing was deleted. Decide first who owns these workspaces: others work there.",
  );
  expect(await statusesAtStripe()).toEqual(["active"]);
  const base = `/dashboard/w/${workspace.slug}`;
  expect((await colleague.request(`${base}/deployments`)).status).toBe(200);
  // Once a colleague owns it too, the account goes and the team keeps its plan.
  await runSql("update public.members set role = 'owner' where workspace_id = $1", [workspace.id]);
  expect((await change(visitor, wish)).status).toBe(303);
  expect(await statusesAtStripe()).toEqual(["active"]);
  expect((await colleague.request(`${base}/deployments`)).status).toBe(200);
});

testInProof("somebody else keeps everything", async () => {
  const other = new Visitor();
  await other.signInWithGoogle("customer.two@example.com");
  await buy(other, "basic");
  await writeToSupport("customer.two@example.com");
  const before = await recordsOfAnybody();
  await change(await signedIn(), wish);
  expect(await recordsOfAnybody()).toEqual(before);
  expect(await statusesAtStripe()).toEqual(["active"]);
});

test("a guest's purchase with the same address ends too", async () => {
  const visitor = await signedIn();
  const start = await new Visitor().post("/pricing", { plan: "pro" });
  await payOnHostedPage(start.headers.get("location") ?? "", { email });
  await settledStripeEvents();
  await change(visitor, wish);
  expect(await statusesAtStripe()).toEqual(["canceled"]);
  expect(await recordsOfAnybody()).toEqual(nothing);
});

testInProof(
  "while a guest's purchase cannot be claimed nothing is deleted, and Stripe is not blamed",
  async () => {
    const visitor = await signedIn(email, faultySite().url);
    faultySite().supabaseProxy.behave(async ({ path }, forward) =>
      path.endsWith("/claim_guest_purchases") ? { status: 500, body: "{}" } : forward(),
    );
    const { status, alert } = await change(visitor, wish);
    expect(status).toBe(503);
    expect(alert).toContain("Nothing was changed.");
    expect((await recordsOfAnybody()).users).toEqual([email]);
  },
);

testInProof("a checkout that stood open can no longer be paid", async () => {
  const visitor = await signedIn();
  const start = await visitor.post("/pricing", { plan: "basic" });
  await change(visitor, wish);
  const hosted = start.headers.get("location") ?? "";
  await expect(payOnHostedPage(hosted)).rejects.toThrow();
  expect(await statusesAtStripe()).toEqual([]);
});

/** A checkout of a closed customer that Stripe let somebody pay all the same. */
async function paidAfterDeletion(): Promise<{ customer: string; subscription: string }> {
  const visitor = await signedIn();
  await visitor.post("/pricing", { plan: "basic" });
  const [customer] = (await stripe.customers.list()).data;
  await change(visitor, wish);
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer?.id ?? "",
    line_items: [{ price: prices.pro, quantity: 1 }],
    success_url: "http://localhost/success",
  });
  await pauseDeliveries();
  await payOnHostedPage(session.url ?? "");
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return { customer: customer?.id ?? "", subscription: String(subscription) };
}

const refunds = async () =>
  (await stripe.refunds.list({ limit: 100 })).data.map(({ amount }) => amount);
const late = "A checkout was paid after its account was deleted";

test("a checkout paid after the account was deleted is refunded and ended, once, and logged", async () => {
  const { customer, subscription } = await paidAfterDeletion();
  const event = await newestEvent("checkout.session.completed", customer);
  const again = await newestEvent("invoice.paid", customer);
  const to = { siteUrl: faultySite().url };
  const both = await Promise.all([deliver(event, to), deliver(again, to)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await deliver(madeUpEvent("customer.updated", { id: customer, object: "customer" }), to);
  expect(await statusesAtStripe()).toEqual(["canceled"]);
  expect(await refunds()).toEqual([99_999]);
  expect(await faultySite().logged({ message: late })).toContainEqual({
    level: "warn",
    message: late,
    requestId: expect.any(String),
    customer,
    subscription,
    refunded: 1,
  });
  expect(await recordsOfAnybody()).toEqual(nothing);
});

testInProof(
  "cut off between refund and end, the next delivery ends it and refunds nothing more",
  async () => {
    const { customer } = await paidAfterDeletion();
    const event = await newestEvent("checkout.session.completed", customer);
    const to = { siteUrl: faultySite().url };
    faultySite().stripeProxy.behave(async ({ method }, forward) =>
      method === "DELETE" ? "cut off" : forward(),
    );
    expect((await deliver(event, to)).status).toBe(500);
    expect(await refunds()).toEqual([99_999]);
    faultySite().recover();
    expect((await deliver(event, to)).status).toBe(200);
    expect(await statusesAtStripe()).toEqual(["canceled"]);
    expect(await refunds()).toEqual([99_999]);
  },
);

testInProof(
  "a refund that Stripe refuses is reported to the operator, and nobody pays on",
  async () => {
    const { customer } = await paidAfterDeletion();
    const event = await newestEvent("checkout.session.completed", customer);
    faultySite().stripeProxy.behave(async ({ path }, forward) => {
      if (path !== "/v1/refunds") return forward();
      const error = { type: "invalid_request_error", code: "charge_disputed", message: "No." };
      const headers = { "content-type": "application/json" };
      return { status: 400, headers, body: JSON.stringify({ error }) };
    });
    expect((await deliver(event, { siteUrl: faultySite().url })).status).toBe(200);
    expect(await statusesAtStripe()).toEqual(["canceled"]);
    await faultySite().logged({ level: "error", message: "A late payment could not be refunded" });
  },
);

test("with Stripe down nothing is deleted, it says so, and pressing again finishes", async () => {
  const visitor = await signedIn(email, faultySite().url);
  await buy(await signedIn(), "pro");
  const before = await recordsOfAnybody();
  const failures: ProxyHandler[] = [
    async ({ method }, forward) => (method === "DELETE" ? "cut off" : forward()),
    async () => ({ status: 500, headers: {}, body: "{}" }),
  ];
  for (const failure of sample(failures, 1)) {
    faultySite().stripeProxy.behave(failure);
    const { status, alert } = await change(visitor, wish);
    expect([status, alert]).toEqual([
      502,
      "Stripe does not answer, so your plan could not be ended and nothing was deleted. Please try again in a moment.",
    ]);
    expect(await recordsOfAnybody()).toEqual(before);
    expect(await statusesAtStripe()).toEqual(["active"]);
  }
  faultySite().recover();
  expect((await change(visitor, wish)).location).toBe("/account-deleted");
  expect(await recordsOfAnybody()).toEqual(nothing);
});

testInProof.each([
  ["our records", "/rest/v1/rpc/remove_personal_records"],
  ["the sign-in", "/auth/v1/admin/users/"],
])("cut off before %s are gone, pressing again finishes", async (_, path) => {
  const visitor = await signedIn(email, faultySite().url);
  await buy(await signedIn(), "basic");
  faultySite().supabaseProxy.behave(async (request, forward) =>
    request.path.startsWith(path) ? { status: 500, body: "{}" } : forward(),
  );
  const { status, alert } = await change(visitor, wish);
  expect([status, alert]).toEqual([
    503,
    "Your plan is ended, but the rest could not be deleted just now. Press the button again in a moment: it finishes the work.",
  ]);
  expect(await statusesAtStripe()).toEqual(["canceled"]);
  faultySite().recover();
  expect((await change(visitor, wish)).location).toBe("/account-deleted");
  await settledStripeEvents();
  expect(await recordsOfAnybody()).toEqual(nothing);
});

testInProof(
  "an answer that was lost after the sign-in is gone changes nothing of the farewell",
  async () => {
    const visitor = await signedIn(email, faultySite().url);
    let lost = 0;
    faultySite().supabaseProxy.behave(async (request, forward) => {
      const answer = await forward();
      return request.method === "DELETE" && lost++ === 0 ? "cut off" : answer;
    });
    expect((await change(visitor, wish)).location).toBe("/account-deleted");
    expect(lost).toBe(1);
    expect(await recordsOfAnybody()).toEqual(nothing);
  },
);

test("the address must be typed, and the sign-in be recent", async () => {
  const visitor = await signedIn();
  for (const confirmation of ["", "yes", "customer.two@example.com"]) {
    const { status, alert } = await change(visitor, { ...wish, confirmation });
    expect([status, alert]).toEqual([
      400,
      `Type ${email} exactly, so that nothing is deleted by accident.`,
    ]);
  }
  ageSignIn(visitor, 16);
  expect(await accountPageOf(visitor)).toContain(
    "For this you must have signed in within the last 15 minutes.",
  );
  const { status } = await change(visitor, wish);
  expect(status).toBe(403);
  expect((await recordsOfAnybody()).users).toEqual([email]);
  expect(await receivedWrites()).toEqual([]);
});

testInProof("an account that is deleted elsewhere takes its rows along for good", async () => {
  const visitor = await signedIn();
  await buy(visitor, "basic");
  const [customer] = (await stripe.customers.list()).data;
  await database.auth.admin.deleteUser(await userIdOf(email));
  expect((await deliver(madeUpEvent("customer.updated", { ...customer }))).status).toBe(200);
  expect(await recordsOfAnybody()).toEqual(nothing);
  // Nobody is left to use the plan, and nobody pays for it on.
  expect(await statusesAtStripe()).toEqual(["canceled"]);
});

testInProof(
  "a customer that was deleted at Stripe does not lock its owner out of buying",
  async () => {
    const visitor = await signedIn();
    await buy(visitor, "basic");
    const [customer] = (await stripe.customers.list()).data;
    await stripe.customers.del(customer?.id ?? "");
    await settledStripeEvents();
    await buy(visitor, "pro");
    const page = await (await visitor.request("/dashboard")).text();
    expect(page).toContain("Pro");
    expect(page).toContain("Active");
    const portal = await visitor.post("/dashboard/billing", {});
    expect(portal.headers.get("location")).toContain("/p/session/");
  },
);
