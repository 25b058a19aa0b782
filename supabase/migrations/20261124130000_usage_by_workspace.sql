-- What agents used is their workspace's: read and limited by its members, counted together, with the quota of its plan.
-- Where a person is alone, the workspace has the person's id (docs/decisions/0052): so the columns are renamed, and no
-- row is written. The tables are locked in the order in which a report reads them.

-- allowed: only the functions below name the column, and this transaction makes them again
alter table public.token_usage_events rename column user_id to workspace_id;
-- allowed: for the same reason as the first
alter table public.token_usage_counts rename column user_id to workspace_id;
-- allowed: for the same reason as the first; the running version's export asks for all columns and writes others
alter table public.token_usage_days rename column user_id to workspace_id;
-- allowed: for the same reason as the first
alter table public.token_allowances rename column user_id to workspace_id;

-- allowed: each account owns the workspace with its id, so everybody reads what they read before
alter policy "People read their own usage" on public.token_usage_events
  using (workspace_id = any (array(select public.workspaces_where('see'))));
-- allowed: for the same reason as the first
alter policy "People read their own days of usage" on public.token_usage_days
  using (workspace_id = any (array(select public.workspaces_where('see'))));
-- allowed: for the same reason as the first
alter policy "People read their own allowances" on public.token_allowances
  using (workspace_id = any (array(select public.workspaces_where('see'))));

-- The personal workspace of whoever asks; null where there is none yet.
create function public.own_workspace() returns uuid
  language sql
  stable
  -- Nobody reads in a workspace whose personal one it is.
  security definer
  set search_path = ''
as $$
  select w.id from public.workspaces w
  where (select public.may_read_own()) and w.personal_of = (select auth.uid());
$$;

-- As before, for a workspace; without one for the personal workspace of whoever asks.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.token_usage_statistics(date, date, text);

create function public.token_usage_statistics(
  first_day date,
  last_day date,
  only_identity text default null,
  workspace uuid default null
) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  with found_workspace as materialized (
    select coalesce(workspace, public.own_workspace()) as id
  ),
  per_day as (
    select d.day,
      sum(d.responses) as responses,
      sum(d.total_tokens) as total_tokens,
      sum(d.input_tokens) as input_tokens,
      sum(d.input_text_tokens) as input_text_tokens,
      sum(d.input_audio_tokens) as input_audio_tokens,
      sum(d.cached_tokens) as cached_tokens,
      sum(d.output_tokens) as output_tokens,
      sum(d.output_text_tokens) as output_text_tokens,
      sum(d.output_audio_tokens) as output_audio_tokens
    from public.token_usage_days d
    where d.workspace_id = (select f.id from found_workspace f)
      and d.day between first_day and last_day
      and (only_identity is null or d.identity = only_identity)
    group by d.day
  ),
  per_identity as (
    select coalesce(u.identity, a.identity) as identity, coalesce(u.responses, 0) as responses,
      coalesce(u.total_tokens, 0) as total_tokens, a.remaining
    from (
      select d.identity, sum(d.responses) as responses, sum(d.total_tokens) as total_tokens
      from public.token_usage_days d
      where d.workspace_id = (select f.id from found_workspace f)
        and d.day between first_day and last_day
        and (only_identity is null or d.identity = only_identity)
      group by d.identity
    ) u
    full join (
      select * from public.token_allowances t
      where t.workspace_id = (select f.id from found_workspace f)
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
      from per_day c
    ),
    'days', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'day', s.day, 'responses', s.responses, 'total_tokens', s.total_tokens,
          'input_tokens', s.input_tokens, 'output_tokens', s.output_tokens
        ) order by s.day
      )
      from per_day s
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

-- As before, of a workspace.
-- allowed: only report_token_usage calls it, and this transaction makes both again
drop function public.fresh_usage_reports(uuid, jsonb);

create function public.fresh_usage_reports(workspace uuid, reports jsonb) returns jsonb
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
    -- By the index, row for row: "not exists" would become a join that reads all events of the workspace.
    where (
      select e.event_id from public.token_usage_events e
      where e.workspace_id = workspace and e.event_id = s.key
    ) is null
  );
end;
$$;

-- As before, of a workspace, with the quota of its plan.
-- allowed: for the same reason as the one above
drop function public.record_fresh_usage(uuid, jsonb, text[]);

