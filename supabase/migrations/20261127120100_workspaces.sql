-- Workspaces: their members, what each role may do, and the audit log of what members did.

-- What is bought and run belongs to a workspace; people are its members (docs/decisions/0052). An account has a
-- personal workspace at the latest with its first deployment. It is the only member there until it invites somebody.
create table public.workspaces (
  id uuid primary key default gen_random_uuid(),
  -- The account whose personal workspace this is. A row that names only its person belongs here.
  personal_of uuid references auth.users (id) on delete set null,
  slug text not null unique default left(replace(gen_random_uuid()::text, '-', ''), 12)
    check (slug ~ '^[a-z0-9][a-z0-9-]{2,39}$'),
  name text not null default 'Personal' check (char_length(name) between 1 and 80),
  -- Whether members see it only after they have given a second factor.
  needs_second_factor boolean not null default false,
  created_at timestamptz not null default now()
);

-- One personal workspace for each account. Being partial, it does not make personal_of a column that foreign keys may
-- refer to: so a change of it locks no rows that refer to the workspace.
create unique index workspaces_personal on public.workspaces (personal_of) where personal_of is not null;

create table public.members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'operator', 'viewer', 'billing')),
  joined_at timestamptz not null default now(),
  -- The person first: row-level security asks in which workspaces somebody is. members_by_age finds by workspace.
  primary key (user_id, workspace_id) include (role)
);

create index members_by_age on public.members (workspace_id, joined_at, user_id);
create index members_who_own on public.members (workspace_id, joined_at) where role = 'owner';

-- Who may do what: one table, for the database and the Worker. It is a function and no table, so that no row of it can
-- be changed while the site runs.
create function public.role_rights() returns table (action text, role text)
  language sql
  immutable
  set search_path = ''
as $$
  select r.action, unnest(r.roles) from (values
    ('see', array['owner', 'admin', 'operator', 'viewer', 'billing']),
    -- Deployments and the model configuration: make, change, note, tick, delete, restore; and allowances.
    ('describe', array['owner', 'admin', 'operator']),
    -- Files, secrets made in the browser, bundles with tokens.
    ('download', array['owner', 'admin', 'operator']),
    ('rollout', array['owner', 'admin', 'operator']),
    ('servers', array['owner', 'admin', 'operator']),
    -- The names of who was in a room.
    ('sessions', array['owner', 'admin', 'operator']),
    ('alerts', array['owner', 'admin', 'operator']),
    -- Make agents' tokens, and revoke one's own.
    ('tokens', array['owner', 'admin', 'operator']),
    ('billing', array['owner', 'admin', 'billing']),
    -- Invite, remove, change roles up to admin, revoke the tokens of others.
    ('members', array['owner', 'admin']),
    ('settings', array['owner', 'admin']),
    ('audit', array['owner', 'admin']),
    -- Make and remove owners, hand over, delete the workspace.
    ('own', array['owner'])
  ) as r (action, roles);
$$;

-- Whether a role allows an action, as role_rights has it.
create function public.role_may(role text, action text) returns boolean
  language sql
  immutable
  set search_path = ''
as $$
  select exists (
    select from public.role_rights() r where r.action = role_may.action and r.role = role_may.role
  );
$$;

-- The workspaces in which whoever asks may do something. A policy asks it once for each query, in the form
-- `= any (array(select …))`: so its answer is the condition of an index. What it reads grows with the memberships of
-- whoever asks, and with nothing else.
create function public.workspaces_where(wanted text) returns setof uuid
  language plpgsql
  stable
  -- The policy of members asks this function.
  security definer
  set search_path = ''
  rows 10
as $$
declare
  claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  gave_factor boolean := claims ->> 'aal' is not distinct from 'aal2';
  roles text[] := array(select r.role from public.role_rights() r where r.action = wanted);
begin
  -- Anybody with a token may ask it past the policies.
  if not public.may_read_own() then
    return;
  end if;
  return query
    select m.workspace_id from public.members m
    where m.user_id = (select auth.uid()) and m.role = any (roles)
      and (
        gave_factor
        or not (select w.needs_second_factor from public.workspaces w where w.id = m.workspace_id)
      );
