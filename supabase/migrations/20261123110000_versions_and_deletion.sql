-- Who saved a version and why, which version the customer's server runs, and thirty days to take a deletion back.

alter table public.deployment_versions
  -- The address of whoever saved it; null for versions from before this column.
  add column saved_by text,
  add column note text not null default '',
  add column restored_from integer;

alter table public.deployments
  -- The version that the customer says runs on their server, and since when they say so.
  add column applied_version integer,
  add column applied_at timestamptz,
  add column deleted_at timestamptz;

create index deployments_deleted on public.deployments (deleted_at) where deleted_at is not null;

-- Whoever ticked the last step of the checklist ran what was the newest version then.
-- allowed: only the columns that are added above are written, which the running version does not read
update public.deployments d
set applied_at = (d.progress ->> 'doctor')::timestamptz,
  applied_version = (
    select max(v.version) from public.deployment_versions v
    where v.deployment_id = d.id and v.saved_at <= (d.progress ->> 'doctor')::timestamptz
  )
where d.progress ->> 'doctor' is not null;

-- A deleted deployment is nowhere to be read, and so are its versions; see deleted_deployments.
-- allowed: nothing has been deleted in this way yet, so the running version reads what it read before
alter policy "People read their own deployments" on public.deployments
  using (user_id = (select auth.uid()) and deleted_at is null);

-- As before; keeps who saved, and deleted deployments do not count. Callers that do not name a saver still work.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.create_deployment(uuid, text, jsonb, integer);

create function public.create_deployment(
  owner uuid,
  new_name text,
  new_options jsonb,
  allowed integer,
  saver text default null
) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  made uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || owner::text, 0));
  if (
    select count(*) from public.deployments d where d.user_id = owner and d.deleted_at is null
  ) >= allowed then
    return null;
  end if;
  insert into public.deployments (user_id, name, options)
  values (owner, new_name, new_options)
  returning id into made;
  insert into public.deployment_versions (deployment_id, version, options, saved_by)
  values (made, 1, new_options, saver);
  return made;
end;
$$;

-- As before; keeps who saved and, where an older version is restored, which.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.save_deployment(uuid, uuid, text, jsonb, integer);

create function public.save_deployment(
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
  current_row public.deployments;
begin
  select * into current_row from public.deployments d
  where d.id = target and d.user_id = owner and d.deleted_at is null
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

-- Writes a note at a kept version, or takes it away. Answers whether there is such a version.
create function public.note_deployment_version(
  owner uuid,
  target uuid,
  noted_version integer,
  new_note text
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update public.deployment_versions v set note = left(new_note, 200)
  from public.deployments d
  where v.deployment_id = target and v.version = noted_version
    and d.id = target and d.user_id = owner and d.deleted_at is null;
  return found;
end;
$$;

-- Notes which kept version the customer's server runs; null when they say that none does. Answers whether there is
-- such a version.
create function public.apply_deployment_version(
  owner uuid,
  target uuid,
  new_version integer default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update public.deployments d
  set applied_version = new_version,
    applied_at = case when new_version is null then null else now() end
  where d.id = target and d.user_id = owner and d.deleted_at is null
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

-- Deletes a deployment so that thirty days long it can be restored. Answers whether there was one. Of one owner's
-- deleted deployments the newest twenty are kept.
create or replace function public.delete_deployment(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  was_there boolean;
begin
  update public.deployments d set deleted_at = now()
  where d.id = target and d.user_id = owner and d.deleted_at is null;
  was_there := found;
  delete from public.deployments d where d.id in (
    select x.id from public.deployments x
    where x.user_id = owner and x.deleted_at is not null
    order by x.deleted_at desc, x.id offset 20
  );
  return was_there;
end;
$$;

-- An owner's deleted deployments, the last deleted first.
create function public.deleted_deployments(owner uuid)
  returns table (id uuid, name text, deleted_at timestamptz)
  language sql
  stable
  set search_path = ''
as $$
  select d.id, d.name, d.deleted_at from public.deployments d
  where d.user_id = owner and d.deleted_at is not null
    and d.deleted_at > now() - interval '30 days'
  order by d.deleted_at desc, d.id;
$$;

-- Takes a deletion back. Answers 'restored', 'full' when the owner has as many as `allowed`, or 'missing'.
create function public.restore_deployment(owner uuid, target uuid, allowed integer) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || owner::text, 0));
  if (
    select count(*) from public.deployments d where d.user_id = owner and d.deleted_at is null
  ) >= allowed then
    return 'full';
  end if;
  update public.deployments d set deleted_at = null
  where d.id = target and d.user_id = owner and d.deleted_at > now() - interval '30 days';
  return case when found then 'restored' else 'missing' end;
end;
$$;

-- Removes deployments that were deleted more than thirty days ago, at most so many. Answers how many.
create function public.remove_deleted_deployments(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.deployments d where d.ctid = any (array(
    select x.ctid from public.deployments x
    where x.deleted_at <= now() - interval '30 days'
    limit at_most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;

revoke execute on function
  public.create_deployment(uuid, text, jsonb, integer, text),
  public.save_deployment(uuid, uuid, text, jsonb, integer, text, integer),
  public.note_deployment_version(uuid, uuid, integer, text),
  public.apply_deployment_version(uuid, uuid, integer),
  public.deleted_deployments(uuid),
  public.restore_deployment(uuid, uuid, integer),
  public.remove_deleted_deployments(integer)
  from public, anon, authenticated;
grant execute on function
  public.create_deployment(uuid, text, jsonb, integer, text),
  public.save_deployment(uuid, uuid, text, jsonb, integer, text, integer),
  public.note_deployment_version(uuid, uuid, integer, text),
  public.apply_deployment_version(uuid, uuid, integer),
  public.deleted_deployments(uuid),
  public.restore_deployment(uuid, uuid, integer),
  public.remove_deleted_deployments(integer)
  to service_role;
