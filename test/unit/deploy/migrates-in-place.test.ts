import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import { laterMigrations } from "../../support/database/later-migrations.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { addCustomers, openMigratedDatabase } from "../../support/database/migrated-database.ts";
import { readableBy, reportOf, rightsOf } from "../../support/database/rights-of-people.ts";
import { testInProof } from "../../support/run/variants.ts";

const people = Array.from({ length: 26 }, (_, index) => accountId(index + 1));
/**
 * One of each kind: with two customers, many versions and agents; without a deployment; with one; with a guest's purchase
 * that waits, or is theirs; with an address that nobody has confirmed.
 */
const kinds = [1, 3, 4, 7, 8, 17].map(accountId);

testInProof(
  "customers of a database in place keep every right through each later migration",
  async () => {
    await using opened = await openMigratedDatabase();
    const { query } = opened;
    await addCustomers(query, people.length);
    const before = await rightsOf(query, people);
    const beforeOfKinds = await rightsOf(query, kinds);
    const content = JSON.stringify(before);
    for (const each of ["cus_second_", "cus_claimed_", "past_due", "Server 20", "ada 900"])
      expect(content).toContain(each);
    expect(content).not.toContain("cus_waits_");
    expect(beforeOfKinds[accountId(1)]).toMatchObject({
      reads: { unsaved_changes: { length: 2 }, contact_messages: { length: 1 } },
      changesOwn: {
        progress: true,
        saved: "saved",
        deleted: true,
        agent: accountId(1),
        reported: {
          recorded: 1,
          duplicates: 1,
          allowances: [{ identity: "ada", remaining: 890 }],
        },
        revoked: 1,
        token: true,
        configured: 4,
        late: null,
        restored: 5,
        unknown: null,
      },
      changesForeign: { progress: false, saved: "missing", deleted: false },
      keepsOwn: { kept: true, kept_new: true, wrote: "kept" },
      keepsForeign: { kept: false, kept_new: true, wrote: "kept" },
    });
    expect(beforeOfKinds[accountId(7)]).toMatchObject({ changesOwn: { claimed: 1 } });

    expect(laterMigrations.length).toBeGreaterThan(4);
    for (const migration of laterMigrations) {
      await opened.migrate(migration);
      expect(await rightsOf(query, kinds), migration.file).toEqual(beforeOfKinds);
    }
    expect(await rightsOf(query, people)).toEqual(before);
    const members = await query(
      `select w.personal_of, m.user_id, m.role from public.workspaces w
     left join public.members m on m.workspace_id = w.id
     order by w.personal_of, m.user_id`,
    );
    expect(members).toEqual(people.map((id) => ({ personal_of: id, user_id: id, role: "owner" })));
  },
  120_000,
);

test("what the running version writes between the migrations is read by its owner, and stays theirs", async () => {
  await using opened = await openMigratedDatabase();
  const { query } = opened;
  await addCustomers(query, 3);
  const [ada = "", ben = ""] = people;
  const made: string[] = [];
  const bought: string[] = [];
  for (const migration of laterMigrations) {
    await opened.migrate(migration);
    const [row] = await query<{ id: string }>(
      "select public.create_deployment($1, $2, '{}', 100) as id",
      [ada, migration.file],
    );
    made.push(row?.id ?? "none");
    await query("insert into public.customers (id, origin, email) values ($1, 'guest', $2)", [
      migration.file,
      "ada@example.com",
    ]);
    await query("select public.claim_guest_purchases($1, 'ada@example.com')", [ada]);
    bought.push(migration.file);
    await saveAgents(query, ada, 3 + made.length);
    const seen = await readableBy(query, ada);
    const ids = seen?.deployments.map((each) => each.split(" ")[0]);
    expect(ids, migration.file).toEqual(expect.arrayContaining(made));
    expect(seen?.model_configuration_versions, migration.file).toHaveLength(3 + made.length);
    expect(seen?.api_tokens, migration.file).toHaveLength(1 + made.length);
    expect(seen?.customers, migration.file).toEqual(expect.arrayContaining(bought));
    expect(seen?.token_usage_events, migration.file).toContain(`first ${3 + made.length}`);
    expect(seen?.token_usage_days, migration.file).toContain(
      `2026-11-20 ada ${100 + 10 * (seen?.token_usage_events.length ?? 0) - 30}`,
    );
    expect(seen?.token_allowances, migration.file).toContain(`first ${3 + made.length}`);
    expect(JSON.stringify(await readableBy(query, ben)), migration.file).not.toContain(row?.id);
  }
  expect(made).toHaveLength(laterMigrations.length);
  await expectInPersonal(query);
}, 120_000);

