-- Deployments are changed by members whose role allows it. `owner` of the functions below is who acts. Whose a
-- deployment is, its row says: so every call of the version before still fits, and means the same in a personal
-- workspace.

-- Whether a person may do something in a workspace, as it is now. Where a workspace wants a second factor, reads ask
-- for one that was given (workspaces_where), and changes for one that is set up: the Worker has asked for it before.
create function public.may_now(person uuid, workspace uuid, wanted text) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.workspace_id = workspace and m.user_id = person and public.role_may(m.role, wanted)
      and (not w.needs_second_factor or public.has_second_factor(person))
  );
$$;

-- The same for a function that changes something. Until its transaction ends nobody changes this membership: of an
-- action and a demotion at once, whichever comes second sees the other. Locks are taken in one order, so that no two
-- wait for each other: account, members by the person's id, workspace (for no key update), invitation, customer,
-- deployment.
create function public.member_may(person uuid, workspace uuid, wanted text) returns boolean
  language plpgsql
  -- A lock asks for more than the right to read.
  security definer
  set search_path = ''
as $$
begin
  -- Deleting an account takes it before its memberships.
  perform 1 from auth.users u where u.id = person for key share;
  perform 1 from public.members m
  where m.workspace_id = workspace and m.user_id = person
  for share;
  return public.may_now(person, workspace, wanted);
end;
$$;

-- The workspace of a deployment, where a person may do something in it; null otherwise, as for no deployment at all.
create function public.deployment_workspace(person uuid, target uuid, wanted text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid;
begin
  select d.workspace_id into found_workspace from public.deployments d where d.id = target;
  return case when public.member_may(person, found_workspace, wanted) then found_workspace end;
end;
$$;

-- As before, for a member of a workspace; without one for the personal workspace of whoever acts. Deployments of a
-- workspace are counted together, and requests for one workspace wait for each other. Raises "insufficient_privilege"
-- where the role forbids it.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.create_deployment(uuid, text, jsonb, integer, text);

create function public.create_deployment(
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
begin
  update public.deployment_versions v set note = left(new_note, 200)
  from public.deployments d
  where v.deployment_id = target and v.version = noted_version
    and d.id = target and d.workspace_id = found_workspace and d.deleted_at is null;
  return found;
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
begin
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
    );
  return found;
end;
$$;

-- As before. Of one workspace's deleted deployments the newest twenty are kept.
create or replace function public.delete_deployment(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  was_there boolean;
begin
  update public.deployments d set deleted_at = now()
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null;
  was_there := found;
  delete from public.deployments d where d.id in (
    select x.id from public.deployments x
    where x.workspace_id = found_workspace and x.deleted_at is not null
    order by x.deleted_at desc, x.id offset 20
  );
  return was_there;
end;
$$;

-- A workspace's deleted deployments, the last deleted first, for whoever may restore them; without a workspace those of
-- the personal workspace of whoever asks.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.deleted_deployments(uuid);

create function public.deleted_deployments(owner uuid, workspace uuid default null)
  returns table (id uuid, name text, deleted_at timestamptz)
  language sql
  stable
  set search_path = ''
as $$
  with found_workspace as (
    select w.id from public.workspaces w
    where w.id = coalesce(
        workspace, (select h.id from public.workspaces h where h.personal_of = owner)
      )
      and public.may_now(owner, w.id, 'describe')
  )
  select d.id, d.name, d.deleted_at from public.deployments d
  where d.workspace_id = (select p.id from found_workspace p) and d.deleted_at is not null
    and d.deleted_at > now() - interval '30 days'
  order by d.deleted_at desc, d.id;
$$;

create or replace function public.restore_deployment(owner uuid, target uuid, allowed integer)
  returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
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
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at > now() - interval '30 days';
  return case when found then 'restored' else 'missing' end;
end;
$$;

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
    and step in ('files', 'machine', 'dns', 'answer', 'doctor', 'connect');
  return found;
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
begin
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
    and of_version <= d.version;
  return found;
end;
$$;

create or replace function public.set_deployment_progress(
  owner uuid,
  target uuid,
  step text,
  done boolean
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
begin
  update public.deployments d
  set progress = case
    when done then d.progress || jsonb_build_object(step, now())
    else d.progress - step
  end
  where d.id = target and d.workspace_id = found_workspace
    and step in ('files', 'dns', 'machine', 'doctor');
  return found;
end;
$$;

revoke execute on function
  public.may_now(uuid, uuid, text),
  public.member_may(uuid, uuid, text),
  public.deployment_workspace(uuid, uuid, text),
  public.create_deployment(uuid, text, jsonb, integer, text, uuid),
  public.deleted_deployments(uuid, uuid)
  from public, anon, authenticated;
grant execute on function
  public.may_now(uuid, uuid, text),
  public.member_may(uuid, uuid, text),
  public.deployment_workspace(uuid, uuid, text),
  public.create_deployment(uuid, text, jsonb, integer, text, uuid),
  public.deleted_deployments(uuid, uuid)
  to service_role;