end;
$$;
grant execute on function public.workspaces_where(text) to authenticated;

-- The personal workspace of an account; makes one where it has none. The first personal workspace of an account has the
-- account's own id. A later one, after the first was handed over, has another: nothing may take the one id for the
-- other.
create function public.personal_workspace(person uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  personal uuid;
begin
  loop
    select w.id into personal from public.workspaces w where w.personal_of = person;
    if found then
      return personal;
    end if;
    -- Of two calls at once one inserts. The other waits for it, inserts nothing and reads again.
    insert into public.workspaces (id, personal_of)
    values (
      case
        when exists (select from public.workspaces w where w.id = person) then gen_random_uuid()
        else person
      end,
      person
    )
    on conflict do nothing
    returning id into personal;
    if found then
      insert into public.members (workspace_id, user_id, role) values (personal, person, 'owner');
      return personal;
    end if;
  end loop;
end;
$$;

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
grant execute on function public.own_workspace() to authenticated;

-- Keeps two rules when a member goes or stops being an owner, whoever does it: a personal workspace belongs to an owner
-- of it, and no workspace is without one. Where the account of the last owner was deleted, the longest-standing admin,
-- or else member, becomes owner; without members the workspace goes. Notes in the audit log who is gone, and who owns
-- it instead.
create function public.ensure_owner() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  promoted uuid;
  account_gone boolean := not exists (select from auth.users u where u.id = old.user_id);
begin
  -- Those who leave at once come one after the other. A workspace that is being deleted is not found.
  perform 1 from public.workspaces w where w.id = old.workspace_id for no key update;
  if not found then
    return null;
  end if;
  update public.workspaces w set personal_of = null
  where w.id = old.workspace_id and w.personal_of = old.user_id;
  if exists (
    select from public.members m where m.workspace_id = old.workspace_id and m.role = 'owner'
  ) then
    if account_gone then
      perform public.note_audit(old.workspace_id, null, 'member.account-deleted', target_id => old.user_id);
    end if;
    return null;
  end if;
  if not account_gone then
    raise exception 'A workspace keeps at least one owner.';
  end if;
  update public.members m set role = 'owner'
  where m.workspace_id = old.workspace_id and m.user_id = (
    select n.user_id from public.members n where n.workspace_id = old.workspace_id
    order by n.role <> 'admin', n.joined_at, n.user_id limit 1
  )
  returning m.user_id into promoted;
  if not found then
    delete from public.workspaces w where w.id = old.workspace_id;
    return null;
  end if;
  perform public.note_audit(old.workspace_id, null, 'member.account-deleted', target_id => old.user_id);
  perform public.note_audit(
    old.workspace_id, null, 'member.promoted', public.address_of(promoted), target_id => promoted
  );
  return null;
end;
$$;

create trigger ensure_owner_after_leaving after delete on public.members
  for each row execute function public.ensure_owner();
create trigger ensure_owner_after_demotion after update on public.members
  for each row when (
    old.role = 'owner'
    and (new.role, new.user_id, new.workspace_id) is distinct from ('owner', old.user_id, old.workspace_id)
  )
  execute function public.ensure_owner();

-- A row that names only its person goes to that person's personal workspace; so does one that goes over to another
-- person.
create function public.fill_workspace() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.user_id is not null and (
    new.workspace_id is null
    or (
      tg_op = 'UPDATE' and new.user_id is distinct from old.user_id
      and new.workspace_id is not distinct from old.workspace_id
    )
  ) then
    new.workspace_id := public.personal_workspace(new.user_id);
  end if;
  return new;
end;
$$;

alter table public.workspaces enable row level security;
alter table public.members enable row level security;

create policy "Members read their workspaces" on public.workspaces
  for select to authenticated
  using (id = any (array(select public.workspaces_where('see'))));
create policy "Members read who else is one" on public.members
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));

create policy "Only a session that is there and proved reads workspaces" on public.workspaces
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads members" on public.members
  as restrictive for select to authenticated using ((select public.may_read_own()));

