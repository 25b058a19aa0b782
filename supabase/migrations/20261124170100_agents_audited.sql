-- What members change about configurations, tokens and allowances is noted in the audit log of their workspace. Each
-- function does as before.

create or replace function public.save_model_configuration(
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

create or replace function public.restore_model_configuration(
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

create or replace function public.create_api_token(
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

create or replace function public.set_usage_allowance(
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
