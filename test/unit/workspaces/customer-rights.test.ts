import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId, addAccount, readAs, tryAsWorker } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [owner, member, stranger] = [1, 2, 3].map(accountId) as [string, string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

/** A workspace that is nobody's personal one, with a customer and its plan. */
let team: string;

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces, public.closed_customers cascade");
  await query("update public.mail_budget set since = '-infinity'");
  for (const person of [owner, member, stranger]) {
    await addAccount(query, person);
    await query("select public.personal_workspace($1)", [person]);
  }
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  team = made?.id ?? "none";
  await join(owner, "owner");
  await record("cus_team", { workspace_id: team, email: "team@example.com" });
});

const join = (person: string, role: string, workspace = team) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    workspace,
    person,
    role,
  ]);
const remove = (person: string, workspace = team) =>
  query("delete from public.members where workspace_id = $1 and user_id = $2", [workspace, person]);

/** Writes what Stripe says about a customer with a running plan, as the Worker does. */
async function record(id: string, about: { [field: string]: string | null }, status = "active") {
  const plan = {
    id: id.replace("cus", "sub"),
    status,
    price_id: "price_pro",
    unit_amount: 10_999,
    currency: "usd",
    billing_interval: "month",
    created_at: new Date().toISOString(),
    plan: "pro",
  };
  await query(
    "select public.record_subscriptions(public.take_sync_ticket(), $1::jsonb, $2::jsonb)",
    [JSON.stringify({ id, card_last4: "4242", ...about }), JSON.stringify([plan])],
  );
}

async function personalOf(person: string): Promise<string> {
  const [row] = await query<{ id: string }>("select public.personal_workspace($1) as id", [person]);
  return row?.id ?? "none";
}

/** A personal workspace with another id than its account's, as a user has it who handed the first one over. */
async function laterPersonalOf(person: string, heir: string): Promise<string> {
  const first = await personalOf(person);
  await join(heir, "owner", first);
  await remove(person, first);
  return personalOf(person);
}

const customerOf = async (id: string) =>
  (
    await query("select user_id, workspace_id, origin from public.customers where id = $1", [id])
  )[0];

const customers = "select id from public.customers order by id";
const subscriptions = "select id from public.subscriptions order by id";
const plansSeenBy = (person: string) =>
  readAs<{ id: string }>(query, person, "select id from public.plans_of($1)", {
    parameters: [team],
  });

test("a member who does no billing reads which plan runs, and neither customer nor amount", async () => {
  await join(member, "viewer");
  const [plan] = await readAs(query, member, "select * from public.plans_of($1)", {
    parameters: [team],
  });
  expect(Object.keys(plan ?? {})).toEqual([
    "id",
    "status",
    "plan",
    "price_id",
    "current_period_end",
    "cancel_at",
    "created_at",
  ]);
});

test("what is no plan of ours, or of a customer that Stripe does not know, is no plan of a workspace", async () => {
  await query("update public.subscriptions set plan = 'none'");
  expect(await plansSeenBy(owner)).toEqual([]);
  await query("update public.subscriptions set plan = null");
  expect(await plansSeenBy(owner)).toHaveLength(1);
  await query("update public.customers set missing_since = now()");
  expect(await plansSeenBy(owner)).toEqual([]);
});

test("a workspace's plan is its own: its owner's personal workspace does not have it", async () => {
  const planOf = async (workspace: string) =>
    (await tryAsWorker(query, "select public.workspace_plan($1, '{}') as plan", [workspace]))[0];
  const accountPlan = async (person: string) =>
    (await tryAsWorker(query, "select public.account_plan($1, '{}') as plan", [person]))[0];
  expect(await planOf(team)).toEqual({ plan: "pro" });
  expect(await planOf(await personalOf(owner))).toEqual({ plan: "none" });
  expect(await accountPlan(owner)).toEqual({ plan: "none" });
  await record("cus_personal", { user_id: owner });
  expect(await accountPlan(owner)).toEqual({ plan: "pro" });
  // With a personal workspace goes its plan. The id of the account is no longer the id of the personal workspace.
  await laterPersonalOf(owner, member);
  expect(await accountPlan(owner)).toEqual({ plan: "none" });
  expect(await planOf(owner)).toEqual({ plan: "pro" });
});

