-- What agents report of the tokens that a model used. One row for each response, by the event id that
-- the agent gave; a second report with the same id changes nothing.
create table public.token_usage_events (
  user_id uuid not null references auth.users (id) on delete cascade,
  event_id text not null check (char_length(event_id) between 1 and 200),
  identity text not null check (char_length(identity) between 1 and 200),
  happened_at timestamptz not null,
  usage jsonb not null check (octet_length(usage::text) <= 2048),
  recorded_at timestamptz not null default now(),
  primary key (user_id, event_id)
);

-- The same summed by day (UTC) and identity, kept in the transaction that records: statistics read
-- these rows of one customer and nothing else.
create table public.token_usage_days (
  user_id uuid not null references auth.users (id) on delete cascade,
  day date not null,
  identity text not null,
  responses bigint not null,
  total_tokens bigint not null,
  input_tokens bigint not null,
  input_text_tokens bigint not null,
  input_audio_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  output_text_tokens bigint not null,
  output_audio_tokens bigint not null,
  primary key (user_id, day, identity)
);

-- What an identity may still use. Without a row there is no limit to tell.
create table public.token_allowances (
  user_id uuid not null references auth.users (id) on delete cascade,
  identity text not null check (char_length(identity) between 1 and 200),
  remaining bigint not null check (remaining >= 0),
  changed_at timestamptz not null default now(),
  primary key (user_id, identity)
);

alter table public.token_usage_events enable row level security;
alter table public.token_usage_days enable row level security;
alter table public.token_allowances enable row level security;

create policy "People read their own usage" on public.token_usage_events
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People read their own days of usage" on public.token_usage_days
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People read their own allowances" on public.token_allowances
  for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.token_usage_events, public.token_usage_days, public.token_allowances
  from anon, authenticated;
grant select on public.token_usage_events, public.token_usage_days, public.token_allowances
  to authenticated;
grant all on public.token_usage_events, public.token_usage_days, public.token_allowances
  to service_role;

-- Records reports [{event_id, identity, happened_at, usage}] of whoever has this token: each event
-- once, its day's sums and its identity's allowance in the same transaction. Answers
-- {recorded, duplicates, allowances: [{identity, remaining}]}, null for an unknown token.
create function public.record_token_usage(hash text, reports jsonb) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  owner uuid := public.use_api_token(hash);
  recorded integer;
begin
  if owner is null then
    return null;
  end if;
  -- One batch of a customer at a time: batches that name the same identities cannot wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('usage of ' || owner::text, 0));
  with inserted as (
    insert into public.token_usage_events as e (user_id, event_id, identity, happened_at, usage)
    select owner, r.event_id, r.identity, r.happened_at, r.usage
    from jsonb_to_recordset(reports)
      as r (event_id text, identity text, happened_at timestamptz, usage jsonb)
    on conflict (user_id, event_id) do nothing
    returning e.identity, (e.happened_at at time zone 'UTC')::date as day, e.usage
  ),
  summed as (
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
    from inserted i
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
      output_audio_tokens = d.output_audio_tokens + excluded.output_audio_tokens
  ),
  subtracted as (
    update public.token_allowances a
    set remaining = greatest(a.remaining - s.tokens, 0), changed_at = now()
    from (
      select i.identity, sum((i.usage ->> 'total_tokens')::bigint)::bigint as tokens
      from inserted i group by i.identity
    ) s
    where a.user_id = owner and a.identity = s.identity
  )
  select count(*) into recorded from inserted;
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

-- Sums of whoever asks, from one day to another, of one identity or of all:
-- {total, days: [{day, …}], identities: [{identity, …, remaining}], known: number}. The identities are
-- those that used something or have an allowance: the 100 that used most of `known`, or the one asked for.
create function public.token_usage_statistics(
  first_day date,
  last_day date,
  only_identity text default null
) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  with mine as materialized (
    select * from public.token_usage_days d
    where d.user_id = (select auth.uid()) and d.day between first_day and last_day
  ),
  chosen as (
    select * from mine m where only_identity is null or m.identity = only_identity
  ),
  per_identity as (
    select coalesce(u.identity, a.identity) as identity, coalesce(u.responses, 0) as responses,
      coalesce(u.total_tokens, 0) as total_tokens, a.remaining
    from (
      select m.identity, sum(m.responses) as responses, sum(m.total_tokens) as total_tokens
      from chosen m group by m.identity
    ) u
    full join (
      select * from public.token_allowances t
      where t.user_id = (select auth.uid())
        and (only_identity is null or t.identity = only_identity)
    ) a on a.identity = u.identity
  )
  select jsonb_build_object(
    'total', (
      select jsonb_build_object(
        'responses', coalesce(sum(c.responses), 0),
        'total_tokens', coalesce(sum(c.total_tokens), 0),
        'input_tokens', coalesce(sum(c.input_tokens), 0),
        'input_text_tokens', coalesce(sum(c.input_text_tokens), 0),
        'input_audio_tokens', coalesce(sum(c.input_audio_tokens), 0),
        'cached_tokens', coalesce(sum(c.cached_tokens), 0),
        'output_tokens', coalesce(sum(c.output_tokens), 0),
        'output_text_tokens', coalesce(sum(c.output_text_tokens), 0),
        'output_audio_tokens', coalesce(sum(c.output_audio_tokens), 0)
      )
      from chosen c
    ),
    'days', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.day)
      from (
        select c.day, sum(c.responses) as responses, sum(c.total_tokens) as total_tokens,
          sum(c.input_tokens) as input_tokens, sum(c.output_tokens) as output_tokens
        from chosen c group by c.day
      ) s
    ), '[]'),
    'identities', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.total_tokens desc, p.identity)
      from (
        select * from per_identity i order by i.total_tokens desc, i.identity limit 100
      ) p
    ), '[]'),
    'known', (select count(*) from per_identity)
  );
$$;

-- Gives an identity an allowance; without `tokens` takes it away.
create function public.set_token_allowance(
  owner uuid,
  of_identity text,
  tokens bigint default null
) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if tokens is null then
    delete from public.token_allowances a where a.user_id = owner and a.identity = of_identity;
    return;
  end if;
  insert into public.token_allowances (user_id, identity, remaining)
  values (owner, of_identity, tokens)
  on conflict (user_id, identity) do update set remaining = tokens, changed_at = now();
end;
$$;

revoke execute on function public.record_token_usage(text, jsonb)
  from public, anon, authenticated;
revoke execute on function public.set_token_allowance(uuid, text, bigint)
  from public, anon, authenticated;
revoke execute on function public.token_usage_statistics(date, date, text) from public, anon;
grant execute on function public.record_token_usage(text, jsonb) to service_role;
grant execute on function public.set_token_allowance(uuid, text, bigint) to service_role;
grant execute on function public.token_usage_statistics(date, date, text) to authenticated;
