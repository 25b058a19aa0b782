-- What an account may keep and send, by its plan, and how long that is kept. app/platform/database/quotas.ts has the
-- same figures for what people read; a test holds both together.

-- `of_plan` is what account_plan answers.
create function public.plan_quota(of_plan text) returns table (
  usage_events_a_day integer,
  usage_identities_a_day integer,
  token_allowances integer
)
  language sql
  immutable
  set search_path = ''
as $$
  select q.events, q.identities, q.allowances
  from (
    values ('none', 1000, 10, 20), ('basic', 10000, 50, 200), ('pro', 20000, 100, 1000)
  ) as q (plan, events, identities, allowances)
  where q.plan = of_plan;
$$;

-- What is the same for every plan, and what belongs to no account.
create function public.site_quota() returns table (
  usage_events_kept_days integer,
  usage_days_kept_days integer,
  configuration_versions integer,
  deployment_versions integer,
  contact_messages_a_day integer,
  contact_messages_a_day_of_one integer,
  contact_messages_kept integer,
  contact_messages_kept_days integer
)
  language sql
  immutable
  set search_path = ''
as $$
  select 3, 400, 100, 50, 200, 20, 5000, 365;
$$;

-- The plan that runs for an account: 'none', 'basic' or 'pro'. A price that is not one of `basic_prices` is
-- Pro, as app/features/deployments/plan/plan-limits.ts has it.
create function public.account_plan(owner uuid, basic_prices text[]) returns text
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    select case
      when count(*) = 0 then 'none'
      when bool_and(s.price_id = any (basic_prices)) then 'basic'
      else 'pro'
    end
    from public.customers c
    join public.subscriptions s on s.customer_id = c.id
    where c.user_id = owner and s.status in ('active', 'trialing', 'past_due')
  );
end;
$$;

-- An event's row is there so that the event counts once: what it used is in the sums of its day. New rows
-- have the id and the time of recording; an id of more than 40 characters is kept as a digest of it.
alter table public.token_usage_events alter column identity drop not null;
alter table public.token_usage_events alter column happened_at drop not null;
alter table public.token_usage_events alter column usage drop not null;

-- For the removal of what is old.
create index token_usage_events_by_time on public.token_usage_events (recorded_at);
create index token_usage_days_by_day on public.token_usage_days (day);

-- How many events of an account were recorded on a day (UTC): the last on which there were any.
create table public.token_usage_counts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  day date not null,
  events integer not null check (events >= 0)
);

alter table public.token_usage_counts enable row level security;
revoke all on public.token_usage_counts from anon, authenticated;
grant all on public.token_usage_counts to service_role;

-- As before, but a row that a call with the same token has locked is left to that call.
create or replace function public.use_api_token(hash text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  owner uuid;
begin
  select t.user_id into owner from public.api_tokens t where t.token_hash = hash;
  update public.api_tokens t
  set last_used_at = date_trunc('minute', now())
  where t.id = (
    select u.id from public.api_tokens u
    where u.token_hash = hash
      and (u.last_used_at is null or u.last_used_at < date_trunc('minute', now()))
    for update skip locked
  );
  return owner;
end;
$$;

-- The reports that were not recorded yet, each event once, in the order of the call:
-- [{key, identity, day, usage, place}], places from 0.
create function public.fresh_usage_reports(owner uuid, reports jsonb) returns jsonb
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    with sent as (
      select distinct on (key) *
      from (
        select
          case
            when char_length(r.report ->> 'event_id') <= 40 then r.report ->> 'event_id'
            else 'sha256:' || left(
              encode(sha256(convert_to(r.report ->> 'event_id', 'UTF8')), 'hex'), 32
            )
          end as key,
          r.report ->> 'identity' as identity,
          ((r.report ->> 'happened_at')::timestamptz at time zone 'UTC')::date as day,
          r.report -> 'usage' as usage,
          r.place - 1 as place
        from jsonb_array_elements(reports) with ordinality as r (report, place)
      ) as named
      order by key, place
    )
    select coalesce(jsonb_agg(to_jsonb(s) order by s.place), '[]')
    from sent s
    -- By the index, row for row: "not exists" would become a join that reads all events of the account.
    where (
      select e.event_id from public.token_usage_events e
      where e.user_id = owner and e.event_id = s.key
    ) is null
  );
end;
$$;

-- Records what fresh_usage_reports answered, under the lock that report_token_usage holds. Answers null, or
-- the refusal that report_token_usage describes.
create function public.record_fresh_usage(owner uuid, fresh jsonb, basic_prices text[]) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  recorded integer := jsonb_array_length(fresh);
  plan text;
  quota record;
  kept record;
  counted public.token_usage_counts;
  too_many jsonb;
