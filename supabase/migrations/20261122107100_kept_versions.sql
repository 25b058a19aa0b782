-- Of the versions of a configuration and of a deployment the newest are kept, so many as site_quota says.

-- As before; older versions than the newest so many are removed.
create or replace function public.save_model_configuration(
  owner uuid,
  saver text,
  expected_version integer,
  new_model text,
  new_instructions text,
  new_voice text,
  new_transcription_model text
) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  newest public.model_configuration_versions;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || owner::text, 0));
  select * into newest from public.model_configuration_versions v
  where v.user_id = owner order by v.version desc limit 1;
  if coalesce(newest.version, 0) <> expected_version then
    return null;
  end if;
  if (newest.model, newest.instructions, newest.voice, newest.transcription_model)
    = (new_model, new_instructions, new_voice, new_transcription_model) then
    return newest.version;
  end if;
  insert into public.model_configuration_versions (
    user_id, version, model, instructions, voice, transcription_model, saved_by
  )
  values (
    owner, expected_version + 1, new_model, new_instructions, new_voice, new_transcription_model,
    saver
  );
  delete from public.model_configuration_versions v
  where v.user_id = owner
    and v.version <= expected_version + 1 - (select q.configuration_versions from public.site_quota() q);
  return expected_version + 1;
end;
$$;

create or replace function public.restore_model_configuration(
  owner uuid,
  saver text,
  old_version integer
) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  made integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || owner::text, 0));
  insert into public.model_configuration_versions (
    user_id, version, model, instructions, voice, transcription_model, saved_by, restored_from
  )
  select v.user_id,
    (select max(n.version) + 1 from public.model_configuration_versions n where n.user_id = owner),
    v.model, v.instructions, v.voice, v.transcription_model, saver, old_version
  from public.model_configuration_versions v
  where v.user_id = owner and v.version = old_version
  returning version into made;
  delete from public.model_configuration_versions v
  where v.user_id = owner
    and v.version <= made - (select q.configuration_versions from public.site_quota() q);
  return made;
end;
$$;

create or replace function public.save_deployment(
  owner uuid,
  target uuid,
  new_name text,
  new_options jsonb,
  expected_version integer
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  current_row public.deployments;
begin
  select * into current_row from public.deployments d
  where d.id = target and d.user_id = owner
  for update;
  if not found then
    return 'missing';
  end if;
  if current_row.version <> expected_version then
    return 'conflict';
  end if;
  if current_row.options = new_options then
    update public.deployments d
    set name = new_name, updated_at = now()
    where d.id = target and d.name <> new_name;
    return 'saved';
  end if;
  update public.deployments d
  set name = new_name, options = new_options, version = d.version + 1, updated_at = now()
  where d.id = target;
  insert into public.deployment_versions (deployment_id, version, options)
  values (target, current_row.version + 1, new_options);
  delete from public.deployment_versions v
  where v.deployment_id = target
    and v.version <= current_row.version + 1 - (select q.deployment_versions from public.site_quota() q);
  return 'saved';
end;
$$;
