import { createClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readBilling } from "~/features/billing/billing-page/billing-page.server";
import { startCheckout } from "~/features/billing/checkout/checkout.server";
import { answerPlanForm } from "~/features/billing/plan-change/plan-form.server";
import { readStripePlans } from "~/features/billing/plan-change/stripe-plans.server";
import { existingCustomersOf } from "~/features/billing/subscriptions/customers.server";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { syncSubscription } from "~/features/billing/subscriptions/sync-subscription.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Database } from "~/platform/database/types";
import { readConfiguration } from "~/platform/env/configuration.server";
import { fakeAddresses } from "../../../../fakes/addresses.ts";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import {
  localJwtSecret,
  type SupabaseFake,
  startSupabaseFake,
} from "../../../../fakes/supabase/fake.ts";
import { signToken } from "../../../support/auth/access-token.ts";
import {
  payOnHostedPage,
  prices,
  receivedRequests,
  stripe,
} from "../../../support/billing/stripe-account.ts";
import { accountId, addAccount } from "../../../support/database/as-person.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";
import { portBase, siteUrl } from "../../../support/site/own-site.ts";
import { pollUntil } from "../../../support/site/poll.ts";

// A database of this file's own: no request makes members yet, and this one can be filled by SQL.
const supabaseAt = fakeAddresses(portBase + 22).supabase;
const reading = readConfiguration({
  ...exampleVariables({ siteUrl, portBase }),
  SUPABASE_URL: supabaseAt.url,
});
if (!reading.ok) throw new Error(reading.problems.join("; "));
const { configuration } = reading;
const app = { configuration, requestId: "team" } as AppContext;

const [ada, ben, vic] = [1, 2, 3].map(accountId) as [string, string, string];
const personOf = (id: string) => ({ id, email: `${id}@example.com`, emailVerified: true });

let supabase: SupabaseFake;
/** A workspace that is nobody's personal one: Ada owns it, Ben does its billing and Vic looks. */
let team: { id: string };

beforeAll(async () => {
  supabase = await startSupabaseFake({
    port: supabaseAt.port,
    publishableKey: configuration.SUPABASE_PUBLISHABLE_KEY,
    secretKey: configuration.SUPABASE_SECRET_KEY,
    siteUrl,
    googleUrl: fakeAddresses(portBase).google.url,
    sendMail() {},
  });
});
afterAll(() => supabase?.close());

beforeEach(async () => {
  await resetFakes();
  await supabase.query("truncate auth.users, public.workspaces, public.closed_customers cascade");
  for (const person of [ada, ben, vic]) await addAccount(supabase.query, person);
  const [made] = await supabase.query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  team = made ?? { id: "none" };
  await join(ada, "owner");
  await join(ben, "billing");
  await join(vic, "viewer");
});
afterEach(() => stripeControl("faults", { mode: "none" }));

const join = (person: string, role: string, workspace = team) =>
  supabase.query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    workspace.id,
    person,
    role,
  ]);

const holder = (id: string, workspace = team) => ({ person: personOf(id), workspace });
const buy = (id: string, workspace = team) =>
  startCheckout(app, { kind: "account", holder: holder(id, workspace) }, prices.pro);

/** Buys the team's plan, pays, and records it as a webhook does. Answers the customer at Stripe. */
async function paidPlan(): Promise<string> {
  const start = await buy(ada);
  if (!start.ok) throw new Error(start.message);
  await payOnHostedPage(start.url);
  const { customer } = await stripe.checkout.sessions.retrieve(start.id);
  await syncSubscription(configuration, String(customer));
  return String(customer);
}

/** A database client that acts as this person. */
const clientOf = (id: string) =>
  createClient<Database>(configuration.SUPABASE_URL, configuration.SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () =>
      signToken(
        {
          sub: id,
          role: "authenticated",
          aud: "authenticated",
          session_id: id,
          exp: Math.floor(Date.now() / 1_000) + 3_600,
        },
        localJwtSecret,
      ),
  });

const customerRows = () =>
  supabase.query("select id, user_id, workspace_id, origin from public.customers order by id");

testInProof.each(
  sample(
    [
      ["the customer", "/v1/customers"],
      ["the session", "/v1/checkout/sessions"],
    ],
    1,
  ),
)("two members who buy while Stripe takes long to make %s make one of each", async (_, path) => {
  await stripeControl("faults", { mode: "hold", match: path, method: "POST" });
  const starts = Promise.all([buy(ada), buy(ben)]);
  // Of two requests with one key the second is refused while the first is under way.
  await pollUntil(
    async () => (await receivedRequests()).filter((each) => each.path === path),
    (requests) => requests.some(({ status }) => status === 409),
  );
  await stripeControl("faults", { mode: "none" });
  const [first, second] = await starts;
  expect(first).toMatchObject({ ok: true });
  expect(second).toEqual(first);
  const customers = (await stripe.customers.list()).data;
  expect(customers).toMatchObject([
    { email: personOf(ada).email, metadata: { workspace_id: team.id } },
  ]);
  expect(customers[0]?.metadata).not.toHaveProperty("user_id");
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  expect(await customerRows()).toEqual([
    { id: customers[0]?.id, user_id: null, workspace_id: team.id, origin: "account" },
  ]);
});

