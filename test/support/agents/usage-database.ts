import { openEmptyDatabase } from "../../../fakes/supabase/database/empty-database.ts";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";

export const owner = "00000000-0000-4000-8000-000000000001";

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
export const fill = (from: number, customers: number, events: number) => `
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

/** The tables and functions of token usage. The first customer has 200 events of 30 identities, and asks. */
export async function usageDatabase() {
  const postgres = await openEmptyDatabase();
  await postgres.exec(project);
  for (const { sql, name } of readMigrations("supabase/migrations")) {
    if (/^(model_configurations|token_usage)$/.test(name)) await postgres.exec(sql);
  }
  await postgres.exec(fill(1, 1, 200));
  await postgres.exec(`set request.jwt.claim.sub = '${owner}'`);
  return postgres;
}
