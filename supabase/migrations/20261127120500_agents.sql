-- Agents: how they are set up, what they prove themselves with, and what they used. Members read the rows of their
-- workspaces; only the Worker (service_role) writes, through the functions below. Their `owner` is who acts, and
-- without a workspace a call means the personal one of whoever acts. What members change is noted in the audit log.

-- How a workspace's voice agent is set up. The newest version is in force; of older ones so many are kept as site_quota
-- says. One person's versions in two workspaces are numbered apart.
create table public.model_configuration_versions (
  -- Who saved it. What they alone had goes with their personal workspace when the account goes; a team's stays.
  user_id uuid references auth.users (id) on delete set null,
  version integer not null check (version > 0),
  model text not null check (char_length(model) between 1 and 100),
  instructions text not null check (char_length(instructions) <= 10000),
  voice text not null check (char_length(voice) between 1 and 40),
  transcription_model text not null check (char_length(transcription_model) between 1 and 100),
  -- The address that the person was signed in with.
  saved_by text not null,
  -- The older version that was brought back by this one.
  restored_from integer,
  saved_at timestamptz not null default now(),
  workspace_id uuid
    constraint model_configuration_versions_workspace_fkey references public.workspaces (id) on delete cascade,
  primary key (workspace_id, version)
);

-- For the removal of an account.
create index model_configuration_versions_by_person on public.model_configuration_versions (user_id);

-- What agents prove themselves with. The token itself is nowhere: only its SHA-256, which nobody
-- reads through the API but service_role. A revoked token's row is gone.
create table public.api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The token's last four characters, to tell it from others.
  ending text not null check (char_length(ending) = 4),
  created_at timestamptz not null default now(),
  -- To the minute.
  last_used_at timestamptz,
  workspace_id uuid not null,
  -- What it is for.
  scopes text[] not null default '{configuration,usage}'
    check (cardinality(scopes) > 0 and scopes <@ '{configuration,usage}'),
  -- Without an end a token is good until it is revoked.
  ends_at timestamptz,
  -- A token belongs to a person in a workspace, and ends with the membership.
  constraint api_tokens_member_fkey foreign key (user_id, workspace_id)
    references public.members (user_id, workspace_id) on delete cascade
);

create index api_tokens_by_owner on public.api_tokens (user_id, created_at);
create index api_tokens_by_workspace on public.api_tokens (workspace_id, created_at);

create trigger fill_workspace before insert or update of user_id on public.model_configuration_versions
  for each row execute function public.fill_workspace();
create trigger fill_workspace before insert or update of user_id on public.api_tokens
  for each row execute function public.fill_workspace();

alter table public.model_configuration_versions enable row level security;
alter table public.api_tokens enable row level security;

create policy "People read their own model configurations" on public.model_configuration_versions
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));
create policy "People read about their own tokens" on public.api_tokens
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));

create policy "Only a session that is there and proved reads configurations"
  on public.model_configuration_versions
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads about tokens" on public.api_tokens
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.model_configuration_versions, public.api_tokens from anon, authenticated;
grant select on public.model_configuration_versions to authenticated;
grant select (
  id, user_id, name, ending, created_at, last_used_at, workspace_id, scopes, ends_at
) on public.api_tokens to authenticated;
grant all on public.model_configuration_versions, public.api_tokens to service_role;

-- Saves over the version that the person saw, 0 for none. Answers the version that is in force then; null when somebody
-- saved in the meantime. What equals the newest version makes no new one. Older versions than
-- the newest so many are removed.
create function public.save_model_configuration(
  owner uuid,
  saver text,
  expected_version integer,
  new_model text,
  new_instructions text,
  new_voice text,
  new_transcription_model text,
  workspace uuid default null
) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.meant_workspace(owner, workspace, 'describe');
  newest public.model_configuration_versions;
  changed record;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || found_workspace::text, 0));
  select * into newest from public.model_configuration_versions v
  where v.workspace_id = found_workspace order by v.version desc limit 1;
  if coalesce(newest.version, 0) <> expected_version then
    return null;
  end if;
  if (newest.model, newest.instructions, newest.voice, newest.transcription_model)
    = (new_model, new_instructions, new_voice, new_transcription_model) then
    return newest.version;
  end if;
  insert into public.model_configuration_versions (
    workspace_id, user_id, version, model, instructions, voice, transcription_model, saved_by
  )
  values (
    found_workspace, owner, expected_version + 1, new_model, new_instructions, new_voice,
    new_transcription_model, saver
  );
  select * into changed from public.changed_fields(
    jsonb_build_object('model', newest.model, 'instructions', newest.instructions,
      'voice', newest.voice, 'transcription', newest.transcription_model),
    jsonb_build_object('model', new_model, 'instructions', new_instructions,
      'voice', new_voice, 'transcription', new_transcription_model)
  );
  perform public.note_audit(
    found_workspace, owner, 'configuration.saved', 'v' || expected_version + 1,
    changed.before, changed.after
  );
  delete from public.model_configuration_versions v
  where v.workspace_id = found_workspace
    and v.version <= expected_version + 1 - (select q.configuration_versions from public.site_quota() q);
  return expected_version + 1;
