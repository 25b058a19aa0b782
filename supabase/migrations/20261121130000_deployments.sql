-- What a customer describes in the console. People read their own rows; only the Worker
-- (service_role) writes, through the functions below. Each takes whose row it means, and checks it.
create table public.deployments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  options jsonb not null check (octet_length(options::text) <= 32768),
  version integer not null default 1 check (version > 0),
  progress jsonb not null default '{}' check (octet_length(progress::text) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index deployments_by_owner on public.deployments (user_id, updated_at desc, id desc);

-- Every saved version, the newest included.
create table public.deployment_versions (
  deployment_id uuid not null references public.deployments (id) on delete cascade,
  version integer not null check (version > 0),
  options jsonb not null check (octet_length(options::text) <= 32768),
  saved_at timestamptz not null default now(),
  primary key (deployment_id, version)
);

alter table public.deployments enable row level security;
alter table public.deployment_versions enable row level security;

create policy "People read their own deployments" on public.deployments
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People read the versions of their own deployments" on public.deployment_versions
  for select to authenticated
  using (
    deployment_id in (select d.id from public.deployments d where d.user_id = (select auth.uid()))
  );

revoke all on public.deployments, public.deployment_versions from anon, authenticated;
grant select on public.deployments, public.deployment_versions to authenticated;
grant all on public.deployments, public.deployment_versions to service_role;

-- Makes a deployment and its first version; null when the owner already has as many as `allowed`.
-- Requests of one owner wait for each other, so that two cannot both be the last.
create function public.create_deployment(
  owner uuid,
  new_name text,
  new_options jsonb,
  allowed integer
) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  made uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || owner::text, 0));
  if (select count(*) from public.deployments d where d.user_id = owner) >= allowed then
    return null;
  end if;
  insert into public.deployments (user_id, name, options)
  values (owner, new_name, new_options)
  returning id into made;
  insert into public.deployment_versions (deployment_id, version, options)
  values (made, 1, new_options);
  return made;
end;
$$;

-- Saves what changed. Options that differ become a new version. Answers 'saved', 'conflict' when
-- somebody saved after `expected_version`, or 'missing' when the owner has no such deployment.
create function public.save_deployment(
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
  return 'saved';
end;
$$;

-- Answers whether there was one to delete. Its versions go with it.
create function public.delete_deployment(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.deployments d where d.id = target and d.user_id = owner;
  return found;
end;
$$;

-- Marks a step of the checklist as done now, or as not done. Answers whether there is such a row.
create function public.set_deployment_progress(
  owner uuid,
  target uuid,
  step text,
  done boolean
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update public.deployments d
  set progress = case
    when done then d.progress || jsonb_build_object(step, now())
    else d.progress - step
  end
  where d.id = target and d.user_id = owner
    and step in ('files', 'dns', 'machine', 'doctor');
  return found;
end;
$$;

revoke execute on function public.create_deployment(uuid, text, jsonb, integer)
  from public, anon, authenticated;
revoke execute on function public.save_deployment(uuid, uuid, text, jsonb, integer)
  from public, anon, authenticated;
revoke execute on function public.delete_deployment(uuid, uuid) from public, anon, authenticated;
revoke execute on function public.set_deployment_progress(uuid, uuid, text, boolean)
  from public, anon, authenticated;
grant execute on function public.create_deployment(uuid, text, jsonb, integer) to service_role;
grant execute on function public.save_deployment(uuid, uuid, text, jsonb, integer) to service_role;
grant execute on function public.delete_deployment(uuid, uuid) to service_role;
grant execute on function public.set_deployment_progress(uuid, uuid, text, boolean)
  to service_role;
