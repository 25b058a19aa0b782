import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmptyDatabase } from "../../../fakes/supabase/database/empty-database.ts";
import {
  type Migration,
  readMigrations,
} from "../../../scripts/deploy/database/migration-files.ts";
import {
  applyMigrations,
  type Database,
  pendingMigrations,
} from "../../../scripts/deploy/database/migrations.ts";
import { testInProof } from "../../support/run/variants.ts";

const first = migration("20260101000000", "pets", "create table pets (name text primary key);");
const second = migration(
  "20260102000000",
  "owners",
  "create table owners (id int primary key);\nalter table pets add column owner int references owners (id);",
);
const third = migration("20260103000000", "seed", "insert into owners (id) values (1), (2);");

function migration(version: string, name: string, sql: string): Migration {
  return { version, name, file: `${version}_${name}.sql`, sql };
}

let postgres: PGlite;

beforeAll(async () => {
  postgres = await openEmptyDatabase();
});

afterAll(() => postgres.close());

/** An empty database, asked the way `pg` asks: several statements only without parameters. */
async function emptyDatabase() {
  await postgres.exec(`
    reset all;
    drop schema if exists supabase_migrations cascade;
    drop schema public cascade;
    create schema public;
  `);
  const statements: string[] = [];
  const database: Database = {
    async query<Row extends object>(sql: string, parameters?: unknown[]) {
      statements.push(sql);
      if (parameters) return postgres.query<Row>(sql, parameters);
      const results = await postgres.exec(sql);
      return { rows: (results.at(-1)?.rows ?? []) as Row[] };
    },
  };
  return {
    database,
    asked: statements,
    async rows(sql: string) {
      return (await postgres.query(sql)).rows;
    },
    async versions() {
      const { rows } = await postgres.query<{ version: string }>(
        "select version from supabase_migrations.schema_migrations order by version",
      );
      return rows.map(({ version }) => version);
    },
  };
}

