import { readAs, tryAsWorker } from "./as-person.ts";
import type { Query } from "./many-rows.ts";

/** What a row of each table says, as somebody reads it. */
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
  unsaved_changes: "coalesce(deployment_id::text, 'new') || ' ' || changes || ' ' || discarded",
  contact_messages:
    "id || ' ' || message || ' ' || status || ' ' || coalesce(deployment_id::text, 'none')",
  contact_answers: "message_id || ' ' || answer",
};

/** Everything that the caller reads, in every table. */
function everything(): string {
  const all = Object.entries(keys).map(
    ([table, key]) => `'${table}', (select coalesce(jsonb_agg(k order by k), '[]')
      from (select ${key} as k from public.${table}) t)`,
  );
  return `jsonb_build_object(${all}, 'statistics',
    public.token_usage_statistics('2026-01-01', '2026-12-31'))`;
}

/** What somebody reads as themselves. */
export async function readableBy(query: Query, person: string) {
  const [row] = await readAs<{ all: Record<keyof typeof keys, string[]> }>(
    query,
    person,
    `select ${everything()} as all`,
  );
  return row?.all;
}

/**
 * Remembers what each of these people reads as themselves. Answers how to learn who of them, or of some of them, reads
 * something else by now, with both. One call asks for everybody, on a connection that may take every role.
 */
export async function rememberReadings(query: Query, all: readonly string[]) {
  await query(`create or replace function pg_temp.reading_of(person uuid) returns jsonb
    language plpgsql as $$
    declare
      reading jsonb;
    begin
      perform set_config('request.jwt.claims', json_build_object(
        'sub', person, 'role', 'authenticated', 'session_id', person, 'aal', 'aal1')::text, true);
      set local role authenticated;
      reading := ${everything()};
      set local role none;
      return reading;
    end $$`);
  await query("drop table if exists pg_temp.earlier_readings");
  await query("create temporary table earlier_readings (person uuid primary key, before jsonb)");
  await query(
    `insert into pg_temp.earlier_readings
     select p, pg_temp.reading_of(p) from unnest($1::uuid[]) p`,
    [all],
  );
  return (some: readonly string[]) =>
    query<{ person: string; before: unknown; now: unknown }>(
      `select * from (
         select f.person, f.before, pg_temp.reading_of(f.person) as now
         from pg_temp.earlier_readings f where f.person = any ($1)
       ) read
       where read.now is distinct from read.before`,
      [some],
    );
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
 * What the running version's calls answer when this person asks to change a deployment, a token, an allowance
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

/** The same of what somebody types and writes. */
async function draftsOf(query: Query, person: string, deployment: string) {
  const [row] = await tryAsWorker(
    query,
    `select
       public.keep_unsaved_changes($1, array['domain'], '{"domain": {"was": "", "now": "kept"}}', $2) as kept,
       public.keep_unsaved_changes($1, array['domain'], '{"domain": {"was": "", "now": "kept"}}') as kept_new,
       public.keep_support_message(gen_random_uuid(), $1, 'customer@example.com', 'support', 'Another question', $2, 1)
         as wrote`,
    [person, deployment],
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
    const personal = made.find(({ user_id }) => user_id === person);
    const foreign = made.filter(({ user_id }) => user_id !== person)[place % (made.length - 1)];
    rights[person] = {
      reads: await readableBy(query, person),
      changesOwn: personal && (await changeableBy(query, person, personal.id)),
      changesForeign: foreign && (await changeableBy(query, person, foreign.id)),
      keepsOwn: personal && (await draftsOf(query, person, personal.id)),
      keepsForeign: foreign && (await draftsOf(query, person, foreign.id)),
    };
  }
  return rights;
}