/**
 * Makes a version of the model configuration, an allowance and a token, and reports usage with it: by each call that
 * there is for it.
 */
async function saveAgents(query: Query, person: string, version: number): Promise<void> {
  const hash = version.toString(16).padStart(64, "f");
  const answers = await query(
    `select public.save_model_configuration($1, 'ada', $2, 'model', $5, 'nova', 'whisper') as version,
       public.create_api_token($1, 'Agent', $3, 'abcd', 100) as token,
       public.set_token_allowance($1, 'first', $2 + 1)::text as limited,
       public.record_token_usage($3, $4) -> 'recorded' as reported`,
    [person, version - 1, hash, reportOf(`first ${version}`), `Instructions ${version}`],
  );
  expect(answers).toEqual([{ version, token: true, limited: "", reported: 1 }]);
  expect(
    await query(
      `select public.set_usage_allowance($1, 'later', '{}', $2) as limited,
         public.report_token_usage($3, $4, '{}') -> 'recorded' as reported`,
      [person, version, hash, reportOf(`later ${version}`)],
    ),
  ).toEqual([{ limited: true, reported: 1 }]);
}

/** Expects every row that names a person to be in that person's personal workspace. */
async function expectInPersonal(query: Query): Promise<void> {
  for (const table of ["deployments", "customers", "model_configuration_versions", "api_tokens"]) {
    const misplaced = await query(
      `select from public.${table} t
       left join public.workspaces w on w.id = t.workspace_id and w.personal_of = t.user_id
       where w.id is null and t.user_id is not null`,
    );
    expect(misplaced, table).toEqual([]);
  }
  for (const table of ["token_usage_events", "token_usage_days", "token_allowances"]) {
    const misplaced = await query(
      `select from public.${table} t
       left join public.workspaces w on w.id = t.workspace_id and w.personal_of = t.workspace_id
       where w.id is null`,
    );
    expect(misplaced, table).toEqual([]);
  }
}

/** What the Worker reads of all customers: the plan that runs, the addresses for Stripe, the mails. */
async function billingOf(query: Query) {
  const [row] = await query<{ billing: Record<string, Record<string, unknown>[]> }>(
    `select jsonb_build_object(
       'plans', (select jsonb_agg(public.account_plan(u.id, '{price_basic}') order by u.id) from auth.users u),
       'addresses', (select jsonb_object_agg(c.id, public.begin_customer_sync(c.id) -> 'address')
         from public.customers c),
       'differing', public.compare_customers(
         (select jsonb_agg(jsonb_build_object('id', c.id, 'email', 'former@example.com'))
           from public.customers c), '{}', now(), now()),
       'mails', (select jsonb_agg(to_jsonb(o) order by o.occasion) from public.mail_occasions() o)
     ) as billing`,
  );
  return row?.billing;
}

test("plans, addresses and mails of customers stay the same through each later migration", async () => {
  await using opened = await openMigratedDatabase();
  const { query } = opened;
  await addCustomers(query, people.length);
  await query(`update public.mail_budget set since = '-infinity'`);
  await query(`update public.subscriptions set plan = case when price_id = 'price_basic' then 'basic'
    else 'pro' end, ended_at = case when status = 'canceled' then now() end`);
  const before = await billingOf(query);
  expect(new Set(before?.plans)).toEqual(new Set(["none", "basic", "pro"]));
  expect(before?.addresses).toMatchObject({ cus_1: "customer.1@example.com", cus_waits_7: null });
  expect(before?.differing?.length).toBeGreaterThan(20);
  expect(JSON.stringify(before?.mails)).toContain('"other":true');

  for (const migration of laterMigrations) {
    await opened.migrate(migration);
    expect(await billingOf(query), migration.file).toEqual(before);
  }
}, 120_000);
