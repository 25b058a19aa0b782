import { planQuotas } from "../../../app/content/plans.ts";
import {
  largestOptions,
  longestIdentity,
  maxTokens,
  siteQuotas,
} from "../../../app/platform/database/quotas.ts";

const { pro } = planQuotas;

/** Text that no database makes smaller, so many bytes of it. */
const noise = (bytes: number) =>
  `left((select string_agg(md5(random()::text), '') from generate_series(1, ${Math.ceil(bytes / 32)})), ${bytes})`;

/**
 * SQL that gives a Pro account everything that it may have, each as wide as it may be. Events are of as many
 * days of UTC as their time of keeping touches, and usage of the days that a report may name.
 */
export function accountAtLimits(owner: string): string {
  return `
    insert into auth.users (id, email) values ('${owner}', 'full@example.com');
    insert into public.customers (id, user_id, origin) values ('cus_full', '${owner}', 'account');
    insert into public.subscriptions
      (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
    values ('sub_full', 'cus_full', 'active', 'price_pro', 1, 'usd', 'year', now());

    insert into public.token_usage_events (user_id, event_id, recorded_at)
    select '${owner}', left(md5(n::text) || md5(n::text || 'x'), 40),
      now() - n % ${siteQuotas.usageEventsKeptDays + 1} * interval '23 hours'
    from generate_series(1, ${(siteQuotas.usageEventsKeptDays + 1) * pro.usageEventsADay}) n;
    insert into public.token_usage_counts
    values ('${owner}', (now() at time zone 'UTC')::date, ${pro.usageEventsADay});

    insert into public.token_usage_days
    select '${owner}', (now() at time zone 'UTC')::date + d,
      left(md5(d || ' ' || i) || md5(i || ' ' || d), ${longestIdentity}),
      n, n, n, n, n, n, n, n, n
    from generate_series(-${siteQuotas.usageDaysKeptDays}, 1) d,
      generate_series(1, ${pro.usageIdentitiesADay}) i, lateral (select 1000000000 + i as n) figures
    order by random();
    -- What is counted again leaves its former row behind until the database tidies up.
    update public.token_usage_days set responses = responses + 1
    where day > (now() at time zone 'UTC')::date - 7;
    insert into public.token_allowances (user_id, identity, remaining)
    select '${owner}', left(md5(n::text) || md5(n || 'x'), ${longestIdentity}), 1000000
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