async function folderWith(files: Record<string, string>) {
  const folder = await mkdtempDisposable(join(tmpdir(), "migrations-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  return folder;
}

test("a new database gets every migration in order, recorded as the Supabase CLI records them", async () => {
  const opened = await emptyDatabase();
  const all = [first, second, third];
  expect(await pendingMigrations(opened.database, all)).toEqual(all);
  expect(await applyMigrations(opened.database, all)).toEqual(all);
  expect(
    await opened.rows("select * from supabase_migrations.schema_migrations order by version"),
  ).toEqual(all.map(({ version, name, sql }) => ({ version, name, statements: [sql] })));
  expect(await opened.rows("select id from owners order by id")).toEqual([{ id: 1 }, { id: 2 }]);
});

testInProof("a database that has everything gets nothing", async () => {
  const opened = await emptyDatabase();
  await applyMigrations(opened.database, [first, second]);
  expect(await pendingMigrations(opened.database, [first, second])).toEqual([]);
  expect(await applyMigrations(opened.database, [first, second])).toEqual([]);
});

testInProof("asking what is pending writes nothing, not even the history table", async () => {
  const opened = await emptyDatabase();
  await pendingMigrations(opened.database, [first]);
  expect(
    await opened.rows("select to_regclass('supabase_migrations.schema_migrations') as found"),
  ).toEqual([{ found: null }]);
});

testInProof(
  "a history that the Supabase CLI wrote is continued, also one of an early CLI",
  async () => {
    const opened = await emptyDatabase();
    await opened.database.query(`
    create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text not null primary key);
    insert into supabase_migrations.schema_migrations values ('20260101000000');
    create table pets (name text primary key);
  `);
    expect(await applyMigrations(opened.database, [first, second])).toEqual([second]);
    expect(await opened.versions()).toEqual([first.version, second.version]);
  },
);

test("a migration that fails leaves nothing of itself, keeps the ones before and stops the ones after", async () => {
  const opened = await emptyDatabase();
  const broken = migration(
    "20260102000000",
    "broken",
    "create table half (id int);\n\ninsert into nowhere values (1);",
  );
  await expect(applyMigrations(opened.database, [first, broken, third])).rejects.toThrow(
    '20260102000000_broken.sql failed and was rolled back: relation "nowhere" does not exist (line 3)',
  );
  expect(await opened.versions()).toEqual([first.version]);
  expect(await opened.rows("select to_regclass('public.half') as found")).toEqual([
    { found: null },
  ]);

  expect(await applyMigrations(opened.database, [first, second, third])).toEqual([second, third]);
});

testInProof(
  "a migration that was slipped in behind the newest applied one is refused, and nothing is applied",
  async () => {
    const opened = await emptyDatabase();
    await applyMigrations(opened.database, [first, third].map(withoutContent));
    const attempt = [
      first,
      second,
      third,
      migration("20260104000000", "later", "create table x ();"),
    ];
    for (const migrate of [pendingMigrations, applyMigrations]) {
      await expect(migrate(opened.database, attempt)).rejects.toThrow(
        "20260102000000_owners.sql is older than 20260103000000",
      );
    }
    expect(await opened.versions()).toEqual([first.version, third.version]);
  },
);

testInProof(
  "a checkout that lacks what the database has is refused: it is not the newest",
  async () => {
    const opened = await emptyDatabase();
    await applyMigrations(opened.database, [first, second]);
    await expect(pendingMigrations(opened.database, [first])).rejects.toThrow(
      "migrations that this checkout does not know: 20260102000000",
    );
  },
);

test("a database from before the first migration is refused, and nothing is applied", async () => {
  const opened = await emptyDatabase();
  await applyMigrations(opened.database, [first, second]);
  for (const migrate of [pendingMigrations, applyMigrations]) {
    await expect(migrate(opened.database, [third])).rejects.toThrow(
      "The database has migrations from before 20260103000000_seed.sql, with which this checkout begins",
    );
  }
  expect(await opened.versions()).toEqual([first.version, second.version]);
});

testInProof(
  "a deploy that waited for another finds the work done and does it not again",
  async () => {
    const opened = await emptyDatabase();
    let others = 0;
    const late: Database = {
      async query(sql, parameters) {
        // The other deploy does everything between our look at the history and our turn.
        if (sql === "begin" && others === 0) {
          others = (await applyMigrations(opened.database, [first, second])).length;
        }
        return opened.database.query(sql, parameters);
      },
    };
    expect(await applyMigrations(late, [first, second])).toEqual([]);
    expect(others).toBe(2);
    expect(await opened.versions()).toEqual([first.version, second.version]);
  },
);

testInProof(
  "every transaction takes the lock before it looks at the history or changes anything",
  async () => {
    const opened = await emptyDatabase();
    await applyMigrations(opened.database, [first, second]);
    const transactions = opened.asked.join("\n;;").split("begin").slice(1);
    expect(transactions).toHaveLength(2);
    for (const transaction of transactions) {
      const lock = transaction.indexOf("pg_advisory_xact_lock");
      expect(lock).toBeGreaterThan(0);
      for (const later of ["create schema", "select version", "create table", "insert into"]) {
        expect(transaction.indexOf(later)).toBeGreaterThan(lock);
      }
    }
  },
);

testInProof("settings that one migration leaves behind do not reach the next", async () => {
  const opened = await emptyDatabase();
  const careless = migration("20260101000000", "careless", "set search_path = pg_catalog;");
  expect(
    await applyMigrations(opened.database, [
      careless,
      migration("20260102000000", "next", first.sql),
    ]),
  ).toHaveLength(2);
  expect(await opened.rows("select to_regclass('public.pets') is not null as found")).toEqual([
    { found: true },
  ]);
});

testInProof("files are read in order of their version", async () => {
  await using folder = await folderWith({
    [second.file]: second.sql,
    [first.file]: first.sql,
    "README.md": "Not a migration.",
  });
  expect(readMigrations(folder.path)).toEqual([first, second]);
});

testInProof.each<{ files: Record<string, string>; says: string }>([
  { files: { "1_short.sql": "" }, says: "is not named like a migration" },
  { files: { "20260101000000.sql": "" }, says: "is not named like a migration" },
  {
    files: { "20260101000000_a.sql": "", "20260101000000_b.sql": "" },
    says: "20260101000000_a.sql and 20260101000000_b.sql have the same version",
  },
  {
    files: { "20260101000000_a.sql": "create table a ();\ncommit;" },
    says: 'says "commit", but a migration already runs in a transaction',
  },
])("a folder that does not fit is refused: $says", async ({ files, says }) => {
  await using folder = await folderWith(files);
  expect(() => readMigrations(folder.path)).toThrow(says);
});

test("our own migrations can be read", () => {
  expect(readMigrations("supabase/migrations").length).toBeGreaterThan(0);
});

function withoutContent(given: Migration): Migration {
  return { ...given, sql: "select 1;" };
}
