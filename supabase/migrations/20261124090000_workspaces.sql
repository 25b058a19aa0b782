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

-- Keeps two rules when a member goes or stops being an owner, whoever does it: a personal workspace belongs to an owner
-- of it, and no workspace is without one. Where the account of the last owner was deleted, the longest-standing admin,
-- or else member, becomes owner; without members the workspace goes.
create function public.ensure_owner() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
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
    return null;
  end if;
  if exists (select from auth.users u where u.id = old.user_id) then
    raise exception 'A workspace keeps at least one owner.';
  end if;
  update public.members m set role = 'owner'
  where m.workspace_id = old.workspace_id and m.user_id = (
    select n.user_id from public.members n where n.workspace_id = old.workspace_id
    order by n.role <> 'admin', n.joined_at, n.user_id limit 1
  );
  if not found then
    delete from public.workspaces w where w.id = old.workspace_id;
  end if;
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

-- No role of the API writes here, the Worker's key neither: who is a member changes only by functions. A column that is
-- added later is read by nobody until it is granted.
revoke all on public.workspaces, public.members from anon, authenticated, service_role;
grant select (id, slug, name, needs_second_factor, created_at) on public.workspaces to authenticated;
grant select (workspace_id, user_id, role, joined_at) on public.members to authenticated;
grant select on public.workspaces, public.members to service_role;

revoke execute on function
  public.role_rights(),
  public.role_may(text, text),
  public.workspaces_where(text),
  public.personal_workspace(uuid),
  public.ensure_owner(),
  public.fill_workspace()
  from public, anon, authenticated;
grant execute on function public.workspaces_where(text) to authenticated;
grant execute on function
  public.role_rights(),
  public.role_may(text, text),
  public.personal_workspace(uuid)
  to service_role;

-- As before. A personal workspace that nothing belongs to is no more than the account itself: the account still has
-- nothing.
create or replace function public.adopt_identity(
  person uuid,
  newcomer uuid,
  flow_session uuid,
  wanted_provider text,
  begun timestamptz
) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owned record;
  owns boolean;
  personal uuid;
  -- The clocks of two machines differ by a little.
  earliest timestamptz := begun - interval '1 minute';
begin
  -- In one order, so that two of them cannot wait for each other.
  perform 1 from auth.users u where u.id in (person, newcomer) order by u.id for update;
  if person = newcomer
    or begun < now() - interval '20 minutes'
    or not exists (
      select from auth.users u
      where u.id = person and u.deleted_at is null
        and (u.banned_until is null or u.banned_until < now())
    )
    or not exists (
      select from auth.users u
      where u.id = newcomer and u.created_at >= earliest - interval '1 day'
        and coalesce(u.encrypted_password, '') = ''
        and u.deleted_at is null and u.banned_until is null
        and coalesce(u.raw_app_meta_data, '{}') - 'provider' - 'providers' = '{}'
    )
    or not exists (
      select from auth.sessions s
      where s.id = flow_session and s.user_id = newcomer and s.created_at >= earliest
    )
    or exists (select from auth.sessions s where s.user_id = newcomer and s.id <> flow_session)
    or (select count(*) from auth.identities i where i.user_id = newcomer) <> 1
    or not exists (
      select from auth.identities i
      where i.user_id = newcomer and i.provider = wanted_provider and i.provider <> 'email'
    )
    or exists (select from auth.mfa_factors f where f.user_id = newcomer)
  then
    return 'taken';
  end if;
  select w.id into personal from public.workspaces w where w.personal_of = newcomer for update;
  if exists (
    select from public.members m
    where (m.user_id = newcomer and m.workspace_id is distinct from personal)
      or (m.workspace_id = personal and m.user_id <> newcomer)
  ) then
    return 'taken';
  end if;
  -- Every column that refers to an account, to a workspace, or to the account in a membership.
  for owned in
    select c.conrelid::regclass as relation, a.attname as name,
      c.confrelid = 'public.workspaces'::regclass as by_workspace
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_class r on r.oid = c.conrelid
    cross join unnest(c.conkey, c.confkey) as k (own, other)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_catalog.pg_attribute o on o.attrelid = c.confrelid and o.attnum = k.other
    where c.contype = 'f' and r.relnamespace = 'public'::regnamespace
      and c.confrelid in (
        'auth.users'::regclass, 'public.workspaces'::regclass, 'public.members'::regclass
      )
      and (c.confrelid <> 'public.members'::regclass or o.attname = 'user_id')
      and c.conrelid not in ('public.workspaces'::regclass, 'public.members'::regclass)
  loop
    execute format('select exists (select from %s where %I = $1)', owned.relation, owned.name)
      into owns using case when owned.by_workspace then personal else newcomer end;
    if owns then
      return 'taken';
    end if;
  end loop;
  update auth.identities set user_id = person, updated_at = now() where user_id = newcomer;
  -- Its personal workspace goes with it.
  delete from auth.users where id = newcomer;
  perform public.note_providers(person);
  return 'connected';
end;
$$;
