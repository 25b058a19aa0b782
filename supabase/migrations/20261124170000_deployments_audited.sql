-- What members change about deployments is noted in the audit log of their workspace. Each function does as before.

create or replace function public.create_deployment(
  owner uuid,
  new_name text,
  new_options jsonb,
  allowed integer,
  saver text default null,
  workspace uuid default null
) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := coalesce(workspace, public.personal_workspace(owner));
  made uuid;
begin
  if not public.member_may(owner, found_workspace, 'describe') then
    raise exception 'This member may not make deployments.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || found_workspace::text, 0));
  if (
    select count(*) from public.deployments d
    where d.workspace_id = found_workspace and d.deleted_at is null
  ) >= allowed then
    return null;
  end if;
  insert into public.deployments (user_id, workspace_id, name, options)
  values (owner, found_workspace, new_name, new_options)
  returning id into made;
  insert into public.deployment_versions (deployment_id, version, options, saved_by)
  values (made, 1, new_options, saver);
  perform public.note_audit(found_workspace, owner, 'deployment.created', new_name, target_id => made);
  return made;
end;
$$;

create or replace function public.save_deployment(
  owner uuid,
  target uuid,
  new_name text,
  new_options jsonb,
  expected_version integer,
  saver text default null,
  restored integer default null
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  current_row public.deployments;
  changed record;
begin
  select * into current_row from public.deployments d
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  for update;
  if not found then
    return 'missing';
  end if;
  if current_row.version <> expected_version then
    return 'conflict';
  end if;
  select * into changed from public.changed_fields(
    current_row.options || jsonb_build_object('name', current_row.name),
    new_options || jsonb_build_object('name', new_name)
  );
  if (changed.before, changed.after) <> ('{}', '{}') then
    perform public.note_audit(
      found_workspace, owner, 'deployment.saved', new_name, changed.before, changed.after, target
    );
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
  insert into public.deployment_versions (
    deployment_id, version, options, saved_by, restored_from
  )
  values (target, current_row.version + 1, new_options, saver, restored);
  delete from public.deployment_versions v
  where v.deployment_id = target
    and v.version <= current_row.version + 1 - (select q.deployment_versions from public.site_quota() q);
  return 'saved';
end;
$$;

create or replace function public.note_deployment_version(
  owner uuid,
  target uuid,
  noted_version integer,
  new_note text
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  deployment text;
begin
  update public.deployment_versions v set note = left(new_note, 200)
  from public.deployments d
  where v.deployment_id = target and v.version = noted_version
    and d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  returning d.name into deployment;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_workspace, owner, 'deployment.noted', deployment, null,
    jsonb_build_object('version', noted_version), target
  );
  return true;
end;
$$;

create or replace function public.apply_deployment_version(
  owner uuid,
  target uuid,
  new_version integer default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  former integer;
  deployment text;
begin
  select d.applied_version into former from public.deployments d
  where d.id = target and d.workspace_id = found_workspace for update;
  update public.deployments d
  set applied_version = new_version,
    applied_at = case when new_version is null then null else now() end
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
    and (
      new_version is null
      or exists (
        select 1 from public.deployment_versions v
        where v.deployment_id = target and v.version = new_version
      )
    )
  returning d.name into deployment;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_workspace, owner, 'deployment.applied', deployment,
    jsonb_build_object('version', former), jsonb_build_object('version', new_version), target
  );
  return true;
end;
$$;

create or replace function public.delete_deployment(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  was_there boolean;
  deployment text;
begin
  update public.deployments d set deleted_at = now()
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  returning d.name into deployment;
  was_there := found;
  if was_there then
    perform public.note_audit(
      found_workspace, owner, 'deployment.deleted', deployment, target_id => target
    );
  end if;
  delete from public.deployments d where d.id in (
    select x.id from public.deployments x
    where x.workspace_id = found_workspace and x.deleted_at is not null
    order by x.deleted_at desc, x.id offset 20
  );
  return was_there;
end;
$$;

create or replace function public.restore_deployment(owner uuid, target uuid, allowed integer)
  returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  deployment text;
begin
  if found_workspace is null then
    return 'missing';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || found_workspace::text, 0));
  if (
    select count(*) from public.deployments d
    where d.workspace_id = found_workspace and d.deleted_at is null
  ) >= allowed then
    return 'full';
  end if;
  update public.deployments d set deleted_at = null
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at > now() - interval '30 days'
  returning d.name into deployment;
  if not found then
    return 'missing';
  end if;
  perform public.note_audit(
    found_workspace, owner, 'deployment.restored', deployment, target_id => target
  );
  return 'restored';
end;
$$;

-- The site's own looks tick steps as well, at any time: they are no act of a member's.
create or replace function public.set_deployment_tick(
  owner uuid,
  target uuid,
  step text,
  done boolean,
  of_version integer,
  how text
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  deployment text;
begin
  update public.deployments d
  set ticks = case
    when done then d.ticks || jsonb_build_object(
      step, jsonb_build_object('version', of_version, 'at', now(), 'how', how)
    )
    else d.ticks - step
  end
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
    and of_version <= d.version
    and how in ('hand', 'site')
    and step in ('files', 'machine', 'dns', 'answer', 'doctor', 'connect')
  returning d.name into deployment;
  if not found then
    return false;
  end if;
  if how = 'hand' then
    perform public.note_audit(
      found_workspace, owner, 'deployment.ticked', deployment, null,
      jsonb_build_object('step', step, 'done', done), target
    );
  end if;
  return true;
end;
$$;

create or replace function public.set_server_address(
  owner uuid,
  target uuid,
  new_ipv4 text,
  new_ipv6 text,
  of_version integer
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  former record;
  deployment text;
begin
  select d.server_ipv4, d.server_ipv6 into former from public.deployments d
  where d.id = target and d.workspace_id = found_workspace for update;
  update public.deployments d
  set server_ipv4 = nullif(new_ipv4, ''),
    server_ipv6 = nullif(new_ipv6, ''),
    server_version = of_version,
    ticks = case
      when coalesce(d.server_ipv4, '') <> new_ipv4 or coalesce(d.server_ipv6, '') <> new_ipv6
      then d.ticks - 'dns' - 'answer' - 'doctor'
      else d.ticks
    end || jsonb_build_object(
      'machine', jsonb_build_object('version', of_version, 'at', now(), 'how', 'site')
    )
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
    and of_version <= d.version
  returning d.name into deployment;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_workspace, owner, 'deployment.addressed', deployment,
    jsonb_build_object('ipv4', former.server_ipv4, 'ipv6', former.server_ipv6),
    jsonb_build_object('ipv4', nullif(new_ipv4, ''), 'ipv6', nullif(new_ipv6, '')), target
  );
  return true;
end;
$$;