-- Only functions write here.
revoke all on public.workspaces, public.members from anon, authenticated, service_role;
grant select (id, slug, name, needs_second_factor, created_at) on public.workspaces to authenticated;
grant select (workspace_id, user_id, role, joined_at) on public.members to authenticated;
grant select on public.workspaces, public.members to service_role;

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

-- The workspaces of whoever asks, the personal one first. The console asks it for each page, so that who was removed is
-- gone with the next one. It also names those that want a second factor which was not given: their rows are not read
-- then, and the console says why.
create function public.my_workspaces() returns table (
  id uuid,
  slug text,
  name text,
  role text,
  -- Whether this is where that belongs which names only the person.
  personal boolean,
  -- Whether somebody else is a member.
  shared boolean,
  needs_second_factor boolean
)
  language plpgsql
  stable
  -- Whose personal workspace one is, nobody reads.
  security definer
  set search_path = ''
  rows 10
as $$
begin
  -- Anybody with a token may ask it past the policies.
  if not public.may_read_own() then
    return;
  end if;
  return query
    select w.id, w.slug, w.name, m.role, w.personal_of is not distinct from m.user_id,
      exists (
        select from public.members o
        where o.workspace_id = w.id and o.user_id <> m.user_id
      ),
      w.needs_second_factor
    from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.user_id = (select auth.uid())
    order by w.personal_of is distinct from m.user_id, m.joined_at, w.id;
end;
$$;
grant execute on function public.my_workspaces() to authenticated;

-- Who did what in a workspace, on what, when, from which network, with what it was before and after. A line is never
-- changed, by nobody; it goes after a year, or with its workspace.
create table public.audit_log (
  id bigint generated by default as identity primary key,
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  at timestamptz not null default now(),
  -- The account, without a reference, and its address as it was: the line outlives the account. Null for the site's
  -- own.
  actor uuid,
  actor_address text not null default '',
  action text not null check (action ~ '^[a-z]+[.][a-z-]+$' and char_length(action) <= 60),
  target text not null default '' check (char_length(target) <= 200),
  target_id uuid,
  -- Shortened to /24 or /48.
  network text not null default '' check (char_length(network) <= 43),
  before jsonb,
  after jsonb,
  check (octet_length(coalesce(before::text, '')) + octet_length(coalesce(after::text, '')) <= 4096)
);

create index audit_log_of_workspace on public.audit_log (workspace_id, id desc);
create index audit_log_by_age on public.audit_log (at);

-- A line is never changed, and goes after a year or with its workspace, also for the owner of the database.
create function public.keep_audit_log() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and (
    old.at < now() - interval '365 days'
    or not exists (select from public.workspaces w where w.id = old.workspace_id)
  ) then
    return old;
  end if;
  raise exception 'A line of the audit log stays as it is for a year.';
end;
$$;
revoke execute on function public.keep_audit_log() from service_role;

create trigger keep_audit_log before update or delete on public.audit_log
  for each row execute function public.keep_audit_log();

alter table public.audit_log enable row level security;

create policy "Owners and admins read the audit log" on public.audit_log
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('audit'))));
create policy "Only a session that is there and proved reads the audit log" on public.audit_log
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.audit_log from anon, authenticated, service_role;
grant select (
  id, workspace_id, at, actor, actor_address, action, target, target_id, network, before, after
) on public.audit_log to authenticated;
grant select on public.audit_log to service_role;

-- The network that a request comes from, by the address in a header of the Worker's calls: the whole address is kept
-- nowhere.
create function public.caller_network() returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  sent text := nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-caller-address';
begin
  if sent is null then
    return '';
  end if;
  return network(set_masklen(
    host(sent::inet)::inet, case when family(sent::inet) = 4 then 24 else 48 end
  ))::text;
exception
  when others then
    return '';
end;
$$;
revoke execute on function public.caller_network() from service_role;

-- The fields in which two values differ, as {field: value} of the one and of the other, with a path for a field inside
-- of another. Of what may be secret, and of long texts, only that it changed.
create function public.changed_fields(former jsonb, latter jsonb, out before jsonb, out after jsonb)
  language sql
  immutable
  set search_path = ''
