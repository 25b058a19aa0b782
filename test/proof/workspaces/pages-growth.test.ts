import { afterAll, beforeAll, expect, test } from "vitest";
import { userIdOf } from "../../support/database/database.ts";
import {
  addMembers,
  addWorkspaces,
  customerNumber,
  rowsRead,
} from "../../support/database/many-rows.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
/** What is measured: its owner is the visitor, who is a member of two more. */
const measured = customerNumber(1);

let visitor: Visitor;
/** The pages of the measured workspace, by a name, and what else shows something of it. */
let pages: Readonly<Record<string, string>>;

beforeAll(async () => {
  await resetFakes();
  visitor = await signedIn(email);
  await addWorkspaces(runSql, { first: 1, count: 10, membersEach: 3 });
  const me = await userIdOf(email);
  for (const [n, role] of [
    [1, "owner"],
    [2, "viewer"],
    [3, "viewer"],
  ] as const)
    await runSql("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
      customerNumber(n),
      me,
      role,
    ]);
  await runSql(
    `insert into public.contact_messages (name, email, topic, message, user_id)
     values ('One', $1, 'support', 'A message of mine.', $2)`,
    [email, me],
  );
  const [workspace] = await runSql<{ slug: string; deployment: string }>(
    `select w.slug, (
       select min(d.id::text) from public.deployments d where d.workspace_id = w.id
     ) as deployment
     from public.workspaces w where w.id = $1`,
    [measured],
  );
  const base = `/dashboard/w/${workspace?.slug}`;
  const deployment = `${base}/deployments/${workspace?.deployment}`;
  const october = "from=2026-10-01&to=2026-10-31";
  pages = {
    overview: base,
    deployments: `${base}/deployments`,
    "new deployment": `${base}/deployments/new`,
    deployment,
    wizard: `${deployment}/edit?step=security`,
    versions: `${deployment}/versions`,
    models: `${base}/models`,
    usage: `${base}/usage?${october}`,
    billing: `${base}/billing`,
    plan: `${base}/plan`,
    support: `${base}/support`,
    members: `${base}/members`,
    settings: `${base}/settings`,
    audit: `${base}/audit`,
    account: "/dashboard/account",
    "new workspace": "/dashboard/workspaces/new",
    "names of deployments": "/deployments/names",
    "own models": "/openai-config/own",
    "export of usage": `/openai-config/usage?${october}&format=csv`,
    "own plan": "/pricing/own",
  };
}, 300_000);
afterAll(async () => {
  await runSql("update pg_index set indisvalid = true where not indisvalid");
  await readTables(true);
  await resetFakes();
});

/**
 * Ends every connection of the database but the one that does so: what they read is counted from then on, and the next
 * ones begin without plans and with the database's settings.
 */
async function endConnections(): Promise<void> {
  await runSql(
    `select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await runSql("discard plans");
}

/** Whether PostgreSQL may read tables whole, on every connection. */
async function readTables(isAllowed: boolean): Promise<void> {
  const value = isAllowed ? "on" : "off";
  await runSql(`do $$ begin
    execute format('alter database %I set enable_seqscan = ${value}', current_database());
  end $$`);
  await runSql("select set_config('enable_seqscan', $1, false)", [value]);
  await endConnections();
}

/** The rows that the database reads for a page, after a request that fills what is remembered. */
async function rowsOf(name: string): Promise<number> {
  const read = async () => {
    const response = await visitor.twin().request(pages[name] ?? "");
    await response.text();
    expect(response.status, name).toBe(200);
  };
  await read();
  await endConnections();
  const before = await rowsRead(runSql);
  await read();
  await endConnections();
  return (await rowsRead(runSql)) - before;
}

async function measure(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const name of Object.keys(pages)) figures[name] = await rowsOf(name);
  return figures;
}

/** Which page reads a table whole without these indexes. */
const needed: Readonly<Record<string, string>> = {
  deployments_by_workspace: "deployments",
  deployment_versions_pkey: "versions",
  model_configuration_versions_pkey: "models",
  api_tokens_by_workspace: "models",
  token_usage_days_pkey: "usage",
  token_allowances_pkey: "usage",
  customers_by_workspace: "plan",
  subscriptions_by_customer: "billing",
  // The second would do instead of the first.
  "unsaved_changes_by_deployment unsaved_changes_one_each": "wizard",
  contact_messages_by_user: "support",
  contact_answers_by_message: "support",
  members_by_age: "members",
  invitations_one_each: "members",
  audit_log_of_workspace: "audit",
  members_pkey: "settings",
  workspaces_pkey: "settings",
};

/** Lets PostgreSQL use indexes, or not. */
async function use(indexes: string, isUsed: boolean): Promise<void> {
  for (const index of indexes.split(" "))
    await runSql(
      "update pg_index set indisvalid = $2 where indexrelid = ('public.' || $1)::regclass",
      [index, isUsed],
    );
  await endConnections();
}

test("every page of the console costs the same in 10 and 10,000 workspaces, with 3 and 3,000 members", async () => {
  // So small a table would be read whole. What it costs by the indexes is the measure.
  await readTables(false);
  const few = await measure();
  await readTables(true);

  await addWorkspaces(runSql, { first: 11, count: 9_990, membersEach: 3 });
  const many = await measure();
  await addMembers(runSql, measured, { first: 11, count: 2_997 });
  const crowded = await measure();
  const maxRows = (name: string) => (few[name] ?? 0) + 25;
  for (const name of Object.keys(pages)) {
    expect.soft(few[name], name).toBeGreaterThan(0);
    expect.soft(many[name], name).toBeLessThanOrEqual(maxRows(name));
    // Each of the other 46 on a full page of members is found in two tables.
    const others = name === "members" ? 46 * 4 : 0;
    expect.soft(crowded[name], name).toBeLessThanOrEqual(maxRows(name) + others);
  }

  for (const [indexes, name] of Object.entries(needed)) {
    await use(indexes, false);
    const read = await rowsOf(name);
    expect.soft(read, `${name} without ${indexes}`).toBeGreaterThan(maxRows(name) * 3);
    await use(indexes, true);
  }
}, 900_000);