end;
$$;

-- Brings an older version back, as a new one. Answers its number; null when there is no such version.
create function public.restore_model_configuration(
  owner uuid,
  saver text,
  old_version integer,
  workspace uuid default null
) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.meant_workspace(owner, workspace, 'describe');
  made integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || found_workspace::text, 0));
  insert into public.model_configuration_versions (
    workspace_id, user_id, version, model, instructions, voice, transcription_model, saved_by,
    restored_from
  )
  select found_workspace, owner,
    (
      select max(n.version) + 1 from public.model_configuration_versions n
      where n.workspace_id = found_workspace
    ),
    v.model, v.instructions, v.voice, v.transcription_model, saver, old_version
  from public.model_configuration_versions v
  where v.workspace_id = found_workspace and v.version = old_version
  returning version into made;
  if made is not null then
    perform public.note_audit(
      found_workspace, owner, 'configuration.restored', 'v' || made, null,
      jsonb_build_object('restored', old_version)
    );
  end if;
  delete from public.model_configuration_versions v
  where v.workspace_id = found_workspace
    and v.version <= made - (select q.configuration_versions from public.site_quota() q);
  return made;
end;
$$;

-- Answers false when the workspace has as many tokens as `allowed`.
create function public.create_api_token(
  owner uuid,
  new_name text,
  new_hash text,
  new_ending text,
  allowed integer,
  workspace uuid default null,
  new_scopes text[] default '{configuration,usage}',
  new_end timestamptz default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.meant_workspace(owner, workspace, 'tokens');
begin
  perform pg_advisory_xact_lock(hashtextextended('tokens of ' || found_workspace::text, 0));
  if (select count(*) from public.api_tokens t where t.workspace_id = found_workspace) >= allowed then
    return false;
  end if;
  insert into public.api_tokens (workspace_id, user_id, name, token_hash, ending, scopes, ends_at)
  values (found_workspace, owner, new_name, new_hash, new_ending, new_scopes, new_end);
  perform public.note_audit(
    found_workspace, owner, 'token.created', new_name, null,
    jsonb_build_object('scopes', new_scopes, 'ends', new_end)
  );
  return true;
end;
$$;

-- Answers whether there was one to revoke: one's own token, or another member's by the right to change members. From
-- its commit on no call is let in with it.
create function public.revoke_api_token(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_token public.api_tokens;
begin
  select * into found_token from public.api_tokens t where t.id = target;
  if not public.member_may(
    owner,
    found_token.workspace_id,
    case when found_token.user_id = owner then 'tokens' else 'members' end
  ) then
    return false;
  end if;
  delete from public.api_tokens t where t.id = target;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_token.workspace_id, owner, 'token.revoked', found_token.name,
    jsonb_build_object('of', public.address_of(found_token.user_id)), null, target
  );
  return true;
end;
$$;

-- Whose token this is, null for nobody's and for one that is not for what is wanted; notes once a minute that it is in
-- use. A row that a call with the same token has locked is left to that call.
create function public.use_api_token(hash text, wanted text default null) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  used record;
begin
  select t.id, t.workspace_id into used from public.api_tokens t
  where t.token_hash = hash
    and (t.ends_at is null or t.ends_at > now())
    and (wanted is null or wanted = any (t.scopes));
  update public.api_tokens t
  set last_used_at = date_trunc('minute', now())
  where t.id = (
    select u.id from public.api_tokens u
    where u.id = used.id
      and (u.last_used_at is null or u.last_used_at < date_trunc('minute', now()))
    for update skip locked
  );
  return used.workspace_id;
end;
$$;

-- Whose the tokens of a workspace are, and how many each member has; nothing to somebody who is no member. Members read
-- each other's addresses.
create function public.token_holders(workspace uuid)
  returns table (user_id uuid, address text, tokens integer)
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select t.user_id, public.address_of(t.user_id), count(*)::integer
  from public.api_tokens t
  where t.workspace_id = workspace and workspace = any (array(select public.workspaces_where('see')))
  group by t.user_id;
$$;
revoke execute on function public.token_holders(uuid) from service_role;
grant execute on function public.token_holders(uuid) to authenticated;

-- What agents report of the tokens that a model used. One row for each response, by the event id that the agent gave; a
-- second report with the same id changes nothing. A row is there so that the event counts once: what it used is in the
-- sums of its day. It has the id and the time of recording; an id of more than 40 characters is kept as a digest of it.
-- Where a person is alone, the workspace has the person's id (docs/decisions/0052).
create table public.token_usage_events (
  workspace_id uuid not null
    constraint token_usage_events_workspace_fkey references public.workspaces (id) on delete cascade,
  event_id text not null check (char_length(event_id) between 1 and 200),
  identity text check (char_length(identity) between 1 and 200),
  happened_at timestamptz,
  usage jsonb check (octet_length(usage::text) <= 2048),
  recorded_at timestamptz not null default now(),
  primary key (workspace_id, event_id)
);

-- For the removal of what is old.
create index token_usage_events_by_time on public.token_usage_events (recorded_at);

-- The same summed by day (UTC) and identity, kept in the transaction that records: statistics read
-- these rows of one workspace and nothing else.
create table public.token_usage_days (
  workspace_id uuid not null
    constraint token_usage_days_workspace_fkey references public.workspaces (id) on delete cascade,
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
  primary key (workspace_id, day, identity)
);

create index token_usage_days_by_day on public.token_usage_days (day);

-- What an identity may still use. Without a row there is no limit to tell.
create table public.token_allowances (
  workspace_id uuid not null
    constraint token_allowances_workspace_fkey references public.workspaces (id) on delete cascade,
  identity text not null check (char_length(identity) between 1 and 200),
  remaining bigint not null check (remaining >= 0),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, identity)
);

