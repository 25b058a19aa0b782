import { expect, test } from "vitest";
import { findIncompatible } from "../../deploy/database/compatibility.ts";
import { type Migration, readMigrations } from "../../deploy/database/migration-files.ts";

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

test.each([
  ["drop table public.pets;", "pets: drops what the code may use"],
  ["drop table if exists owners, pets cascade;", "pets: drops what the code may use"],
  ["alter table public.pets drop column name;", "pets: drops a column (drop column name)"],
  ["alter table pets\n  add column size int,\n  drop name;", "pets: drops a column (drop name)"],
  ["alter table pets rename column name to label;", "pets: renames"],
  ["alter table pets rename to animals;", "pets: renames"],
  ["alter function feed(text) rename to nourish;", "feed: renames or moves it"],
  ["alter table pets alter column age type bigint;", "pets: changes the type of a column"],
  ["alter table pets alter age set data type text;", "pets: changes the type of a column"],
  ["alter table pets alter column name set not null;", "pets.name: wants a value"],
  ["alter table pets alter column age drop default;", "pets: wants a value"],
  ["alter table pets add column size int not null;", "pets: adds a column that must be given"],
  ["alter table pets add constraint young check (age < 9);", "pets: refuses rows that were good"],
  ["create unique index one_name on public.pets (name);", "pets: refuses rows that were good"],
  ["drop function public.feed(text);", "feed: drops what the code may use"],
  ["revoke execute on function public.feed(text) from public, anon;", "feed: takes a right away"],
  ["revoke select on owners, pets from authenticated;", "pets: takes a right away"],
  ["revoke all on all tables in schema public from anon;", "takes a right away"],
  ["alter table pets enable row level security;", "pets: hides its rows"],
  ["drop policy own_pets on public.pets;", "pets: drops a rule that the code relies on"],
  ["truncate pets;", "pets: empties it"],
  ["do $$ begin execute 'drop table pets'; end $$;", "do: cannot be judged by reading"],
  ['DROP TABLE "pets";', "pets: drops what the code may use"],
])("%s is refused", (sql, says) => {
  expect(objections(`-- Tidies up.\n${sql}`).join("\n")).toContain(says);
});

test("what is refused is named with its file and its line", () => {
  expect(objections("create table a (id int);\n\ndrop table pets;")).toEqual([
    "new.sql, line 3: pets: drops what the code may use",
  ]);
});

test.each([
  "alter table pets add column size int;",
  "alter table pets add column size int not null default 0;",
  "alter table pets add column size numeric(5, 2) default 0; alter table pets alter column size set not null;",
  "alter table pets alter column age drop not null;",
  "alter table pets drop constraint young;",
  "create index on pets (name);",
  "create or replace function public.feed(pet text) returns void language sql as $$ drop table pets $$;",
  "insert into pets values ('drop table pets; --');",
  "-- drop table pets;\n/* drop table pets; */ select 1;",
  "grant select on pets to anon;",
])("%s is taken", (sql) => {
  expect(objections(sql)).toEqual([]);
});

test("what the same deploy creates may be changed, restricted and dropped: nobody has seen it", () => {
  const first = migration(
    "first",
    `create table public.toys (id int);
     alter table public.toys enable row level security;
     revoke all on public.toys from anon;`,
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
