-- Deployments: what customers describe in the console, its versions, and what they typed and did not save. Members read
-- the rows of their workspaces; only the Worker (service_role) writes, through the functions below. Their `owner` is
-- who acts: each asks whether the role of that person allows the change, and notes it in the audit log of the
-- workspace.

create table public.deployments (
  id uuid primary key default gen_random_uuid(),
  -- Who made it. Theirs alone goes with their personal workspace when the account goes; a team's stays.
  user_id uuid references auth.users (id) on delete set null,
  name text not null check (char_length(name) between 1 and 80),
  options jsonb not null check (octet_length(options::text) <= 32768),
  version integer not null default 1 check (version > 0),
  progress jsonb not null default '{}' check (octet_length(progress::text) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Which steps towards a running server are done, and where that server is. Each step is {"version", "at", "how"}: a
  -- tick is made for one version of the choices, so that a later change can open the step again. `progress` knows the
  -- time alone.
  ticks jsonb not null default '{}' check (octet_length(ticks::text) <= 2048),
  server_ipv4 text check (server_ipv4 ~ '^[0-9.]{7,15}$'),
  server_ipv6 text check (server_ipv6 ~ '^[0-9a-f:]{2,39}$'),
  server_version integer check (server_version > 0),
  -- The version that the customer says runs on their server, and since when they say so.
  applied_version integer,
  applied_at timestamptz,
  -- For thirty days a deletion can be taken back.
  deleted_at timestamptz,
  workspace_id uuid
    constraint deployments_workspace_fkey references public.workspaces (id) on delete cascade
    constraint deployments_in_a_workspace check (workspace_id is not null)
);

create index deployments_by_owner on public.deployments (user_id, updated_at desc, id desc);
create index deployments_by_workspace on public.deployments (workspace_id, updated_at desc, id desc);
create index deployments_deleted on public.deployments (deleted_at) where deleted_at is not null;

-- Every saved version, the newest included; of older ones so many as site_quota says.
create table public.deployment_versions (
  deployment_id uuid not null references public.deployments (id) on delete cascade,
  version integer not null check (version > 0),
  options jsonb not null check (octet_length(options::text) <= 32768),
  saved_at timestamptz not null default now(),
  -- The address of whoever saved it; null where nobody noted it.
  saved_by text,
  note text not null default '',
  restored_from integer,
  primary key (deployment_id, version)
);

create trigger fill_workspace before insert or update of user_id on public.deployments
  for each row execute function public.fill_workspace();

alter table public.deployments enable row level security;
alter table public.deployment_versions enable row level security;

-- A deleted deployment is nowhere to be read; see deleted_deployments.
create policy "People read their own deployments" on public.deployments
  for select to authenticated
  using (
    workspace_id = any (array(select public.workspaces_where('see'))) and deleted_at is null
  );
create policy "People read the versions of their own deployments" on public.deployment_versions
  for select to authenticated
  using (
    deployment_id = any (array(
      select d.id from public.deployments d
      where d.workspace_id = any (array(select public.workspaces_where('see')))
    ))
  );

create policy "Only a session that is there and proved reads deployments" on public.deployments
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads versions" on public.deployment_versions
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.deployments, public.deployment_versions from anon, authenticated;
grant select on public.deployments, public.deployment_versions to authenticated;
grant all on public.deployments, public.deployment_versions to service_role;

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

-- Makes a deployment and its first version, without a workspace in the personal one of whoever acts. Null when the
-- workspace has as many as `allowed`; raises "insufficient_privilege" where their role may not. Requests of one
-- workspace wait for each other, so that two cannot both be the last.
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
  perform public.note_audit(found_workspace, owner, 'deployment.created', new_name, target_id => made);
  return made;
end;
$$;

-- Saves what changed. Options that differ become a new version. Answers 'saved', 'conflict' when somebody saved after
-- `expected_version`, or 'missing' when there is no such deployment that they may change.
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

-- Deletes a deployment so that thirty days long it can be restored. Answers whether there was one. Of one workspace's
-- deleted deployments the newest twenty are kept.
create function public.delete_deployment(owner uuid, target uuid) returns boolean
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

-- Marks a step as done for a version, or as not done. `how` is 'hand' where the person said so, and 'site' where we saw
-- it: the site's own looks tick steps at any time, and are no act of a member's. Answers whether there is such a row.
create function public.set_deployment_tick(
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

-- Keeps the addresses of the server that was made from a version, which is what the step 'machine' asks for; '' is
-- none. What was seen of another server no longer counts. Answers whether there is such a row.
create function public.set_server_address(
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

-- The deleted deployments of a workspace, the last deleted first; without one those of the personal workspace.
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

-- Takes a deletion back. Answers 'restored', 'full' when the workspace has as many as `allowed`, or 'missing'.
create function public.restore_deployment(owner uuid, target uuid, allowed integer)
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

-- What a person typed in the wizard and has not saved: one row for each deployment of a workspace, and one, without a
-- deployment, for the form that makes a new one.
create table public.unsaved_changes (
  user_id uuid not null references auth.users (id) on delete cascade,
  deployment_id uuid references public.deployments (id) on delete cascade,
  -- By the name of a field: what was saved when it was changed, and what was typed.
  changes jsonb not null check (octet_length(changes::text) <= 65536),
  -- Set when somebody discards them, until they take that back.
  discarded boolean not null default false,
  updated_at timestamptz not null default now(),
  -- Within which workspace somebody typed it. It goes when their membership does: it holds what was saved as they
  -- typed.
  workspace_id uuid constraint unsaved_changes_in_a_workspace check (workspace_id is not null),
  constraint unsaved_changes_member_fkey foreign key (user_id, workspace_id)
    references public.members (user_id, workspace_id) on delete cascade
);

create unique index unsaved_changes_one_each
  on public.unsaved_changes (user_id, workspace_id, deployment_id) nulls not distinct;
create index unsaved_changes_by_deployment on public.unsaved_changes (deployment_id);
create index unsaved_changes_by_age on public.unsaved_changes (updated_at);

create trigger fill_workspace before insert or update of user_id on public.unsaved_changes
  for each row execute function public.fill_workspace();

alter table public.unsaved_changes enable row level security;

-- Whoever may no longer change deployments does not see what they typed either: it holds what was saved then.
create policy "People read their own unsaved changes" on public.unsaved_changes
  for select to authenticated
  using (
    user_id = (select auth.uid())
    and workspace_id = any (array(select public.workspaces_where('describe')))
  );
create policy "Own rows are read in a live session, with the second factor where there is one"
  on public.unsaved_changes
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.unsaved_changes from anon, authenticated;
grant select on public.unsaved_changes to authenticated;
grant all on public.unsaved_changes to service_role;

-- Keeps what was typed in the fields of one form, and leaves what was typed in others: of a deployment, or of the form
-- that makes a new one in a workspace, without one in the personal workspace of whoever acts. Answers whether they may
-- change it, and it is not deleted.
create function public.keep_unsaved_changes(
  owner uuid,
  fields_of_form text[],
  new_changes jsonb,
  target uuid default null,
  workspace uuid default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid;
begin
  if target is null then
    found_workspace := coalesce(workspace, public.personal_workspace(owner));
    if not public.member_may(owner, found_workspace, 'describe') then
      return false;
    end if;
  else
    found_workspace := public.deployment_workspace(owner, target, 'describe');
    if not exists (
      select from public.deployments d
      where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
    ) then
      return false;
    end if;
  end if;
  insert into public.unsaved_changes as u (user_id, workspace_id, deployment_id, changes)
  values (owner, found_workspace, target, new_changes)
  on conflict (user_id, workspace_id, deployment_id) do update set
    changes = case
      when not u.discarded then (u.changes - fields_of_form) || new_changes
      when new_changes = '{}' then u.changes
      else new_changes
    end,
    discarded = u.discarded and new_changes = '{}',
    updated_at = now();
  delete from public.unsaved_changes u
  where u.user_id = owner and u.workspace_id = found_workspace
    and u.deployment_id is not distinct from target and u.changes = '{}';
  return true;
end;
$$;

-- Removes what nobody changed for thirty days, and what was discarded a day ago. Answers how many rows.
create function public.remove_expired_unsaved_changes(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.unsaved_changes u where u.ctid = any (array(
    select x.ctid from public.unsaved_changes x
    where x.updated_at < now() - interval '30 days'
      or (x.discarded and x.updated_at < now() - interval '1 day')
    limit at_most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;
