import type { Migration } from "../../../scripts/deploy/database/migration-files.ts";
import { applyMigrations } from "../../../scripts/deploy/database/migrations.ts";
import { accountId } from "./as-person.ts";
import { beginning, laterMigrations } from "./later-migrations.ts";
import type { Query } from "./many-rows.ts";
import { openDatabase } from "./open-database.ts";

/** A database as it was before the later migrations, and the command of a deploy that brings it forward. */
export async function openMigratedDatabase() {
  const { database, query, close } = await openDatabase((fresh) =>
    applyMigrations(fresh, beginning),
  );
  return {
    query,
    /** Applies what is pending up to a migration, by the command that a deploy runs. */
    migrate: ({ version }: Migration) =>
      applyMigrations(
        database,
        [...beginning, ...laterMigrations].filter((each) => each.version <= version),
      ),
    [Symbol.asyncDispose]: close,
  };
}

const idOf = (n: string) => `('${accountId(0).slice(0, -12)}' || lpad(${n}::text, 12, '0'))::uuid`;
const statuses =
  "array['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete_expired']";

/**
 * People as a database in use has them: with one customer, two, a guest's purchase that is theirs or waits, or none;
 * with subscriptions in every state, no deployment, one or many, with many versions, and with agents or without; with
 * unsaved changes and answered messages. Each is alone in a personal workspace.
 */
export async function addCustomers(query: Query, count: number): Promise<void> {
  const people = `generate_series(1, ${count}) n`;
  const address = "'customer.' || n || '@example.com'";
  await query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
    select ${idOf("n")}, 'authenticated', 'authenticated', ${address},
      case when n % 20 <> 17 then now() end from ${people}`);
  await query(
    `insert into auth.sessions (id, user_id) select ${idOf("n")}, ${idOf("n")} from ${people}`,
  );
  await query(`select public.personal_workspace(${idOf("n")}) from ${people}`);
  await query(`insert into public.customers (id, user_id, origin, email)
    select 'cus_' || n, ${idOf("n")}, 'account', ${address} from ${people} where n % 10 < 7
    union all select 'cus_second_' || n, ${idOf("n")}, 'guest', ${address} from ${people} where n % 10 = 1
    union all select 'cus_claimed_' || n, ${idOf("n")}, 'guest', ${address} from ${people} where n % 10 = 8
    union all select 'cus_waits_' || n, null, 'guest', ${address} from ${people} where n % 10 in (7, 9)`);
  await query(`insert into public.subscriptions
      (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
    select 'sub_' || s || '_' || c.id, c.id, (${statuses})[1 + (c.place + s * 3) % 7],
      case when c.place % 3 = 0 then 'price_basic' else 'price_pro' end, 1999, 'usd', 'month', now()
    from (select id, row_number() over (order by id) as place from public.customers) c,
      generate_series(1, 2) s where s = 1 or c.place % 4 = 0`);
  await query(`insert into public.deployments (user_id, name, options, progress)
    select ${idOf("n")}, 'Server ' || d, jsonb_build_object('domain', 'live' || n || '.example.com'),
      case when d = 1 then '{"doctor": "2026-11-20T12:00:00Z"}'::jsonb else '{}' end
    from ${people}, generate_series(1, 20) d
    where d <= case when n % 25 = 1 then 20 when n % 3 = 0 then 0 else 1 end`);
  await query(`insert into public.deployment_versions (deployment_id, version, options, saved_at)
    select d.id, v, '{}', '2026-11-19T12:00:00Z' from public.deployments d, generate_series(1, 60) v
    where v <= case when d.name = 'Server 2' then 60 else 1 end`);
  await query(`update public.deployments set version = 60 where name = 'Server 2'`);
  await query(`insert into public.model_configuration_versions
      (user_id, version, model, instructions, voice, transcription_model, saved_by)
    select ${idOf("n")}, v, 'model', '', 'nova', 'whisper', ${address}
    from ${people}, generate_series(1, 3) v where n % 4 = 1`);
  await query(`insert into public.api_tokens (user_id, name, token_hash, ending)
    select ${idOf("n")}, 'Agent', lpad(to_hex(n), 64, '0'), 'abcd' from ${people} where n % 4 = 1`);
  await query(`insert into public.token_usage_events (workspace_id, event_id, identity, happened_at, usage)
    select ${idOf("n")}, 'event ' || e, 'ada', now(), '{}'
    from ${people}, generate_series(1, 3) e where n % 4 = 1`);
  await query(`insert into public.token_usage_days
    select ${idOf("n")}, '2026-11-21'::date - d, 'ada', 1, 100, 60, 60, 0, 0, 40, 40, 0
    from ${people}, generate_series(1, 60) d where n % 4 = 1`);
  await query(`insert into public.token_allowances (workspace_id, identity, remaining)
    select ${idOf("n")}, 'ada', 900 from ${people} where n % 4 = 1`);
  await query(`insert into public.unsaved_changes (user_id, deployment_id, changes, discarded)
    select d.user_id, d.id, jsonb_build_object('domain', jsonb_build_object('was', '', 'now', d.name)),
      d.name = 'Server 2'
    from public.deployments d where d.name in ('Server 1', 'Server 2')
    union all
    select ${idOf("n")}, null, '{"email": {"was": "", "now": "typed"}}', false from ${people} where n % 2 = 0`);
  await query(`insert into public.contact_messages (name, email, topic, message, user_id, deployment_id)
    select 'Customer', 'customer.' || n || '@example.com', 'support', 'A question of ' || n,
      ${idOf("n")}, (select min(d.id::text)::uuid from public.deployments d where d.user_id = ${idOf("n")})
    from ${people} where n % 3 <> 2`);
  await query(`insert into public.contact_answers (message_id, answer)
    select m.id, 'An answer to ' || m.message from public.contact_messages m where m.user_id is not null`);
}