create function public.record_fresh_usage(workspace uuid, fresh jsonb, basic_prices text[]) returns jsonb
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
  plan := public.workspace_plan(workspace, basic_prices);
  select * into quota from public.plan_quota(plan);
  select * into kept from public.site_quota();
  select * into counted from public.token_usage_counts c where c.workspace_id = workspace;
  if counted.day is distinct from today then
    -- Once a day, so that a workspace has no more than its quota even where no schedule runs.
    delete from public.token_usage_events e
    where e.workspace_id = workspace and e.recorded_at < now() - make_interval(days => kept.usage_events_kept_days);
    delete from public.token_usage_days d
    where d.workspace_id = workspace and d.day < today - kept.usage_days_kept_days;
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
      where d.workspace_id = workspace and d.day = n.day and d.identity = n.identity
    ) is null
  ),
  known as (
    select a.day, (
      select count(*) from public.token_usage_days d where d.workspace_id = workspace and d.day = a.day
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

  insert into public.token_usage_counts (workspace_id, day, events)
  values (workspace, today, recorded)
  on conflict (workspace_id) do update set day = today, events = counted.events + recorded;

  insert into public.token_usage_events (workspace_id, event_id)
  select workspace, f.key from jsonb_to_recordset(fresh) as f (key text);

  insert into public.token_usage_days as d (
    workspace_id, day, identity, responses, total_tokens, input_tokens, input_text_tokens,
    input_audio_tokens, cached_tokens, output_tokens, output_text_tokens, output_audio_tokens
  )
  select workspace, i.day, i.identity, count(*),
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
  on conflict (workspace_id, day, identity) do update set
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
  where a.workspace_id = workspace and a.identity = s.identity;
  return null;
end;
$$;

-- As before, for the workspace of the token.
create or replace function public.report_token_usage(hash text, reports jsonb, basic_prices text[])
  returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  workspace uuid;
  fresh jsonb;
  recorded integer;
  beyond_quota jsonb;
begin
  select t.workspace_id into workspace from public.api_tokens t where t.token_hash = hash;
  if workspace is null then
    return null;
  end if;
  -- One batch of a workspace is recorded at a time and one may wait for it. Whoever comes then is sent away: a
  -- workspace never holds more than two of the connections that all share.
  if not pg_try_advisory_xact_lock(hashtextextended('usage of ' || workspace::text, 0)) then
    if not pg_try_advisory_xact_lock(hashtextextended('next usage of ' || workspace::text, 0)) then
      return jsonb_build_object('refused', 'busy');
    end if;
    perform pg_advisory_xact_lock(hashtextextended('usage of ' || workspace::text, 0));
  end if;
  -- A token may have been revoked while this waited.
  if public.use_api_token(hash, 'usage') is null then
    return null;
  end if;

  fresh := public.fresh_usage_reports(workspace, reports);
  recorded := jsonb_array_length(fresh);
  if recorded > 0 then
    beyond_quota := public.record_fresh_usage(workspace, fresh, basic_prices);
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
      where a.workspace_id = workspace
        and a.identity in (select r ->> 'identity' from jsonb_array_elements(reports) r)
    ), '[]')
  );
end;
$$;

-- Gives an identity of a workspace an allowance; without `tokens` takes it away. Answers false when the workspace has
-- as many as its plan holds, and this identity has none.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.set_usage_allowance(uuid, text, text[], bigint);

create function public.set_usage_allowance(
  owner uuid,
  of_identity text,
  basic_prices text[],
  tokens bigint default null,
  workspace uuid default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.meant_workspace(owner, workspace, 'describe');
begin
  if tokens is null then
    delete from public.token_allowances a
    where a.workspace_id = found_workspace and a.identity = of_identity;
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('allowances of ' || found_workspace::text, 0));
  update public.token_allowances a
  set remaining = tokens, changed_at = now()
  where a.workspace_id = found_workspace and a.identity = of_identity;
  if found then
    return true;
  end if;
  if (select count(*) from public.token_allowances a where a.workspace_id = found_workspace) >= (
    select q.token_allowances
    from public.plan_quota(public.workspace_plan(found_workspace, basic_prices)) q
  ) then
    return false;
  end if;
  insert into public.token_allowances (workspace_id, identity, remaining)
  values (found_workspace, of_identity, tokens);
  return true;
end;
$$;

-- What the first version calls, in the personal workspace of whoever acts.
create or replace function public.set_token_allowance(
  owner uuid,
  of_identity text,
  tokens bigint default null
) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.meant_workspace(owner, null, 'describe');
begin
  if tokens is null then
    delete from public.token_allowances a
    where a.workspace_id = found_workspace and a.identity = of_identity;
    return;
  end if;
  insert into public.token_allowances (workspace_id, identity, remaining)
  values (found_workspace, of_identity, tokens)
  on conflict (workspace_id, identity) do update set remaining = tokens, changed_at = now();
end;
$$;

revoke execute on function
  public.own_workspace(),
  public.token_usage_statistics(date, date, text, uuid),
  public.fresh_usage_reports(uuid, jsonb),
  public.record_fresh_usage(uuid, jsonb, text[]),
  public.set_usage_allowance(uuid, text, text[], bigint, uuid)
  from public, anon, authenticated;
grant execute on function
  public.own_workspace(),
  public.token_usage_statistics(date, date, text, uuid)
  to authenticated;
grant execute on function
  public.fresh_usage_reports(uuid, jsonb),
  public.record_fresh_usage(uuid, jsonb, text[]),
  public.set_usage_allowance(uuid, text, text[], bigint, uuid)
  to service_role;
