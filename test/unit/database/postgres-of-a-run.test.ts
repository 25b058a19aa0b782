import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, inject, test } from "vitest";
import { emptyTables } from "../../../fakes/supabase/database/empty-tables.ts";
import { openDatabase, openEmbedded } from "../../support/database/open-database.ts";
import { postgresPrograms } from "../../support/database/postgres-program.ts";
import { pollUntil } from "../../support/site/poll.ts";

const isThere = postgresPrograms() !== undefined && process.env.TEST_DATABASE !== "pglite";

type Opened = Pick<Awaited<ReturnType<typeof openDatabase>>, "database">;

async function columnsIn({ database }: Opened): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name || '.' || column_name || ' ' || data_type as name
     from information_schema.columns where table_schema in ('public', 'auth') order by 1`,
  );
  return rows.map(({ name }) => name);
}

test("tests run SQL in Debian's PostgreSQL where it is installed, in PGlite where it is not, with the same tables", async () => {
  const opened = await openDatabase();
  const embedded = await openEmbedded();
  const version = await opened.query<{ version: string }>("select version()");
  expect(inject("postgres") !== "").toBe(isThere);
  expect(/emcc|emscripten/i.test(version[0]?.version ?? "")).toBe(!isThere);
  const columns = await columnsIn(embedded);
  expect(columns).toContain("workspaces.name text");
  expect(await columnsIn(opened)).toEqual(columns);
  await Promise.all([opened.close(), embedded.close()]);
}, 120_000);

test.each([
  ["the database of a run", openDatabase],
  ["PGlite", openEmbedded],
])(
  "a reset empties every table of %s, small and grown, and keeps the migrations",
  async (_, open) => {
    const { database, close } = await open();
    await database.exec(`
    insert into auth.users (id, aud, role, email)
      select gen_random_uuid(), 'authenticated', 'authenticated', n || '@example.com' from generate_series(1, 900) n;
    insert into public.workspaces (name) values ('Team');
    insert into public.members (workspace_id, user_id, role)
      select w.id, u.id, 'owner' from public.workspaces w, auth.users u limit 1`);
    const history = "select count(*)::int as n from supabase_migrations.schema_migrations";
    const { rows: before } = await database.query<{ n: number }>(history);
    await emptyTables(database);
    const { rows: tables } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'auth') and tablename not in ('schema_migrations', 'migrations')`,
    );
    const counts = tables.map(
      ({ name }) => `select '${name}' as name where exists (select from ${name})`,
    );
    const { rows: left } = await database.query(counts.join(" union all "));
    expect(left).toEqual([]);
    expect(tables.length).toBeGreaterThan(30);
    const { rows: after } = await database.query<{ n: number }>(history);
    expect(after).toEqual(before);
    await close();
  },
  120_000,
);

const starter = `
  import { startPostgresProgram } from "./test/support/database/postgres-program.ts";
  const { folder } = await startPostgresProgram();
  console.log(folder);
`;

test.runIf(isThere)(
  "a PostgreSQL ends and is removed with the process that started it, even when that is killed",
  async () => {
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--input-type=module", "--eval", starter],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [folder] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const server = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
    expect(isRunning(server)).toBe(true);
    child.kill("SIGKILL");
    await pollUntil(
      () => isRunning(server) || existsSync(folder),
      (isLeft) => !isLeft,
      60_000,
    );
  },
  120_000,
);

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