test("a guest's purchase belongs to nobody until somebody claims it into their personal workspace", async () => {
  const personal = await laterPersonalOf(owner, member);
  await record("cus_guest", { email: "Guest@example.com" });
  expect(await customerOf("cus_guest")).toEqual({
    user_id: null,
    workspace_id: null,
    origin: "guest",
  });
  expect(await readAs(query, owner, customers)).toEqual([{ id: "cus_team" }]);
  expect(
    await query("select public.claim_guest_purchases($1, 'guest@example.com') as claimed", [owner]),
  ).toEqual([{ claimed: 1 }]);
  expect(await customerOf("cus_guest")).toEqual({
    user_id: owner,
    workspace_id: personal,
    origin: "guest",
  });
  expect(personal).not.toBe(owner);
  expect(await readAs(query, owner, subscriptions)).toEqual([
    { id: "sub_guest" },
    { id: "sub_team" },
  ]);
  expect(await readAs(query, member, subscriptions)).toEqual([]);
});

test("a team's customer is not claimed by a user who has its address", async () => {
  await record("cus_second", { workspace_id: team, email: "team@example.com" });
  expect(await customerOf("cus_second")).toMatchObject({ origin: "guest" });
  expect(
    await query("select public.claim_guest_purchases($1, 'team@example.com') as claimed", [
      stranger,
    ]),
  ).toEqual([{ claimed: 0 }]);
  expect(await readAs(query, stranger, customers)).toEqual([]);
});

test("for its billing the Worker reads a team's customers, and with which the team buys", async () => {
  const workspaces = [owner, team];
  const customersOf = "select * from public.customers_of($1, $2)";
  expect(await tryAsWorker(query, customersOf, workspaces)).toEqual([
    { id: "cus_team", missing: false },
  ]);
  expect(
    await tryAsWorker(query, "select public.buying_customer($1, $2) as customer", workspaces),
  ).toEqual([{ customer: { id: "cus_team", account: null, address: `${owner}@example.com` } }]);
  await query("update public.customers set missing_since = now()");
  expect(await tryAsWorker(query, customersOf, workspaces)).toEqual([
    { id: "cus_team", missing: true },
  ]);
});

test("of two members who buy for the first time at once, one makes the team's customer", async () => {
  const insert = (id: string, workspace: string) =>
    tryAsWorker(
      query,
      "insert into public.customers (id, workspace_id, origin) values ($1, $2, 'account') returning id",
      [id, workspace],
    );
  await expect(insert("cus_other", team)).rejects.toThrow("customers_one_account_per_workspace");
  const personal = await personalOf(stranger);
  expect(await insert("cus_own", personal)).toEqual([{ id: "cus_own" }]);
  // What Stripe nevertheless has twice belongs to the team as well, and nothing more is bought with it.
  await join(member, "billing");
  await record("cus_twice", { workspace_id: team });
  expect(await customerOf("cus_twice")).toEqual({
    user_id: null,
    workspace_id: team,
    origin: "guest",
  });
  expect(await readAs(query, member, customers)).toEqual([{ id: "cus_team" }, { id: "cus_twice" }]);
});

test("a customer that names only a person belongs to their personal workspace, and gets its account's id", async () => {
  const personal = await laterPersonalOf(owner, member);
  await record("cus_first", { user_id: owner });
  await record("cus_next", { user_id: owner });
  await record("cus_personal", { workspace_id: await personalOf(stranger) });
  await record("cus_gone", { user_id: accountId(9), workspace_id: accountId(9) });
  expect(await customerOf("cus_first")).toEqual({
    user_id: owner,
    workspace_id: personal,
    origin: "account",
  });
  expect(await customerOf("cus_next")).toMatchObject({ workspace_id: personal, origin: "guest" });
  expect(await customerOf("cus_personal")).toMatchObject({ user_id: stranger, origin: "account" });
  expect(await customerOf("cus_team")).toMatchObject({ user_id: null, origin: "account" });
  expect(await customerOf("cus_gone")).toMatchObject({ workspace_id: null, origin: "guest" });
});

test("a user who hands their personal workspace over keeps none of its customers, and can buy again", async () => {
  await record("cus_personal", { user_id: owner });
  const personal = await laterPersonalOf(owner, member);
  expect(await customerOf("cus_personal")).toEqual({
    user_id: null,
    workspace_id: owner,
    origin: "account",
  });
  expect(await readAs(query, member, customers)).toEqual([{ id: "cus_personal" }]);
  await record("cus_new", { user_id: owner });
  expect(await customerOf("cus_new")).toEqual({
    user_id: owner,
    workspace_id: personal,
    origin: "account",
  });
});