as $$
  with recursive fields as (
    select side, e.key as path, e.value
    from (values ('former', former), ('latter', latter)) as sides (side, whole)
    cross join lateral jsonb_each(case when jsonb_typeof(whole) = 'object' then whole else '{}' end) e
    union all
    select f.side, f.path || '.' || e.key, e.value
    from fields f
    cross join lateral jsonb_each(case when jsonb_typeof(f.value) = 'object' then f.value else '{}' end) e
  ),
  leaves as (
    select side, path,
      case
        when path ~* '(secret|token|passw|credential|private|auth|signature|key)' then '"…"'::jsonb
        when char_length(value::text) > 60 then '"…"'::jsonb
        else value
      end as shown,
      value
    from fields where jsonb_typeof(value) <> 'object'
  ),
  changed as (
    select left(path, 60) as field, f.shown as former_shown, l.shown as latter_shown,
      row_number() over (order by path) as place
    from (select * from leaves where side = 'former') f
    full join (select * from leaves where side = 'latter') l using (path)
    where f.value is distinct from l.value
  )
  -- So many fit into a line. Of more it says how many: the version that was saved has them all.
  select
    coalesce(jsonb_object_agg(field, former_shown) filter (where former_shown is not null and place <= 15), '{}'),
    coalesce(jsonb_object_agg(field, latter_shown) filter (where latter_shown is not null and place <= 15), '{}')
      || case when max(place) > 15 then jsonb_build_object('…', max(place) - 15) else '{}' end
  from changed;
$$;

-- Writes a line. What is too long for one is left out of it, never the line itself.
create function public.note_audit(
  workspace uuid,
  actor uuid,
  action text,
  target text default '',
  before jsonb default null,
  after jsonb default null,
  target_id uuid default null
) returns void
  language plpgsql
  -- No role of the API writes the log.
  security definer
  set search_path = ''
as $$
declare
  fits boolean := octet_length(coalesce(before::text, '')) + octet_length(coalesce(after::text, '')) <= 4096;
begin
  insert into public.audit_log
    (workspace_id, actor, actor_address, action, target, target_id, network, before, after)
  values (
    workspace,
    actor,
    public.address_of(actor),
    action,
    left(coalesce(target, ''), 200),
    target_id,
    public.caller_network(),
    case when fits then before else '"…"' end,
    case when fits then after else '"…"' end
  );
end;
$$;

-- Notes that somebody signed in, in each workspace that they share with others. Whoever is alone has no use for it. It
-- waits for no workspace that is being deleted: that takes its log along.
create function public.note_sign_in(person uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.note_audit(s.id, person, 'session.began')
  from (
    select w.id from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.user_id = person and exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    for key share of w skip locked
  ) s;
end;
$$;

-- Removes what is older than a year. Answers how many lines; the rest of a great number at the next call.
create function public.remove_expired_audit(at_most integer) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.audit_log l where l.ctid = any (array(
    select x.ctid from public.audit_log x where x.at < now() - interval '365 days'
    limit at_most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;

-- Locks whom and what a change of members or of a workspace is about, in the one order that stands above member_may:
-- accounts, memberships, workspace. An account is locked so that its workspaces can be counted. Invitations of a
-- workspace change only under its lock. Answers why whoever
-- acts may not do it, or null: 'missing' to somebody who is no member, as for no workspace at all.
create function public.begin_change(
  actor uuid,
  workspace uuid,
  wanted text,
  others uuid[] default '{}'
) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  perform 1 from auth.users u where u.id = any (others || actor) order by u.id for no key update;
  perform 1 from public.members m
  where m.workspace_id = workspace and m.user_id = any (others || actor)
  order by m.user_id for update;
  perform 1 from public.workspaces w where w.id = workspace for no key update;
  return case
    when not exists (
      select from public.members m where m.workspace_id = workspace and m.user_id = actor
    ) then 'missing'
    when not public.may_now(actor, workspace, wanted) then 'not allowed'
  end;
end;
$$;
revoke execute on function public.begin_change(uuid, uuid, text, uuid[]) from service_role;
