-- Model configurations and agents' tokens are read and changed by the members of their workspace, as their role allows.
-- `owner` of the functions below is who acts. Without a workspace a call means the personal workspace of whoever acts:
-- so the calls of the version before still fit.

-- allowed: each account owns a personal workspace with all of its versions, so everybody reads what they read before
alter policy "People read their own model configurations" on public.model_configuration_versions
  using (workspace_id = any (array(select public.workspaces_where('see'))));

-- allowed: for the same reason as the first
alter policy "People read about their own tokens" on public.api_tokens
  using (workspace_id = any (array(select public.workspaces_where('see'))));

-- The workspace that a call means: the one that it names, or else the personal workspace of whoever acts. Raises
-- "insufficient_privilege" where the role forbids what is wanted.
create function public.meant_workspace(person uuid, workspace uuid, wanted text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := coalesce(workspace, public.personal_workspace(person));
begin
  if not public.member_may(person, found_workspace, wanted) then
    raise exception 'This member may not do this.' using errcode = 'insufficient_privilege';
  end if;
  return found_workspace;
end;
$$;

-- As before, for a workspace: the newest of its versions is in force, whoever saved it.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.save_model_configuration(uuid, text, integer, text, text, text, text);

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
  delete from public.model_configuration_versions v
  where v.workspace_id = found_workspace
    and v.version <= expected_version + 1 - (select q.configuration_versions from public.site_quota() q);
  return expected_version + 1;
end;
$$;

-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.restore_model_configuration(uuid, text, integer);

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
  delete from public.model_configuration_versions v
  where v.workspace_id = found_workspace
    and v.version <= made - (select q.configuration_versions from public.site_quota() q);
  return made;
end;
$$;

-- Makes a token of one member's in a workspace. Answers false when the workspace already has as many as `allowed`.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.create_api_token(uuid, text, text, text, integer);

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
  return true;
end;
$$;

-- As before, for one's own token; for another member's it asks for the right to change members.
create or replace function public.revoke_api_token(owner uuid, target uuid) returns boolean
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
  return found;
end;
$$;

-- Which workspace a token belongs to, where it is for what is asked and has not ended; null otherwise, as for nobody's.
-- Notes once a minute that it is in use; a row that a call with the same token has locked is left to that call.
-- allowed: the same transaction makes it again. The running version takes the answer for an account, and no account has
-- another personal workspace yet than the one with its own id
drop function public.use_api_token(text);

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

-- As before, for a token that is for usage.
create or replace function public.report_token_usage(hash text, reports jsonb, basic_prices text[])
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
  if public.use_api_token(hash, 'usage') is null then
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

revoke execute on function
  public.meant_workspace(uuid, uuid, text),
  public.save_model_configuration(uuid, text, integer, text, text, text, text, uuid),
  public.restore_model_configuration(uuid, text, integer, uuid),
  public.create_api_token(uuid, text, text, text, integer, uuid, text[], timestamptz),
  public.use_api_token(text, text)
  from public, anon, authenticated;
grant execute on function
  public.meant_workspace(uuid, uuid, text),
  public.save_model_configuration(uuid, text, integer, text, text, text, text, uuid),
  public.restore_model_configuration(uuid, text, integer, uuid),
  public.create_api_token(uuid, text, text, text, integer, uuid, text[], timestamptz),
  public.use_api_token(text, text)
  to service_role;

-- allowed: the trigger gives a workspace to each row that the running version writes
alter table public.api_tokens alter column workspace_id set not null;

-- allowed: the functions above are all that reads or writes by the key
alter table public.model_configuration_versions
  drop constraint model_configuration_versions_pkey,
  add constraint model_configuration_versions_pkey
    primary key using index model_configuration_versions_by_workspace;
