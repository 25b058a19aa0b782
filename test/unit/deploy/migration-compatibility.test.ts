import { expect, test } from "vitest";
import { findIncompatible } from "../../../scripts/deploy/database/compatibility.ts";
import {
  type Migration,
  readMigrations,
} from "../../../scripts/deploy/database/migration-files.ts";
import { beginning, laterMigrations } from "../../support/database/later-migrations.ts";

function migration(name: string, sql: string): Migration {
  return { version: "20260101000000", name, file: `${name}.sql`, sql };
}

const former = [
  migration(
    "former",
    `create table public.pets (name text, age int default 1);
     create table owners (id int);
     create function public.feed(pet text) returns void language sql as $$ select; drop table pets; $$;`,
  ),
];

const objections = (sql: string) => findIncompatible([migration("new", sql)], former);

test("our own migrations suit the code that runs while they are applied", () => {
  const migrations = readMigrations("supabase/migrations");
  const found = migrations.flatMap((each, index) =>
    findIncompatible([each], migrations.slice(0, index)),
  );
  expect(found).toEqual([]);
});

test("so do those that tests take for later ones", () => {
  const found = laterMigrations.flatMap((each, index) =>
    findIncompatible([each], [...beginning, ...laterMigrations.slice(0, index)]),
  );
  expect(found).toEqual([]);
});

test.each([
  "drop table public.pets;",
  "drop table if exists owners, pets cascade;",
  "alter table public.pets drop column name;",
  "alter table pets\n  add column size int,\n  drop name;",
  "alter table pets rename column name to label;",
  "alter table pets rename to animals;",
  "alter function feed(text) rename to nourish;",
  "alter table pets alter column age type bigint;",
  "alter table pets alter age set data type text;",
  "alter table pets alter column name set not null;",
  "alter table pets alter column age drop default;",
  "alter table pets add column size int not null;",
  "alter table pets add constraint young check (age < 9);",
  "create unique index one_name on public.pets (name);",
  "drop function public.feed(text);",
  "revoke execute on function public.feed(text) from public, anon;",
  "revoke select on owners, pets from authenticated;",
  "revoke all on all tables in schema public from anon;",
  "alter table pets enable row level security;",
  "drop policy own_pets on public.pets;",
  "truncate pets;",
  "do $$ begin execute 'drop table pets'; end $$;",
  'DROP TABLE "pets";',
  'drop policy "People read their own pets" on public.pets;',
  'drop policy if exists "on toys" on "public"."pets" cascade;',
  'create policy "no more" on pets as restrictive using (false);',
  'alter policy "People read" on pets using (false);',
  'drop trigger "a b" on pets;',
  'create trigger "a b" before insert on pets execute function feed();',
  "alter table pets drop constraint pets_pkey;",
  "alter table pets disable trigger all;",
  "drop index pets_name;",
  "delete from pets;",
  "update public.pets set name = null;",
  "alter table pets add size int unique;",
  "drop extension pgcrypto;",
  "select public.feed('all');",
])("%s is refused", (sql) => {
  expect(objections(`-- Tidies up.\n${sql}`)).toEqual([
    expect.stringMatching(/^new.sql, line 2: /),
  ]);
});

test("none of the rules that hide our own rows can be dropped or changed unseen", () => {
  const ours = readMigrations("supabase/migrations");
  const policies = ours.flatMap(({ sql }) => [
    ...sql.matchAll(/create policy (".+") on (public\.\w+)/g),
  ]);
  expect(policies.length).toBeGreaterThan(8);
  for (const [, name, table] of policies) {
    for (const change of [
      `drop policy ${name} on ${table};`,
      `alter policy ${name} on ${table} using (false);`,
    ]) {
      expect.soft(findIncompatible([migration("new", change)], ours), change).toHaveLength(1);
    }
  }
});

test("what is refused is named with its file and its line", () => {
  expect(objections("create table a (id int);\n\ndrop table pets;")).toEqual([
    "new.sql, line 3: drop table pets",
  ]);
});

test.each([
  "alter table pets add column size int;",
  "alter table pets add column size int not null default 0;",
  "alter table pets add column size numeric(5, 2) default 0; alter table pets alter column size set not null;",
  "alter table pets alter column age drop not null;",
  "alter table pets add column owner text, add size int default 0 not null;",
  "alter table pets alter column age set default 2;",
  'create policy "People read" on "pets" for select using (true);',
  'create index "by name" on pets (name); drop index "by name";',
  "comment on table pets is 'drop table pets';",
  "create index on pets (name);",
  "create or replace function public.feed(pet text) returns void language sql as $$ drop table pets $$;",
  "insert into pets values ('drop table pets; --');",
  "-- drop table pets;\n/* drop table pets; */ create type size as enum ('s');",
  "grant select on pets to anon;",
])("%s is taken", (sql) => {
  expect(objections(sql)).toEqual([]);
});

test("what the same deploy creates may be changed, restricted and dropped: nobody has seen it", () => {
  const first = migration(
    "first",
    `create table public.toys (id int);
     alter table public.toys enable row level security;
     revoke all on public.toys from anon;
     create policy "none yet" on toys as restrictive using (false);
     create trigger fed after insert on toys execute function feed();
     alter table toys alter column id set not null;
     delete from toys;`,
  );
  const second = migration("second", "alter table toys drop column id;\ndrop table toys;");
  expect(findIncompatible([first, second], former)).toEqual([]);
  expect(findIncompatible([second], [...former, first])).toHaveLength(2);
});

test("an exception needs a reason, and holds for the statement below it alone", () => {
  const allowed = "-- allowed: no released version reads it\ndrop table pets;";
  expect(objections(allowed)).toEqual([]);
  expect(objections(`${allowed}\ndrop table owners;`)).toHaveLength(1);
  expect(objections("-- allowed:\ndrop table pets;")).toHaveLength(1);
  expect(objections("-- allowed: it is fine")).toEqual([]);
  expect(objections("-- allowed: ok\ndrop table pets;")).toHaveLength(1);
});

test("the first migrations of a database are not judged: no version runs yet", () => {
  expect(findIncompatible([migration("new", "drop table pets;")], [])).toEqual([]);
});
