import type { PGlite } from "@electric-sql/pglite";
import {
  type Migration,
  readMigrations,
} from "../../../scripts/deploy/database/migration-files.ts";
import { applyMigrations } from "../../../scripts/deploy/database/migrations.ts";
import { accountId, readAs, tryAsWorker } from "./as-person.ts";
import type { Query } from "./many-rows.ts";
import { openDatabase } from "./open-database.ts";

/** The newest migration of the first version that customers used. */
export const newestOfFormer = "20261121160000";

/**
 * A database as the first version that customers used made it, or with the migrations up to another, and those that
 * came after it.
 */
export async function openFormerDatabase({ until = newestOfFormer }: { until?: string } = {}) {
  const all = readMigrations("supabase/migrations");
  const former = all.filter(({ version }) => version <= until);
  const { database, query, close } = await openDatabase((fresh) =>
    applyMigrations(asDeploySees(fresh), former),
  );
  return {
    query,
    later: all.slice(former.length),
    /** Applies what is pending up to a migration, by the command that a deploy runs. */
    migrate: ({ version }: Migration) =>
      applyMigrations(
        asDeploySees(database),
        all.filter((each) => each.version <= version),
      ),
    [Symbol.asyncDispose]: close,
  };
}

function asDeploySees(database: PGlite) {
  return {
    async query<Row extends object>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }> {
      if (parameters) return database.query<Row>(sql, parameters);
      const results = await database.exec(sql);
      return { rows: (results.at(-1)?.rows ?? []) as Row[] };
    },
  };
}

const idOf = (n: string) => `('${accountId(0).slice(0, -12)}' || lpad(${n}::text, 12, '0'))::uuid`;
const statuses =
  "array['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete_expired']";

/**
 * People as they came to the first version: with one customer, two, a guest's purchase that is theirs or waits, or
 * none; with subscriptions in every state, no deployment, one or many, with many versions, and with agents or without.
 */
export async function addFormerCustomers(query: Query, count: number): Promise<void> {
  const people = `generate_series(1, ${count}) n`;
  const address = "'customer.' || n || '@example.com'";
  await query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
    select ${idOf("n")}, 'authenticated', 'authenticated', ${address},
      case when n % 20 <> 17 then now() end from ${people}`);
  await query(
    `insert into auth.sessions (id, user_id) select ${idOf("n")}, ${idOf("n")} from ${people}`,
  );
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
  await query(`insert into public.token_usage_events (user_id, event_id, identity, happened_at, usage)
    select ${idOf("n")}, 'event ' || e, 'ada', now(), '{}'
    from ${people}, generate_series(1, 3) e where n % 4 = 1`);
  await query(`insert into public.token_usage_days
    select ${idOf("n")}, '2026-11-21'::date - d, 'ada', 1, 100, 60, 60, 0, 0, 40, 40, 0
    from ${people}, generate_series(1, 60) d where n % 4 = 1`);
  await query(`insert into public.token_allowances (user_id, identity, remaining)
    select ${idOf("n")}, 'ada', 900 from ${people} where n % 4 = 1`);
}

const keys = {
  customers: "id",
  subscriptions: "id || ' ' || status || ' ' || price_id",
  deployments:
    "id || ' ' || name || ' ' || version || ' ' || options::text || ' ' || progress::text",
  deployment_versions: "deployment_id || ' ' || version",
  model_configuration_versions: "version || ' ' || model",
  api_tokens: "id || ' ' || name",
  token_usage_events: "event_id",
  token_usage_days: "day || ' ' || identity || ' ' || total_tokens",
  token_allowances: "identity || ' ' || remaining",
};
const everything = Object.entries(keys).map(
  ([table, key]) => `'${table}', (select coalesce(jsonb_agg(k order by k), '[]')
    from (select ${key} as k from public.${table}) t)`,
);

/** What somebody reads as themselves, in every table. */
export async function readableBy(query: Query, person: string) {
  const [row] = await readAs<{ all: Record<keyof typeof keys, string[]> }>(
    query,
    person,
    `select jsonb_build_object(${everything}, 'statistics',
       public.token_usage_statistics('2026-01-01', '2026-12-31')) as all`,
  );
  return row?.all;
}

const details = { text_tokens: 3, audio_tokens: 2, cached_tokens: 0 };

/** What an agent reports of these events. */
export function reportOf(...events: string[]): string {
  const reports = events.map((event_id) => ({
    event_id,
    identity: "ada",
    happened_at: "2026-11-20T12:00:00Z",
    usage: {
      total_tokens: 10,
      input_tokens: 5,
      input_token_details: details,
      output_tokens: 5,
      output_token_details: details,
    },
  }));
  return JSON.stringify(reports);
}

/**
 * What the calls of the first version's Worker answer when this person asks to change a deployment, a token, an allowance
 * or their model configuration, when their agent reports usage, and whose its token is.
 */
async function changeableBy(query: Query, person: string, deployment: string) {
  const number = Number(person.slice(-12));
  const [row] = await tryAsWorker(
    query,
    `select
       public.use_api_token(lpad(to_hex($4::integer), 64, '0')) as agent,
       public.record_token_usage(lpad(to_hex($4::integer), 64, '0'), $5) as reported,
       public.set_deployment_progress($1, $2, 'dns', true) as progress,
       public.save_deployment($1, $2, 'Renamed', '{"domain": "new.example.com"}',
         (select version from public.deployments where id = $2)) as saved,
       public.delete_deployment($1, $2) as deleted,
       (select count(public.revoke_api_token($1, t.id) or null)::int
         from (select id from public.api_tokens order by user_id = $1 desc, id limit 2) t) as revoked,
       public.create_api_token($1, 'Another', lpad('f', 64, 'f'), 'abcd', 1) as token,
       public.save_model_configuration($1, 'saver', (select coalesce(max(version), 0)
         from public.model_configuration_versions where user_id = $1), 'new', '', 'nova', 'whisper') as configured,
       public.save_model_configuration($1, 'saver', 900, 'late', '', 'nova', 'whisper') as late,
       public.restore_model_configuration($1, 'saver', 2) as restored,
       public.restore_model_configuration($1, 'saver', 900) as unknown,
       public.set_token_allowance($1, 'ada', 5)::text as limited,
       public.claim_guest_purchases($1, $3) as claimed,
       (select count(*)::int from public.customers c join public.subscriptions s on s.customer_id = c.id
         where c.user_id = $1) as subscriptions`,
    [person, deployment, `customer.${number}@example.com`, number, reportOf("event 1", "event 4")],
  );
  return row;
}

/** Everything that each of these people may read and change, and what they may not change of somebody else's. */
export async function rightsOf(query: Query, people: readonly string[]) {
  const made = await query<{ id: string; user_id: string }>(
    "select distinct on (user_id) id, user_id from public.deployments order by user_id, name",
  );
  const rights: Record<string, unknown> = {};
  for (const [place, person] of people.entries()) {
    const own = made.find(({ user_id }) => user_id === person);
    const foreign = made.filter(({ user_id }) => user_id !== person)[place % (made.length - 1)];
    rights[person] = {
      reads: await readableBy(query, person),
      changesOwn: own && (await changeableBy(query, person, own.id)),
      changesForeign: foreign && (await changeableBy(query, person, foreign.id)),
    };
  }
  return rights;
}
