import { afterAll, beforeAll, expect, test } from "vitest";
import { readAs, tryAsWorker } from "../../support/database/as-person.ts";
import {
  addMembers,
  addWorkspaces,
  customerNumber,
  type Query,
  rowsRead,
} from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { scansOf } from "../../support/database/plan-scans.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

/** An owner of one workspace and a member of two more. */
const caller = customerNumber(1);
const list = "order by updated_at desc, id desc limit 21";

const statistics = `public.token_usage_statistics('2026-10-01', '2026-10-31', null, '${caller}')
  -> 'total' ->> 'total_tokens'`;

/** What the console asks for, with how many rows it must answer. */
const reads = (deployment: string): Readonly<Record<string, { sql: string; rows: number }>> => ({
  "the list of all workspaces": { sql: `select * from public.deployments ${list}`, rows: 21 },
  "the list of one": {
    sql: `select * from public.deployments where workspace_id = '${caller}' ${list}`,
    rows: 10,
  },
  "one deployment": {
    sql: `select * from public.deployments where id = '${deployment}'`,
    rows: 1,
  },
  "its versions": {
    sql: `select * from public.deployment_versions where deployment_id = '${deployment}'
      order by version desc`,
    rows: 2,
  },
  "every version": { sql: "select * from public.deployment_versions", rows: 60 },
  "the unsaved changes of one deployment": {
    sql: `select changes from public.unsaved_changes where deployment_id = '${deployment}'`,
    rows: 1,
  },
  "all unsaved changes": { sql: "select changes from public.unsaved_changes", rows: 2 },
  "the messages to support": {
    sql: `select id, topic, message from public.contact_messages order by created_at desc limit 50`,
    rows: 1,
  },
  "the answers of support": { sql: "select answer from public.contact_answers", rows: 1 },
  "a model configuration": {
    sql: `select model, version from public.model_configuration_versions
      where workspace_id = '${caller}' order by version desc limit 1`,
    rows: 1,
  },
  "every model configuration": {
    sql: "select version from public.model_configuration_versions",
    rows: 6,
  },
  "the tokens of one": {
    sql: `select name from public.api_tokens where workspace_id = '${caller}' order by created_at`,
    rows: 2,
  },
  "every token": { sql: "select name from public.api_tokens", rows: 6 },
  "who is invited to one": {
    sql: `select id, address, role from public.invitations where workspace_id = '${caller}'
      order by created_at`,
    rows: 1,
  },
  "who is invited": { sql: "select address from public.invitations", rows: 1 },
  "the usage of one": { sql: `select ${statistics} as usage where ${statistics} = '60'`, rows: 1 },
  "the export of one": {
    sql: `select * from public.token_usage_days where workspace_id = '${caller}'
      and day between '2026-10-01' and '2026-10-31' order by day, identity limit 1000`,
    rows: 6,
  },
  "every day of usage": { sql: "select day from public.token_usage_days", rows: 18 },
  "every event": { sql: "select event_id from public.token_usage_events", rows: 9 },
  "every allowance": { sql: "select identity from public.token_allowances", rows: 3 },
  "the audit log of one": {
    sql: `select id, action from public.audit_log where workspace_id = '${caller}' order by id desc limit 50`,
    rows: 1,
  },
  "the workspaces": { sql: "select id, name from public.workspaces", rows: 3 },
  "the workspaces as the console asks for them": {
    sql: "select * from public.my_workspaces()",
    rows: 3,
  },
  "the caller's roles": {
    sql: `select role from public.members where user_id = '${caller}'`,
    rows: 3,
  },
  "the customers": { sql: "select id from public.customers", rows: 1 },
  "the subscriptions": { sql: "select id from public.subscriptions", rows: 1 },
  "the plans of one workspace": {
    sql: `select id from public.plans_of('${caller}')`,
    rows: 1,
  },
});

async function rowsReadBy(ask: () => Promise<unknown>): Promise<number> {
  await ask();
  const before = await rowsRead(query);
  await ask();
  return (await rowsRead(query)) - before;
}

const rowsReadFor = ({ sql, rows }: { sql: string; rows: number }) =>
  rowsReadBy(async () => expect(await readAs(query, caller, sql)).toHaveLength(rows));