testInProof(
  "a second member is answered that the team has a plan, and finds it to change",
  async () => {
    const customer = await paidPlan();
    expect(await buy(ben)).toMatchObject({ ok: false, code: "already-subscribed" });
    const { plans } = await readStripePlans(app, holder(ben));
    expect(plans).toMatchObject([{ customer, terms: { plan: "pro" } }]);
    const billing = await readBilling(clientOf(ben), app, team, { customer: null, after: null });
    expect(billing?.accounts).toMatchObject([{ customer, email: personOf(ada).email }]);
    // The plan is the team's alone: Ben has none, and may buy one for himself.
    const personal = await personalOf(ben);
    expect(await subscriptionsOfVisitor(clientOf(ben), app, personal)).toEqual([]);
    expect(await buy(ben, personal)).toMatchObject({ ok: true });
  },
);

test("a viewer reads no card and no address, opens no portal, changes no plan and buys nothing", async () => {
  await paidPlan();
  const client = clientOf(vic);
  expect(await subscriptionsOfVisitor(client, app, team)).toEqual([]);
  const billing = await readBilling(client, app, team, { customer: null, after: null });
  const { buyer, ...rest } = billing ?? {};
  expect(rest).toEqual({ accounts: [], isCurrent: true });
  expect([buyer?.customer, buyer?.details.taxIds]).toEqual([null, []]);
  expect(new Set(Object.values(buyer?.details.fields ?? {}))).toEqual(new Set([""]));
  const { data: rows } = await client.from("customers").select("card_last4, email").throwOnError();
  expect(rows).toEqual([]);
  expect(await existingCustomersOf(serviceClient(configuration), holder(vic))).toEqual([]);
  expect((await readStripePlans(app, holder(vic))).plans).toEqual([]);
  const before = (await stripe.checkout.sessions.list()).data.length;
  expect(await buy(vic)).toMatchObject({ ok: false, code: "unavailable" });
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(before);
  // What the plan is, a viewer may know.
  const { data: plans } = await client.rpc("plans_of", { workspace: team.id }).throwOnError();
  expect(plans).toMatchObject([{ plan: "pro", status: "active" }]);
});

testInProof(
  "a team's customer that our database lost belongs to the team again after the next sync",
  async () => {
    const customer = await paidPlan();
    await supabase.query("delete from public.customers");
    await supabase.query("delete from public.closed_customers");
    await syncSubscription(configuration, customer);
    expect(await customerRows()).toEqual([
      { id: customer, user_id: null, workspace_id: team.id, origin: "account" },
    ]);
    expect(await buy(ben)).toMatchObject({ ok: false, code: "already-subscribed" });
  },
);

/** The personal workspace of somebody, made where there is none. */
async function personalOf(person: string) {
  const [row] = await supabase.query<{ id: string }>("select public.personal_workspace($1) as id", [
    person,
  ]);
  return row ?? { id: "none" };
}

testInProof(
  "a user who handed their personal workspace over buys for the next one, as another customer",
  async () => {
    const first = await personalOf(ada);
    expect(first).toEqual({ id: ada });
    expect(await buy(ada, first)).toMatchObject({ ok: true });
    const [before] = (await stripe.customers.list()).data;
    expect(before?.metadata).toEqual({ user_id: ada, workspace_id: ada });
    await join(ben, "owner", first);
    await supabase.query("delete from public.members where workspace_id = $1 and user_id = $1", [
      ada,
    ]);
    // As the version before this one has made it.
    await stripe.customers.update(before?.id ?? "", { metadata: { workspace_id: "" } });

    const next = await personalOf(ada);
    expect(next.id).not.toBe(ada);
    expect(await buy(ada, next)).toMatchObject({ ok: true });
    const bought = (await stripe.customers.list()).data.map(({ id }) => id).sort();
    expect(bought).toHaveLength(2);
    const [after = ""] = bought.filter((id) => id !== before?.id);
    expect(new Set(await customerRows())).toEqual(
      new Set([
        { id: before?.id, user_id: null, workspace_id: ada, origin: "account" },
        { id: after, user_id: ada, workspace_id: next.id, origin: "account" },
      ]),
    );
  },
);

test("a workspace that cannot be read is no reason to buy, and no error of the page", async () => {
  const nowhere = { person: personOf(ada), workspace: null };
  expect(await startCheckout(app, { kind: "account", holder: nowhere }, prices.pro)).toMatchObject({
    ok: false,
    status: 502,
  });
  expect(await subscriptionsOfVisitor(clientOf(ada), app, null)).toBeUndefined();
  expect((await stripe.customers.list()).data).toEqual([]);
});

test("the audit log says who asked Stripe for what, and Stripe is not asked where that cannot be noted", async () => {
  await paidPlan();
  const { plans } = await readStripePlans(app, holder(ben));
  const [plan] = plans;
  if (!plan) throw new Error("The team has no plan");
  const cancel = new URLSearchParams({
    intent: "cancel",
    subscription: plan.subscription.id,
    state: plan.state,
  });
  const page = "/dashboard/plan";
  expect(await answerPlanForm(app, holder(ben), cancel, page)).toMatchObject({ kind: "done" });
  const auditEntries = () =>
    supabase.query(
      "select action, actor, target from public.audit_log where action ~ 'asked|began' order by id",
    );
  const noted = [
    { action: "checkout.began", actor: ada, target: "Pro per year" },
    { action: "plan.cancel-asked", actor: ben, target: "" },
  ];
  expect(await auditEntries()).toEqual(noted);

  await supabase.query("revoke execute on function public.note_audit from service_role");
  try {
    const resume = new URLSearchParams({ intent: "resume", subscription: plan.subscription.id });
    expect(await answerPlanForm(app, holder(ben), resume, page)).toMatchObject({ kind: "refused" });
    const { cancel_at } = await stripe.subscriptions.retrieve(plan.subscription.id);
    expect(cancel_at).not.toBeNull();
    expect(await auditEntries()).toEqual(noted);
  } finally {
    await supabase.query("grant execute on function public.note_audit to service_role");
  }
});
