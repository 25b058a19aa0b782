import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import {
  addFormerCustomers,
  openFormerDatabase,
  rightsOf,
} from "../../support/database/former-database.ts";

const people = Array.from({ length: 2_000 }, (_, index) => accountId(index + 1));

test("2,000 customers of the first version keep every right in a database that is migrated in place", async () => {
  await using former = await openFormerDatabase();
  const { query } = former;
  await addFormerCustomers(query, people.length);
  const [counts] = await query<Record<string, number>>(
    `select (select count(*)::int from public.customers) as customers,
       (select count(*)::int from public.deployments) as deployments,
       (select count(*)::int from public.token_usage_days) as days`,
  );
  expect(counts?.customers).toBeGreaterThan(2_000);
  expect(counts?.deployments).toBeGreaterThan(2_500);
  expect(counts?.days).toBeGreaterThan(29_000);
  const before = await rightsOf(query, people);
  const last = former.later.at(-1);
  if (last) await former.migrate(last);
  const after = await rightsOf(query, people);
  for (const person of people) expect(after[person], person).toEqual(before[person]);
}, 600_000);
