import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmptyDatabase } from "../../../fakes/supabase/database/empty-database.ts";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";

const owner = "00000000-0000-4000-8000-000000000001";

/** What our migrations expect of a Supabase project, as far as these tables need it. */
const project = `
  create role anon; create role authenticated; create role service_role bypassrls;
  create schema auth;
  create table auth.users (id uuid primary key);
  create function auth.uid() returns uuid language sql stable
    as $$ select current_setting('request.jwt.claim.sub')::uuid $$;
  grant usage on schema auth, public to anon, authenticated, service_role;
`;

/** As many events as asked, of `customers` customers after the first, with the sums of their days. */
const fill = (from: number, customers: number, events: number) => `
  insert into auth.users
  select ('00000000-0000-4000-8000-' || lpad(c::text, 12, '0'))::uuid
  from generate_series(${from}, ${from + customers - 1}) c;
  insert into public.token_usage_events (user_id, event_id, identity, happened_at, usage)
  select ('00000000-0000-4000-8000-' || lpad((${from} + e % ${customers})::text, 12, '0'))::uuid,
    'event_' || e, 'user_' || (e / ${customers}) % 30,
    timestamptz '2026-10-01 12:00Z' + (e / ${customers}) % 31 * interval '1 day', '{}'
  from generate_series(1, ${events}) e;
  insert into public.token_usage_days
  select user_id, (happened_at at time zone 'UTC')::date, identity, count(*), 10 * count(*),
    4 * count(*), 3 * count(*), count(*), 0, 6 * count(*), 3 * count(*), 3 * count(*)
  from public.token_usage_events
  where user_id >= ('00000000-0000-4000-8000-' || lpad('${from}', 12, '0'))::uuid
  group by 1, 2, 3;
  analyze;
`;

let postgres: PGlite;

/** The first customer has 200 events of 30 identities, and asks. */
beforeAll(async () => {
  postgres = await openEmptyDatabase();
  await postgres.exec(project);
  for (const { sql, name } of readMigrations("supabase/migrations")) {
    if (/^(model_configurations|token_usage)$/.test(name)) await postgres.exec(sql);
  }
  await postgres.exec(fill(1, 1, 200));
  await postgres.exec(`set request.jwt.claim.sub = '${owner}'`);
}, 120_000);
afterAll(() => postgres.close());

test("statistics take no longer for 100,000 usage rows of other customers", {
  timeout: 120_000,
}, async () => {
  const call = "select public.token_usage_statistics('2026-10-01', '2026-10-31') as answer";
  async function statistics() {
    await postgres.exec("set role authenticated");
    let fastest = Number.POSITIVE_INFINITY;
    let answer: unknown;
    for (let run = 0; run < 31; run++) {
      const began = performance.now();
      const { rows } = await postgres.query<{ answer: unknown }>(call);
      fastest = Math.min(fastest, performance.now() - began);
      answer = rows[0]?.answer;
    }
    const explained = await postgres.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${call}`,
    );
    await postgres.exec("reset role");
    const plan = explained.rows[0]?.["QUERY PLAN"][0].Plan ?? {};
    const blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
    return { fastest, blocks, answer };
  }

  const alone = await statistics();
  expect(alone.answer).toMatchObject({ total: { responses: 200, total_tokens: 2_000 } });
  await postgres.exec(fill(2, 100, 100_000));
  const { rows } = await postgres.query("select count(*)::int from public.token_usage_events");
  expect(rows).toEqual([{ count: 100_200 }]);
  const amongOthers = await statistics();
  expect(amongOthers.answer).toEqual(alone.answer);
  // Room for a crowded machine. The proof is what is read of the tables: at most one block more for each
  // of the customer's own 200 rows, in tables of more than a thousand.
  expect(amongOthers.fastest / alone.fastest).toBeLessThan(5);
  expect(alone.blocks).toBeGreaterThan(0);
  expect(amongOthers.blocks).toBeLessThan(alone.blocks + 200);
});

test("an allowance beyond the 100 identities that used most is found by its identity", async () => {
  await postgres.exec(`
    insert into public.token_allowances
    select '${owner}', 'limited_' || n, n from generate_series(1, 150) n;
    set role authenticated;
  `);
  async function identitiesOf(...identity: string[]) {
    const { rows } = await postgres.query<{
      answer: { known: number; identities: { identity: string }[] };
    }>(
      `select public.token_usage_statistics('2026-10-01', '2026-10-31' ${identity.map((name) => `, '${name}'`)}) as answer`,
    );
    return rows[0]?.answer;
  }
  const all = await identitiesOf();
  expect(all).toMatchObject({ known: 180, identities: { length: 100 } });
  expect(all?.identities).not.toContainEqual(expect.objectContaining({ identity: "limited_99" }));
  expect(await identitiesOf("limited_99")).toMatchObject({
    known: 1,
    identities: [{ identity: "limited_99", responses: 0, total_tokens: 0, remaining: 99 }],
  });
});