test("a team's customer stays when a member's account goes, and that of a personal workspace goes and is remembered", async () => {
  await join(member, "admin");
  await record("cus_personal", { user_id: owner });
  await query("delete from auth.users where id = $1", [owner]);
  expect(await query(customers)).toEqual([{ id: "cus_team" }]);
  expect(await query("select id from public.closed_customers")).toEqual([{ id: "cus_personal" }]);
  expect(await readAs(query, member, customers)).toEqual([{ id: "cus_team" }]);
});

test("a shared personal workspace keeps its customer when the account goes", async () => {
  await record("cus_personal", { user_id: owner });
  await join(member, "admin", owner);
  await query("delete from auth.users where id = $1", [owner]);
  expect(await customerOf("cus_personal")).toEqual({
    user_id: null,
    workspace_id: owner,
    origin: "account",
  });
  expect(await readAs(query, member, customers)).toEqual([{ id: "cus_personal" }]);
});

test("Stripe and mails have the confirmed address of the longest-standing owner", async () => {
  const contact = async () => {
    const [row] = await query<{ begun: { address: string | null } }>(
      "select public.begin_customer_sync('cus_team') as begun",
    );
    return row?.begun.address ?? null;
  };
  const compared = (email: string) =>
    query("select public.compare_customers($1::jsonb, '{}', now(), now()) as wrong", [
      JSON.stringify([{ id: "cus_team", email, created_at: null, card_last4: "4242" }]),
    ]);
  await query("update public.customers set email = $1", [`${owner}@example.com`]);
  await join(member, "owner");
  await query("update public.members set joined_at = now() - interval '1 day' where user_id = $1", [
    owner,
  ]);
  expect(await contact()).toBe(`${owner}@example.com`);
  expect(await compared(`${owner}@example.com`)).toEqual([{ wrong: [] }]);
  const [mail] = await query<{ due: { mails: { recipient: string; data: { guest: boolean } }[] } }>(
    "select public.claim_mails(10, 10, 10) as due",
  );
  expect(mail?.due.mails).toMatchObject([
    {
      recipient: `${owner}@example.com`,
      data: { guest: false },
      workspace: { slug: expect.stringMatching(/^[0-9a-f]{12}$/), name: "Team" },
    },
  ]);

  await query("update auth.users set email_confirmed_at = null where id = $1", [owner]);
  expect(await contact()).toBe(`${member}@example.com`);
  expect(await compared(`${owner}@example.com`)).toEqual([
    { wrong: [{ customer_id: "cus_team", gone: [] }] },
  ]);
  await query("update public.customers set refused_address = $1", [`${member}@example.com`]);
  expect(await contact()).toBeNull();
  expect(await compared(`${owner}@example.com`)).toEqual([{ wrong: [] }]);
  await query("update public.members set role = 'admin' where workspace_id = $1 and user_id = $2", [
    team,
    member,
  ]);
  expect(await contact()).toBeNull();
});

test("of the customers of ours those that Stripe does not list are read again, and none that it lists unchanged", async () => {
  await record("cus_personal", { user_id: owner, email: `${owner}@example.com` });
  await query("update public.customers set email = $1 where id = 'cus_team'", [
    `${owner}@example.com`,
  ]);
  const listed = { id: "cus_team", email: `${owner}@example.com`, card_last4: "4242" };
  const [compared] = await query(
    "select public.compare_customers($1::jsonb, '{}', now()) as wrong",
    [JSON.stringify([listed])],
  );
  expect(compared).toEqual({ wrong: [{ customer_id: "cus_personal", gone: [] }] });
});

test("a mail about an ended plan names another that runs in the same workspace only", async () => {
  const endedMail = async () =>
    (
      await query<{ data: { other: boolean } }>(
        "select data from public.mail_occasions() where kind = 'ended'",
      )
    ).map(({ data }) => data.other);
  await record("cus_team", { workspace_id: team }, "canceled");
  await query("update public.subscriptions set ended_at = now()");
  await record("cus_personal", { user_id: owner });
  expect(await endedMail()).toEqual([false]);
  await record("cus_twice", { workspace_id: team });
  expect(await endedMail()).toEqual([true]);
});
