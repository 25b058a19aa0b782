import { expect, test } from "vitest";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";
import { accountId } from "../../support/database/as-person.ts";
import { startDebianPostgres } from "../../support/database/debian-postgres.ts";
import {
  addFormerCustomers,
  addFormerDrafts,
  firstOfWorkspaces,
  newestOfFormer,
} from "../../support/database/former-database.ts";
import { rememberReadings, rightsOf } from "../../support/database/former-rights.ts";
import type { Query } from "../../support/database/many-rows.ts";

const people = Array.from({ length: 2_000 }, (_, index) => accountId(index + 1));
/** One of each kind that addFormerCustomers makes: what it varies comes back after so many. */
const kinds = people.slice(0, 300);

test("2,000 customers of the first version keep every right through each migration of a database in place", async () => {
  await using postgres = await startDebianPostgres({ until: newestOfFormer });
  const deploy = await postgres.connect();
  const query: Query = async <Row>(sql: string, parameters?: unknown[]) =>
    (await deploy.query(sql, parameters)).rows as Row[];
  // Some functions name tables of the auth server that this database lacks. None of them is called here.
  await query("set check_function_bodies = off");
  await addFormerCustomers(query, people.length);
  const [counts] = await query<Record<string, number>>(
    `select (select count(*)::int from public.customers) as customers,
       (select count(*)::int from public.deployments) as deployments,
       (select count(*)::int from public.token_usage_days) as days`,
  );
  expect(counts?.customers).toBeGreaterThan(2_000);
  expect(counts?.deployments).toBeGreaterThan(2_500);
  expect(counts?.days).toBeGreaterThan(29_000);
  const later = readMigrations("supabase/migrations").filter(
    ({ version }) => version > newestOfFormer,
  );

  const expectAsBefore = async (who: readonly string[], when: string) => {
    const changed = await readOtherwise(who);
    expect(changed.slice(0, 1), `${when}, for ${changed.length} of ${who.length}`).toEqual([]);
  };

  const atFirst = await rightsOf(query, kinds);
  let readOtherwise = await rememberReadings(query, people);
  let beforeWorkspaces: typeof atFirst = {};
  for (const { version, file, sql } of later) {
    if (version === firstOfWorkspaces) {
      await expectAsBefore(people, `before ${file}`);
      await addFormerDrafts(query, people.length);
      beforeWorkspaces = await rightsOf(query, kinds, { withDrafts: true });
      expect(beforeWorkspaces).toMatchObject(atFirst);
      readOtherwise = await rememberReadings(query, people, { withDrafts: true });
    }
    await query(sql);
    await expectAsBefore(kinds, file);
  }
  await expectAsBefore(people, "after the last");
  expect(await rightsOf(query, kinds, { withDrafts: true })).toEqual(beforeWorkspaces);
}, 1_200_000);