/** A page of the members of the caller's workspace, after so many others, and what reading it cost. */
async function readMembers(skipped: number): Promise<{ members: number; read: number }> {
  const [last] = await query<{ joined_at: Date; user_id: string }>(
    `select joined_at, user_id from public.members where workspace_id = $1
     order by joined_at, user_id offset $2 limit 1`,
    [caller, Math.max(0, skipped - 1)],
  );
  let members = 0;
  const read = await rowsReadBy(async () => {
    const page = await tryAsWorker(query, "select * from public.members_of($1, $1, $2, $3)", [
      caller,
      ...(skipped > 0 ? [last?.joined_at, last?.user_id] : ["-infinity", null]),
    ]);
    members = page.length;
  });
  return { members, read };
}

test("a member's reads cost the same in 10 and 10,000 workspaces, with 3 and 3,000 members", async () => {
  await addWorkspaces(query, { first: 1, count: 10, membersEach: 3 });
  await query("insert into auth.sessions (id, user_id) values ($1, $1)", [caller]);
  const [{ id } = { id: "none" }] = await query<{ id: string }>(
    "select id from public.deployments where user_id = $1 and name = 'Server 1'",
    [caller],
  );
  const measure = async () => {
    const figures: Record<string, number> = {};
    for (const [name, read] of Object.entries(reads(id))) figures[name] = await rowsReadFor(read);
    return figures;
  };
  // So small a table would be read whole. What it costs by the indexes is the measure.
  await query("set enable_seqscan = off");
  const few = await measure();
  await query("reset enable_seqscan");
  expect(few["the list of one"]).toBeGreaterThanOrEqual(10);
  expect(few["the list of one"]).toBeLessThan(40);

  await addWorkspaces(query, { first: 11, count: 9_990, membersEach: 3 });
  const many = await measure();
  const three = await readMembers(0);
  expect(three.members).toBe(3);
  await addMembers(query, caller, { first: 11, count: 2_997 });
  const crowded = await measure();
  await query(
    `insert into public.audit_log (workspace_id, action)
     select $1, 'deployment.saved' from generate_series(1, 10000)`,
    [caller],
  );
  await query("analyze public.audit_log");
  const [newest] = await query<{ id: number }>("select max(id)::int as id from public.audit_log");
  const page = (before: number) => ({
    sql: `select id, action from public.audit_log where workspace_id = '${caller}' and id < ${before}
      order by id desc limit 50`,
    rows: 50,
  });
  for (const place of [0, 5_000, 9_000]) {
    const read = await rowsReadFor(page((newest?.id ?? 0) - place));
    // Fifty lines and their entries in the index.
    expect
      .soft(read, `lines after ${place}`)
      .toBeLessThanOrEqual((few["the audit log of one"] ?? 0) + 110);
  }
  for (const skipped of [0, 50, 2_900]) {
    const { members, read } = await readMembers(skipped);
    expect(members).toBe(50);
    // Each of the others is found in two tables.
    expect.soft(read, `members after ${skipped}`).toBeLessThanOrEqual(three.read + 47 * 4);
  }
  for (const [name, figure] of Object.entries(few)) {
    expect.soft(many[name], `${name}, ${figure} before`).toBeLessThanOrEqual(figure + 10);
    expect.soft(crowded[name], `${name}, ${figure} before`).toBeLessThanOrEqual(figure + 10);
  }
  for (const table of [
    "workspaces",
    "members",
    "deployments",
    "deployment_versions",
    "customers",
    "subscriptions",
    "unsaved_changes",
    "contact_messages",
    "contact_answers",
    "model_configuration_versions",
    "api_tokens",
    "invitations",
    "token_usage_events",
    "token_usage_days",
    "token_allowances",
    "audit_log",
  ]) {
    const scans = await scansOf(query, caller, `select count(*) from public.${table}`);
    expect(scans.map((each) => each.table)).toContain(table);
    for (const { how } of scans) expect(how, table).not.toBe("Seq Scan");
  }

  await query(
    `insert into public.members (workspace_id, user_id, role)
     select w.id, $1, 'viewer' from public.workspaces w order by w.id desc limit 97
     on conflict do nothing`,
    [caller],
  );
  for (const name of ["the list of one", "the export of one"]) {
    const inHundred = await rowsReadFor(reads(id)[name] ?? { sql: "", rows: 0 });
    expect(inHundred, name).toBeLessThanOrEqual((few[name] ?? 0) + 210);
  }
}, 600_000);
