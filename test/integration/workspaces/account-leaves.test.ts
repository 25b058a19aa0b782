import { expect, test } from "vitest";
import { change } from "../../support/auth/account.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { runSql, settledStripeEvents } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn } from "../../support/site/visitor.ts";
import {
  addMember,
  personalWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const email = "customer.one@example.com";
const colleague = "customer.two@example.com";
const wish = { intent: "delete", confirmation: email };
const json = { "content-type": "application/json" };
const faultySite = siteWithFaults();

const customers = () => runSql("select id from public.customers");
const exists = async () =>
  (await runSql("select id from auth.users where email = $1", [email])).length === 1;

async function statusesAtStripe(): Promise<string[]> {
  const { data } = await stripe.subscriptions.list({ status: "all" });
  return data.map(({ status }) => status);
}

/** A team with a plan, which `email` and another owner own; and what happens there before our records are removed. */
async function teamDuringDeletion(meanwhile: (team: StoredWorkspace) => Promise<void>) {
  const other = await signedIn(colleague);
  await buy(other, "pro");
  const team = await personalWorkspace(colleague);
  const visitor = await signedIn(email, faultySite().url);
  await addMember(team, email, "owner");
  faultySite().supabaseProxy.behave(async ({ path }, forward) => {
    if (path.endsWith("/remove_personal_records")) await meanwhile(team);
    return forward();
  });
  return visitor;
}

test("a plan that goes because the last other member left meanwhile is ended too", async () => {
  let left = false;
  const visitor = await teamDuringDeletion(async (team) => {
    if (!left) await removeMember(team, colleague);
    left = true;
  });
  expect((await change(visitor, wish)).location).toBe("/account-deleted");
  expect(left).toBe(true);
  expect(await statusesAtStripe()).toEqual(["canceled"]);
  await settledStripeEvents();
  expect(await customers()).toEqual([]);
});

testInProof(
  "with Stripe down for a plan that goes only now nothing is deleted, and pressing again finishes",
  async () => {
    let left = false;
    const visitor = await teamDuringDeletion(async (team) => {
      if (!left) await removeMember(team, colleague);
      left = true;
    });
    faultySite().stripeProxy.behave(async () => ({ status: 500, headers: {}, body: "{}" }));
    expect((await change(visitor, wish)).status).toBe(502);
    expect(await statusesAtStripe()).toEqual(["active"]);
    expect(await customers()).toHaveLength(1);
    faultySite().recover();
    expect((await change(visitor, wish)).location).toBe("/account-deleted");
    expect(await statusesAtStripe()).toEqual(["canceled"]);
  },
);

testInProof(
  "while members come and go all the time the account stays, and the person reads so",
  async () => {
    const visitor = await teamDuringDeletion(async () => {});
    faultySite().supabaseProxy.behave(async ({ path }, forward) =>
      path.endsWith("/remove_personal_records")
        ? { status: 500, headers: json, body: JSON.stringify({ code: "55000", message: "Begin." }) }
        : forward(),
    );
    const { status, alert } = await change(visitor, wish);
    expect([status, alert]).toEqual([
      409,
      "The members of your workspaces change right now. Plans that nobody else uses are ended, and nothing was deleted. Press the button again in a moment: it finishes the work.",
    ]);
    expect(await exists()).toBe(true);
  },
);

testInProof(
  "a member who joins while the owner's account is deleted is decided about first, and ended plans are named",
  async () => {
    const visitor = await signedIn(email, faultySite().url);
    await buy(await signedIn(), "basic");
    await signedIn(colleague);
    const personal = await personalWorkspace(email);
    let joined = false;
    faultySite().supabaseProxy.behave(async ({ path }, forward) => {
      if (path.endsWith("/remove_personal_records") && !joined) {
        joined = true;
        await addMember(personal, colleague, "admin");
      }
      return forward();
    });
    const { status, page } = await change(visitor, wish);
    expect(status).toBe(409);
    expect(textOfHtml(page)).toContain(
      "Somebody has joined a workspace of yours meanwhile. Plans that nobody else used are ended, and nothing was deleted.",
    );
    expect(await exists()).toBe(true);
  },
);
