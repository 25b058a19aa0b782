import { afterAll, beforeAll, expect, test } from "vitest";
import { readAs } from "../../support/database/as-person.ts";
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
  "the workspaces": { sql: "select * from public.workspaces", rows: 3 },
  "the caller's roles": {
    sql: `select * from public.members where user_id = '${caller}'`,
    rows: 3,
  },
});

async function rowsReadFor({ sql, rows }: { sql: string; rows: number }): Promise<number> {
  const ask = async () => expect(await readAs(query, caller, sql)).toHaveLength(rows);
  await ask();
  const before = await rowsRead(query);
  await ask();
  return (await rowsRead(query)) - before;
}

test("a member's reads cost the same in 10 and 10,000 workspaces, with 3 and 3,000 members", async () => {
  await addWorkspaces(query, { first: 1, count: 10, membersEach: 3 });
  await query("insert into auth.sessions (id, user_id) values ($1, $1)", [caller]);
  const [{ id } = { id: "none" }] = await query<{ id: string }>(
    "select id from public.deployments where user_id = $1 limit 1",
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
  await addMembers(query, caller, { first: 11, count: 2_997 });
  const crowded = await measure();
  for (const [name, figure] of Object.entries(few)) {
    expect.soft(many[name], `${name}, ${figure} before`).toBeLessThanOrEqual(figure + 10);
    expect.soft(crowded[name], `${name}, ${figure} before`).toBeLessThanOrEqual(figure + 10);
  }
  for (const table of ["workspaces", "members", "deployments", "deployment_versions"]) {
    const scans = await scansOf(query, caller, `select * from public.${table}`);
    expect(scans.map((each) => each.table)).toContain(table);
    for (const { how } of scans) expect(how, table).not.toBe("Seq Scan");
  }

  await query(
    `insert into public.members (workspace_id, user_id, role)
     select w.id, $1, 'viewer' from public.workspaces w order by w.id desc limit 97
     on conflict do nothing`,
    [caller],
  );
  const inHundred = await rowsReadFor(reads(id)["the list of one"] ?? { sql: "", rows: 0 });
  expect(inHundred).toBeLessThanOrEqual((few["the list of one"] ?? 0) + 210);
}, 600_000);
