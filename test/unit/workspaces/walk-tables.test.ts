import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../support/database/open-database.ts";
import { type ApiRole, forbidden, tryAs } from "../../support/workspaces/walk/attempt.ts";
import {
  type Asker,
  type DatabaseWorld,
  databaseWorld,
} from "../../support/workspaces/walk/database-world.ts";
import { mayDo } from "../../support/workspaces/walk/role-table.ts";
import { type TableLine, tableLines } from "../../support/workspaces/walk/table-lines.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let world: DatabaseWorld;
/** The columns of each table that a person may name, as one JSON object. */
let rowOf: ReadonlyMap<string, string>;

beforeAll(async () => {
  opened = await openDatabase();
  world = await databaseWorld(opened.query);
  const columns = await opened.query<{ table: string; names: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attname) as names
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
       and a.attnum > 0 and not a.attisdropped
       and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
     group by c.relname`,
  );
  rowOf = new Map(
    columns.map(({ table, names }) => [
      table,
      `jsonb_build_object(${names.map((name) => `'${name}', t."${name}"`)})`,
    ]),
  );
}, 120_000);
afterAll(() => opened?.close());

const lines = Object.entries(tableLines);

test("every table of the database's API has a line, and every line a table", () => {
  expect(world.tables).toEqual(Object.keys(tableLines).toSorted());
});

const signedIn = ({ id: person }: Asker, aal: "aal1" | "aal2" = "aal1"): ApiRole => ({
  role: "authenticated",
  person,
  aal,
});

/** The rows of the team, or of the person, that somebody reads: how many of them, or the code of the refusal. */
async function seenBy(asker: Asker, table: string, aal?: "aal1" | "aal2") {
  const row = rowOf.get(table) ?? "1";
  const sql = `select ${row} as row from public.${table} t`;
  const rows = await tryAs<{ row: unknown }>(world.query, signedIn(asker, aal), sql);
  if (typeof rows === "string") return rows;
  return rows.filter((each) => isCounted(table, each.row)).length;
}

/** Of what belongs to persons, each has one row. */
const isCounted = (table: string, row: unknown) =>
  tableLines[table]?.rowsOf === "person" || world.isTeams(row);

async function expected(asker: Asker, table: string, line: TableLine) {
  if (line.rowsOf === "site") return forbidden;
  const may = !line.readWith || (asker.role !== undefined && mayDo(asker.role, line.readWith));
  if (!may) return 0;
  if (line.rowsOf === "person") return 1;
  const rows = await world.query<{ row: unknown }>(
    `select to_jsonb(t) as row from public.${table} t ${hidden[table] ?? ""}`,
  );
  return rows.filter(({ row }) => world.isTeams(row)).length;
}

/** Rows of a workspace that nobody reads: what was deleted, and an invitation once it is taken. */
const hidden: Readonly<Record<string, string>> = {
  deployments: "where deleted_at is null",
  deployment_versions:
    "where deployment_id in (select id from public.deployments where deleted_at is null)",
  invitations: "where accepted_by is null",
};

test.each(lines)(
  "%s is read by whom the table of roles names, and by nobody else",
  async (table, line) => {
    for (const asker of world.askers) {
      const should = await expected(asker, table, line);
      const result = await seenBy(asker, table);
      expect.soft(result, `${table} read by the ${asker.name}`).toBe(should);
      // A row that is there shows that those who read none are refused, and do not look at an empty table.
      if (asker.name === "owner" && line.rowsOf !== "site") expect(should, table).not.toBe(0);
    }
  },
);

test.each(lines)(
  "%s is written by nobody past the Worker, and read by nobody who is signed out",
  async (table) => {
    const [column] = await opened.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped limit 1`,
      [`public.${table}`],
    );
    const writes = [
      `insert into public.${table} default values`,
      `update public.${table} set ${column?.name} = ${column?.name}`,
      `delete from public.${table}`,
      `truncate public.${table}`,
    ];
    const everybody: [name: string, as: ApiRole][] = [
      ["somebody signed out", { role: "anon" }],
      ...world.askers.map((asker): [string, ApiRole] => [asker.name, signedIn(asker)]),
    ];
    for (const [name, as] of everybody) {
      const reads = as.role === "anon" ? [`select from public.${table}`] : [];
      for (const sql of [...reads, ...writes]) {
        expect.soft(await tryAs(world.query, as, sql), `${sql}, by the ${name}`).toBe(forbidden);
      }
    }
  },
);

const isOfPersonAlone = (line: TableLine) => line.rowsOf === "person" && !line.readWith;

test("a workspace that wants a second factor is read only after one was given", async () => {
  const needed = "update public.workspaces set needs_second_factor = $1 where id = $2";
  await world.query(needed, [true, world.ids.team]);
  for (const [table, line] of lines) {
    for (const asker of world.askers.filter(({ role }) => role)) {
      const without = line.rowsOf === "site" ? forbidden : Number(isOfPersonAlone(line));
      expect
        .soft(await seenBy(asker, table), `${table} read by the ${asker.name} without`)
        .toBe(without);
      expect
        .soft(await seenBy(asker, table, "aal2"), `${table} read by the ${asker.name} with`)
        .toBe(await expected(asker, table, line));
    }
  }
  await world.query(needed, [false, world.ids.team]);
});

test("a session that has ended reads nothing", async () => {
  await world.query("delete from auth.sessions");
  for (const [table, line] of lines) {
    for (const asker of world.askers) {
      expect
        .soft(await seenBy(asker, table), `${table} read by the ${asker.name}`)
        .toBe(line.rowsOf === "site" ? forbidden : 0);
    }
  }
  await world.query("insert into auth.sessions (id, user_id) select id, id from auth.users");
});