begin
  plan := public.account_plan(owner, basic_prices);
  select * into quota from public.plan_quota(plan);
  select * into kept from public.site_quota();
  select * into counted from public.token_usage_counts c where c.user_id = owner;
  if counted.day is distinct from today then
    -- Once a day, so that an account has no more than its quota even where no schedule runs.
    delete from public.token_usage_events e
    where e.user_id = owner and e.recorded_at < now() - make_interval(days => kept.usage_events_kept_days);
    delete from public.token_usage_days d
    where d.user_id = owner and d.day < today - kept.usage_days_kept_days;
    counted.events := 0;
  end if;

  if counted.events + recorded > quota.usage_events_a_day then
    return jsonb_build_object(
      'refused', 'daily_events', 'plan', plan, 'quota', quota.usage_events_a_day
    );
  end if;

  with named as (
    select f.day, f.identity, min(f.place) as place
    from jsonb_to_recordset(fresh) as f (day date, identity text, place integer)
    group by f.day, f.identity
  ),
  added as (
    select n.*, row_number() over (partition by n.day order by n.place) as nth
    from named n
    where (
      select d.identity from public.token_usage_days d
      where d.user_id = owner and d.day = n.day and d.identity = n.identity
    ) is null
  ),
  known as (
    select a.day, (
      select count(*) from public.token_usage_days d where d.user_id = owner and d.day = a.day
    ) as identities
    from (select distinct a.day from added a) a
  ),
  beyond as (
    select a.day, a.identity
    from added a join known k on k.day = a.day
    where a.nth + k.identities > quota.usage_identities_a_day
  )
  select jsonb_agg(jsonb_build_object('place', o.place, 'day', o.day) order by o.place) into too_many
  from (
    select f.place, f.day
    from jsonb_to_recordset(fresh) as f (day date, identity text, place integer)
    join beyond b on b.day = f.day and b.identity = f.identity
    order by f.place limit 20
  ) o;
  if too_many is not null then
    return jsonb_build_object(
      'refused', 'daily_identities', 'plan', plan, 'quota', quota.usage_identities_a_day, 'over', too_many
    );
  end if;

  insert into public.token_usage_counts (user_id, day, events)
  values (owner, today, recorded)
  on conflict (user_id) do update set day = today, events = counted.events + recorded;

  insert into public.token_usage_events (user_id, event_id)
  select owner, f.key from jsonb_to_recordset(fresh) as f (key text);

  insert into public.token_usage_days as d (
    user_id, day, identity, responses, total_tokens, input_tokens, input_text_tokens,
    input_audio_tokens, cached_tokens, output_tokens, output_text_tokens, output_audio_tokens
  )
  select owner, i.day, i.identity, count(*),
    sum((i.usage ->> 'total_tokens')::bigint),
    sum((i.usage ->> 'input_tokens')::bigint),
    sum((i.usage #>> '{input_token_details,text_tokens}')::bigint),
    sum((i.usage #>> '{input_token_details,audio_tokens}')::bigint),
    sum((i.usage #>> '{input_token_details,cached_tokens}')::bigint),
    sum((i.usage ->> 'output_tokens')::bigint),
    sum((i.usage #>> '{output_token_details,text_tokens}')::bigint),
    sum((i.usage #>> '{output_token_details,audio_tokens}')::bigint)
  from jsonb_to_recordset(fresh) as i (day date, identity text, usage jsonb)
  group by i.day, i.identity
  on conflict (user_id, day, identity) do update set
    responses = d.responses + excluded.responses,
    total_tokens = d.total_tokens + excluded.total_tokens,
    input_tokens = d.input_tokens + excluded.input_tokens,
    input_text_tokens = d.input_text_tokens + excluded.input_text_tokens,
    input_audio_tokens = d.input_audio_tokens + excluded.input_audio_tokens,
    cached_tokens = d.cached_tokens + excluded.cached_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens,
    output_text_tokens = d.output_text_tokens + excluded.output_text_tokens,
    output_audio_tokens = d.output_audio_tokens + excluded.output_audio_tokens;

  update public.token_allowances a
  set remaining = greatest(a.remaining - s.tokens, 0), changed_at = now()
  from (
    select i.identity, sum((i.usage ->> 'total_tokens')::bigint)::bigint as tokens
    from jsonb_to_recordset(fresh) as i (identity text, usage jsonb)
    group by i.identity
  ) s
  where a.user_id = owner and a.identity = s.identity;
  return null;
end;
$$;

-- Records reports [{event_id, identity, happened_at, usage}] of whoever has this token: each event once, its
-- day's sums and its identity's allowance in the same transaction; all of them or none. Answers
-- {recorded, duplicates, allowances: [{identity, remaining}]}, null for an unknown token, and where a quota is
-- reached {refused, plan, quota} with 'daily_events', 'daily_identities' (and `over`: the place and day of up
-- to 20 reports beyond it) or 'busy'.
create function public.report_token_usage(hash text, reports jsonb, basic_prices text[])
  returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  owner uuid;
  fresh jsonb;
  recorded integer;
  beyond_quota jsonb;
begin
  select t.user_id into owner from public.api_tokens t where t.token_hash = hash;
  if owner is null then
    return null;
  end if;
  -- One batch of an account is recorded at a time and one may wait for it. Whoever comes then is sent away:
  -- an account never holds more than two of the connections that all share.
  if not pg_try_advisory_xact_lock(hashtextextended('usage of ' || owner::text, 0)) then
    if not pg_try_advisory_xact_lock(hashtextextended('next usage of ' || owner::text, 0)) then
      return jsonb_build_object('refused', 'busy');
    end if;
    perform pg_advisory_xact_lock(hashtextextended('usage of ' || owner::text, 0));
  end if;
  -- A token may have been revoked while this waited.
  if public.use_api_token(hash) is null then
    return null;
  end if;

  fresh := public.fresh_usage_reports(owner, reports);
  recorded := jsonb_array_length(fresh);
  if recorded > 0 then
    beyond_quota := public.record_fresh_usage(owner, fresh, basic_prices);
    if beyond_quota is not null then
      return beyond_quota;
    end if;
  end if;
  return jsonb_build_object(
    'recorded', recorded,
    'duplicates', jsonb_array_length(reports) - recorded,
    'allowances', coalesce((
      select jsonb_agg(
        jsonb_build_object('identity', a.identity, 'remaining', a.remaining) order by a.identity
      )
      from public.token_allowances a
      where a.user_id = owner
        and a.identity in (select r ->> 'identity' from jsonb_array_elements(reports) r)
    ), '[]')
  );
end;
$$;

-- What the code before this calls, for the minute in which both run.
create or replace function public.record_token_usage(hash text, reports jsonb) returns jsonb
  language sql
  set search_path = ''
as $$
  select public.report_token_usage(hash, reports, '{}');
$$;

-- Gives an identity an allowance; without `tokens` takes it away. Answers false when the account has as many
-- as its plan holds, and this identity has none.
create function public.set_usage_allowance(
  owner uuid,
  of_identity text,
  basic_prices text[],
  tokens bigint default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if tokens is null then
    delete from public.token_allowances a where a.user_id = owner and a.identity = of_identity;
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('allowances of ' || owner::text, 0));
  update public.token_allowances a
  set remaining = tokens, changed_at = now()
  where a.user_id = owner and a.identity = of_identity;
  if found then
    return true;
  end if;
  if (select count(*) from public.token_allowances a where a.user_id = owner)
    >= (select q.token_allowances from public.plan_quota(public.account_plan(owner, basic_prices)) q)
  then
    return false;
  end if;
  insert into public.token_allowances (user_id, identity, remaining)
  values (owner, of_identity, tokens);
  return true;
end;
$$;

revoke execute on function public.plan_quota(text) from public, anon, authenticated;
revoke execute on function public.site_quota() from public, anon, authenticated;
revoke execute on function public.account_plan(uuid, text[]) from public, anon, authenticated;
revoke execute on function public.fresh_usage_reports(uuid, jsonb) from public, anon, authenticated;
revoke execute on function public.record_fresh_usage(uuid, jsonb, text[])
  from public, anon, authenticated;
revoke execute on function public.report_token_usage(text, jsonb, text[])
  from public, anon, authenticated;
revoke execute on function public.set_usage_allowance(uuid, text, text[], bigint)
  from public, anon, authenticated;
grant execute on function public.plan_quota(text) to service_role;
grant execute on function public.site_quota() to service_role;
grant execute on function public.account_plan(uuid, text[]) to service_role;
grant execute on function public.fresh_usage_reports(uuid, jsonb) to service_role;
grant execute on function public.record_fresh_usage(uuid, jsonb, text[]) to service_role;
grant execute on function public.report_token_usage(text, jsonb, text[]) to service_role;
grant execute on function public.set_usage_allowance(uuid, text, text[], bigint) to service_role;
