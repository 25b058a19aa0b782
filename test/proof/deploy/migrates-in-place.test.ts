import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import { startDebianPostgres } from "../../support/database/debian-postgres.ts";
import { laterMigrations } from "../../support/database/later-migrations.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { addCustomers } from "../../support/database/migrated-database.ts";
import { rememberReadings, rightsOf } from "../../support/database/rights-of-people.ts";

const people = Array.from({ length: 2_000 }, (_, index) => accountId(index + 1));
/** One of each kind that addCustomers makes: what it varies comes back after so many. */
const kinds = people.slice(0, 300);

test("2,000 customers keep every right through each later migration of a database in place", async () => {
  await using postgres = await startDebianPostgres({ onlyBeginning: true });
  const deploy = await postgres.connect();
  const query: Query = async <Row>(sql: string, parameters?: unknown[]) =>
    (await deploy.query(sql, parameters)).rows as Row[];
  // Some functions name tables of the auth server that this database lacks. None of them is called here.
  await query("set check_function_bodies = off");
  await addCustomers(query, people.length);
  const [counts] = await query<Record<string, number>>(
    `select (select count(*)::int from public.customers) as customers,
       (select count(*)::int from public.deployments) as deployments,
       (select count(*)::int from public.token_usage_days) as days`,
  );
  expect(counts?.customers).toBeGreaterThan(2_000);
  expect(counts?.deployments).toBeGreaterThan(2_500);
  expect(counts?.days).toBeGreaterThan(29_000);

  const readOtherwise = await rememberReadings(query, people);
  const expectAsBefore = async (who: readonly string[], when: string) => {
    const changed = await readOtherwise(who);
    expect(changed.slice(0, 1), `${when}, for ${changed.length} of ${who.length}`).toEqual([]);
  };
  const atFirst = await rightsOf(query, kinds);
  for (const { file, sql } of laterMigrations) {
    await query(sql);
    await expectAsBefore(kinds, file);
  }
  await expectAsBefore(people, "after the last");
  expect(await rightsOf(query, kinds)).toEqual(atFirst);
}, 1_200_000);