-- How many events of a workspace were recorded on a day (UTC): the last on which there were any.
create table public.token_usage_counts (
  workspace_id uuid primary key
    constraint token_usage_counts_workspace_fkey references public.workspaces (id) on delete cascade,
  day date not null,
  events integer not null check (events >= 0)
);

alter table public.token_usage_events enable row level security;
alter table public.token_usage_days enable row level security;
alter table public.token_allowances enable row level security;
alter table public.token_usage_counts enable row level security;

create policy "People read their own usage" on public.token_usage_events
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));
create policy "People read their own days of usage" on public.token_usage_days
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));
create policy "People read their own allowances" on public.token_allowances
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));

create policy "Only a session that is there and proved reads usage" on public.token_usage_events
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads days of usage" on public.token_usage_days
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads allowances" on public.token_allowances
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.token_usage_events, public.token_usage_days, public.token_allowances,
  public.token_usage_counts from anon, authenticated;
grant select on public.token_usage_events, public.token_usage_days, public.token_allowances
  to authenticated;
grant all on public.token_usage_events, public.token_usage_days, public.token_allowances,
  public.token_usage_counts to service_role;

-- The reports that were not recorded yet, each event once, in the order of the call:
-- [{key, identity, day, usage, place}], places from 0.
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

-- Records what fresh_usage_reports answered, under the lock that report_token_usage holds. Answers null, or
-- the refusal that report_token_usage describes.
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

-- Records reports [{event_id, identity, happened_at, usage}] for the workspace of this token, which must be for usage:
-- each event once, its day's sums and its identity's allowance in the same transaction; all of them or none. Answers
-- {recorded, duplicates, allowances: [{identity, remaining}]}, null for an unknown token, and where a quota is
-- reached {refused, plan, quota} with 'daily_events', 'daily_identities' (and `over`: the place and day of up
-- to 20 reports beyond it) or 'busy'.
create function public.report_token_usage(hash text, reports jsonb, basic_prices text[])
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

-- The same without the prices of plans, by which a subscription without a plan would be judged.
create function public.record_token_usage(hash text, reports jsonb) returns jsonb
  language sql
  set search_path = ''
as $$
  select public.report_token_usage(hash, reports, '{}');
$$;

-- Gives an identity an allowance; without `tokens` takes it away. Answers false when the workspace has as many
-- as its plan holds, and this identity has none.
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
  former bigint;
begin
  if tokens is null then
    delete from public.token_allowances a
    where a.workspace_id = found_workspace and a.identity = of_identity
    returning a.remaining into former;
    if found then
      perform public.note_audit(
        found_workspace, owner, 'allowance.taken', of_identity,
        jsonb_build_object('tokens', former)
      );
    end if;
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('allowances of ' || found_workspace::text, 0));
  select a.remaining into former from public.token_allowances a
  where a.workspace_id = found_workspace and a.identity = of_identity for update;
  if found then
    update public.token_allowances a
    set remaining = tokens, changed_at = now()
    where a.workspace_id = found_workspace and a.identity = of_identity;
    perform public.note_audit(
      found_workspace, owner, 'allowance.set', of_identity,
      jsonb_build_object('tokens', former), jsonb_build_object('tokens', tokens)
    );
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
  perform public.note_audit(
    found_workspace, owner, 'allowance.set', of_identity, null,
    jsonb_build_object('tokens', tokens)
  );
  return true;
end;
$$;

-- The same in the personal workspace of whoever acts.
create function public.set_token_allowance(
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

-- Sums of a workspace, from one day to another, of one identity or of all:
-- {total, days: [{day, …}], identities: [{identity, …, remaining}], known: number}. The identities are
-- those that used something or have an allowance: the 100 that used most of `known`, or the one asked for. Rows are not
-- copied first: they are added up once by day and once by identity.
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
grant execute on function public.token_usage_statistics(date, date, text, uuid) to authenticated;
