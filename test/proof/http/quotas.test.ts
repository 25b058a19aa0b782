import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planQuotas } from "../../../app/content/plans.ts";
import {
  largestOptions,
  maxIdentityBytes,
  maxTokens,
  siteQuotas,
} from "../../../app/platform/database/quotas.ts";
import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { usageOf } from "../../support/agents/agent.ts";
import { startDebianPostgres } from "../../support/database/debian-postgres.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { pollUntil } from "../../support/site/poll.ts";

const full = "00000000-0000-4000-8000-000000000001";
const busy = "00000000-0000-4000-8000-000000000002";

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let database: PostgresClient;
beforeAll(async () => {
  postgres = await startDebianPostgres();
  database = await postgres.connect();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const hashOf = (nth: number) => String(nth).padStart(64, "0");

/** A customer of Pro with this many tokens, whose hashes end in 1, 2 and so on. */
async function addPro(owner: string, tokens: number): Promise<void> {
  await database.query("insert into auth.users (id) values ($1)", [owner]);
  await database.query(
    "insert into public.customers (id, user_id, origin) values ($1, $2, 'account')",
    [owner, owner],
  );
  await database.query(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
     values ($1, $2, 'active', 'price_pro', 1, 'usd', 'year', now())`,
    [owner, owner],
  );
  for (let nth = 1; nth <= tokens; nth++) {
    await database.query(
      "insert into public.api_tokens (user_id, name, token_hash, ending) values ($1, 'Agent', $2, 'abcd')",
      [owner, hashOf(nth)],
    );
  }
}

const reportOf = (event: string, identity = "ada", day = new Date()) => ({
  event_id: event,
  identity,
  happened_at: day.toISOString(),
  usage: usageOf(100, 60),
});
const batchOf = (size: number) => Array.from({ length: size }, () => reportOf(randomUUID()));

type Answer = { recorded?: number; refused?: string; quota?: number; over?: object[] };
async function send(client: PostgresClient, hash: string, reports: object[]): Promise<Answer> {
  const { rows } = await client.query<{ answer: Answer }>(
    "select public.report_token_usage($1, $2, '{price_basic}') as answer",
    [hash, JSON.stringify(reports)],
  );
  return rows[0]?.answer ?? {};
}

test("an account at all its limits weighs less than 50 MB in a real PostgreSQL", async () => {
  const sizes = async () => {
    const { rows } = await database.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  };
  const before = await sizes();
  await database.query(accountAtLimits(full));
  const grown = [...(await sizes())]
    .map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const)
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, one], [, other]) => other - one);
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const sum = grown.reduce((all, [, bytes]) => all + bytes, 0);
  const parts = grown.map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(", ");
  console.log(`An account at all its limits: ${megabytes(sum)} MB: ${parts}`);
  expect(sum).toBeGreaterThan(10e6);
  expect(sum).toBeLessThan(50e6);

  // Its limits they are: nothing more is taken.
  const { rows } = await database.query<{ hash: string }>(
    "select token_hash as hash from public.api_tokens where user_id = $1",
    [full],
  );
  const hash = rows[0]?.hash ?? "";
  expect(await send(database, hash, [reportOf("one more")])).toMatchObject({
    refused: "daily_events",
    quota: planQuotas.pro.usageEventsADay,
  });
  await database.query("update public.token_usage_counts set events = 0");
  expect(await send(database, hash, [reportOf("one more", "one more")])).toMatchObject({
    refused: "daily_identities",
    quota: planQuotas.pro.usageIdentitiesADay,
    over: [{ place: 0 }],
  });
  // And what a report costs does not grow with what the account has: no call reads all of its events.
  for (let nth = 0; nth < 8; nth++) {
    const { rows: plans } = await database.query<{
      "QUERY PLAN": [{ Plan: Record<string, number> }];
    }>(
      `explain (analyze, buffers, format json)
       select public.report_token_usage($1, $2, '{price_basic}')`,
      [hash, JSON.stringify([reportOf(`cost ${nth}`, "one more")])],
    );
    const plan = plans[0]?.["QUERY PLAN"][0].Plan ?? {};
    const blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThan(600);
  }
  const { rows: set } = await database.query(
    "select public.set_usage_allowance($1, 'one more', '{price_basic}', 5) as done",
    [full],
  );
  expect(set).toEqual([{ done: false }]);
});

test("the statistics of a year of such an account are as bounded as its quotas", async () => {
  const session = randomUUID();
  await database.query("insert into auth.sessions (id, user_id) values ($1, $2)", [session, full]);
  const client = await postgres.connect();
  const claims = JSON.stringify({ sub: full, session_id: session, aal: "aal1" });
  await client.query(`set request.jwt.claims = '${claims}'`);
  await client.query("set role authenticated");
  const began = performance.now();
  const { rows } = await client.query<{ answer: unknown }>(
    "select public.token_usage_statistics(current_date - 365, current_date) as answer",
  );
  console.log(`Its statistics of a year: ${Math.round(performance.now() - began)} ms`);
  const { usageIdentitiesADay, tokenAllowances } = planQuotas.pro;
  expect(rows[0]?.answer).toMatchObject({
    known: 366 * usageIdentitiesADay + tokenAllowances,
    days: { length: 366 },
    identities: { length: 100 },
  });
});

test("of fifteen batches of one customer at once one is recorded, one waits and thirteen are sent away", async () => {
  await addPro(busy, 5);
  const clients = await Promise.all(Array.from({ length: 15 }, () => postgres.connect()));
  const [first, ...others] = clients;
  if (!first) throw new Error("There is no connection.");
  await first.query("begin");
  expect(await send(first, hashOf(1), batchOf(1_000))).toMatchObject({ recorded: 1_000 });
  const answers: Answer[] = [];
  const sent = others.map(async (client, nth) => {
    answers.push(await send(client, hashOf((nth % 5) + 1), batchOf(1_000)));
  });
  await pollUntil(
    () => answers.length,
    (answered) => answered === 13,
  );
  expect(answers).toEqual(Array.from({ length: 13 }, () => ({ refused: "busy" })));
  const { rows } = await database.query(
    "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'",
  );
  expect(rows).toEqual([{ waiting: 1 }]);
  await first.query("commit");
  await Promise.all(sent);
  expect(answers.at(-1)).toMatchObject({ recorded: 1_000 });

  // A batch that was refused comes again until it is recorded, or until the day has all that Pro records.
  const outcomes: Answer[] = [];
  const batches = Array.from({ length: 30 }, () => batchOf(1_000));
  const free = [...clients];
  await inParallel(batches, 15, async (batch) => {
    const client = free.pop();
    if (!client) throw new Error("There is no connection.");
    outcomes.push(
      await pollUntil(
        () => send(client, hashOf(1), batch),
        ({ refused }) => refused !== "busy",
        60_000,
      ),
    );
    free.push(client);
  });
  expect(outcomes.filter(({ recorded }) => recorded === 1_000)).toHaveLength(18);
  expect(outcomes.filter(({ refused }) => refused === "daily_events")).toHaveLength(12);
  const { rows: events } = await database.query(
    "select count(*)::int as events from public.token_usage_events where workspace_id = $1",
    [busy],
  );
  expect(events).toEqual([{ events: planQuotas.pro.usageEventsADay }]);
});

const { pro } = planQuotas;

/** Text that no database makes smaller, so many bytes of it. */
const noise = (bytes: number) =>
  `left((select string_agg(md5(random()::text), '') from generate_series(1, ${Math.ceil(bytes / 32)})), ${bytes})`;

/**
 * SQL that gives a Pro account everything that it may have, each as wide as it may be. Events are of as many
 * days of UTC as their time of keeping touches, and usage of the days that a report may name.
 */
function accountAtLimits(owner: string): string {
  return `
    insert into auth.users (id, email) values ('${owner}', 'full@example.com');
    -- With the account's own id.
    select public.personal_workspace('${owner}');
    insert into public.customers (id, user_id, origin) values ('cus_full', '${owner}', 'account');
    insert into public.subscriptions
      (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
    values ('sub_full', 'cus_full', 'active', 'price_pro', 1, 'usd', 'year', now());

    insert into public.token_usage_events (workspace_id, event_id, recorded_at)
    select '${owner}', left(md5(n::text) || md5(n::text || 'x'), 40),
      now() - n % ${siteQuotas.usageEventsKeptDays + 1} * interval '23 hours'
    from generate_series(1, ${(siteQuotas.usageEventsKeptDays + 1) * pro.usageEventsADay}) n;
    insert into public.token_usage_counts
    values ('${owner}', (now() at time zone 'UTC')::date, ${pro.usageEventsADay});

    insert into public.token_usage_days
    select '${owner}', (now() at time zone 'UTC')::date + d,
      left(md5(d || ' ' || i) || md5(i || ' ' || d), ${maxIdentityBytes}),
      n, n, n, n, n, n, n, n, n
    from generate_series(-${siteQuotas.usageDaysKeptDays}, 1) d,
      generate_series(1, ${pro.usageIdentitiesADay}) i, lateral (select 1000000000 + i as n) figures
    order by random();
    -- What is counted again leaves its former row behind until the database tidies up.
    update public.token_usage_days set responses = responses + 1
    where day > (now() at time zone 'UTC')::date - 7;
    insert into public.token_allowances (workspace_id, identity, remaining)
    select '${owner}', left(md5(n::text) || md5(n || 'x'), ${maxIdentityBytes}), 1000000
    from generate_series(1, ${pro.tokenAllowances}) n;

    insert into public.api_tokens (user_id, name, token_hash, ending)
    select '${owner}', repeat('語', 60), md5(n::text) || md5(n || 'x'), 'abcd'
    from generate_series(1, ${maxTokens}) n;
    insert into public.model_configuration_versions
      (user_id, version, model, instructions, voice, transcription_model, saved_by)
    select '${owner}', n, repeat('m', 100), (
      select string_agg(chr(19968 + ('x' || substr(md5(n || ' ' || c), 1, 4))::bit(16)::int % 20000), '')
      from generate_series(1, 10000) c
    ), 'shimmer', repeat('t', 100), 'full@example.com'
    from generate_series(1, ${siteQuotas.configurationVersions}) n;

    insert into public.deployments (user_id, name, options, version)
    select '${owner}', repeat('語', 80), jsonb_build_object('noise', ${noise(largestOptions - 20)}),
      ${siteQuotas.deploymentVersions}
    from generate_series(1, ${pro.deployments}) n;
    insert into public.deployment_versions (deployment_id, version, options)
    select d.id, v, jsonb_build_object('version', v, 'of', d.id, 'noise', substr(d.options ->> 'noise', 100))
    from public.deployments d, generate_series(1, ${siteQuotas.deploymentVersions}) v;
    analyze;
  `;
}
