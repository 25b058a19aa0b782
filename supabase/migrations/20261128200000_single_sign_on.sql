-- Single sign-on: a workspace's own identity provider signs its members in. docs/decisions/0073 says who may do what.

-- A row is there where single sign-on is part of what the workspace has agreed on: an operator makes it.
create table public.sso_connections (
  workspace_id uuid primary key references public.workspaces (id) on delete cascade,
  -- As the auth server's identities name the provider. Null until an operator has registered it there.
  provider text unique check (provider ~ '^sso:[0-9a-f-]{36}$'),
  -- Where the provider publishes its SAML metadata. The auth server reads it, we never do.
  metadata_url text check (metadata_url ~ '^https://[^[:space:]]+$' and char_length(metadata_url) <= 500),
  -- Whether members with an address of its domains come in by it alone. Owners are free.
  is_required boolean not null default false,
  created_at timestamptz not null default now()
);

create table public.sso_domains (
  workspace_id uuid not null references public.sso_connections (workspace_id) on delete cascade,
  domain text not null check (
    domain ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$'
    and char_length(domain) <= 253
  ),
  -- What the domain's TXT record says.
  token text not null default replace(gen_random_uuid()::text, '-', ''),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, domain)
);

-- A domain that is proved is one workspace's. Anybody may ask for it before.
create unique index sso_domains_verified on public.sso_domains (domain) where verified_at is not null;

alter table public.sso_connections enable row level security;
alter table public.sso_domains enable row level security;
revoke all on public.sso_connections, public.sso_domains from anon, authenticated;
grant all on public.sso_connections, public.sso_domains to service_role;

-- The workspace whose provider may speak for an address: the domain is proved, and the provider is its own. Null where
-- there is none.
create function public.sso_workspace(provider text, address text) returns uuid
  language sql
  stable
  set search_path = ''
as $$
  select c.workspace_id from public.sso_connections c
  join public.sso_domains d on d.workspace_id = c.workspace_id
  where c.provider = sso_workspace.provider and d.verified_at is not null
    and d.domain = lower(split_part(sso_workspace.address, '@', 2));
$$;

-- A provider counts only for addresses of its own proved domains. The auth server takes whatever address a provider
-- asserts for a confirmed one; so an identity of any other address is never written, nor kept when it comes again.
create function public.refuse_foreign_identity() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.provider ~ '^(sso|custom):'
    and public.sso_workspace(new.provider, new.identity_data ->> 'email') is null then
    raise exception 'The provider may not speak for this address' using errcode = '42501';
  end if;
  return new;
end;
$$;
-- allowed: the running version writes no identities of such providers, and has connected none
create trigger refuse_foreign_identity before insert or update of identity_data on auth.identities
  for each row execute function public.refuse_foreign_identity();

-- The provider by which somebody with this address signs in; null where there is none.
create function public.sso_of_address(address text) returns text
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select c.provider from public.sso_connections c
  join public.sso_domains d on d.workspace_id = c.workspace_id
  where d.verified_at is not null and d.domain = lower(split_part(sso_of_address.address, '@', 2));
$$;

-- Whether a person came by this provider.
create function public.came_by_sso(person uuid, provider text) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from auth.identities i
    where i.user_id = came_by_sso.person and i.provider = came_by_sso.provider
  );
$$;
revoke execute on function public.came_by_sso(uuid, text) from service_role;

-- Makes somebody who came by a provider a member of its workspace, who may look. Answers 'joined', 'member' to one who
-- is one already, 'full', and 'foreign' to a person whose address is of no proved domain of it: they may not stay signed
-- in. Null for everybody who came by no provider.
create function public.join_by_sso(person uuid, allowed integer) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  came record;
  joins uuid;
begin
  perform 1 from auth.users u where u.id = person for no key update;
  select i.provider, u.email into came from auth.identities i
  join auth.users u on u.id = i.user_id
  where i.user_id = person and i.provider like 'sso:%' limit 1;
  if not found then
    return null;
  end if;
  joins := public.sso_workspace(came.provider, came.email);
  if joins is null then
    return 'foreign';
  end if;
  perform 1 from public.workspaces w where w.id = joins for no key update;
  if exists (
    select from public.members m where m.workspace_id = joins and m.user_id = person
  ) then
    return 'member';
  end if;
  if (select count(*) from public.members m where m.workspace_id = joins) >= allowed then
    return 'full';
  end if;
  insert into public.members (workspace_id, user_id, role) values (joins, person, 'viewer');
  perform public.note_audit(
    joins, person, 'member.joined-by-sso', came.email, null, '{"role": "viewer"}', person
  );
  return 'joined';
end;
$$;

-- What an owner changes about single sign-on: 'add', 'verify' and 'remove' a domain (the Worker has looked at its record
-- before 'verify'), 'metadata' for the address of the provider's, 'require' and 'free', and 'end'. Answers 'changed', or
-- 'missing', 'not allowed', 'no sso', 'sso domain', 'sso taken', 'sso many', 'sso metadata', 'sso later'.
create function public.change_sso(actor uuid, workspace uuid, act text, value text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'own');
  connection public.sso_connections;
  wanted text := lower(btrim(value));
  gone record;
begin
  if refusal is not null then
    return refusal;
  end if;
  select * into connection from public.sso_connections c where c.workspace_id = workspace;
  if not found then
    return 'no sso';
  end if;
  case act
    when 'add' then
      if (select count(*) from public.sso_domains d where d.workspace_id = workspace) >= 10 then
        return 'sso many';
      end if;
      insert into public.sso_domains (workspace_id, domain) values (workspace, wanted)
      on conflict do nothing;
    when 'verify' then
      update public.sso_domains d set verified_at = now()
      where d.workspace_id = workspace and d.domain = wanted;
    when 'remove' then
      delete from public.sso_domains d where d.workspace_id = workspace and d.domain = wanted;
    when 'metadata' then
      -- What is registered at the auth server is changed there.
      if connection.provider is not null then
        return 'sso later';
      end if;
      update public.sso_connections c set metadata_url = btrim(value) where c.workspace_id = workspace;
    when 'require' then
      if connection.provider is null then
        return 'sso later';
      end if;
      update public.sso_connections c set is_required = true where c.workspace_id = workspace;
      for gone in
        delete from public.members m using auth.users u
        where m.workspace_id = workspace and u.id = m.user_id and m.role <> 'owner'
          and public.sso_workspace(connection.provider, u.email) = workspace
          and not public.came_by_sso(m.user_id, connection.provider)
        returning m.user_id, m.role
      loop
        perform public.note_audit(
          workspace, actor, 'member.removed', public.address_of(gone.user_id),
          jsonb_build_object('role', gone.role), null, gone.user_id
        );
      end loop;
    when 'free' then
      update public.sso_connections c set is_required = false where c.workspace_id = workspace;
    when 'end' then
      for gone in
        delete from public.members m
        where m.workspace_id = workspace and m.role <> 'owner'
          and public.came_by_sso(m.user_id, connection.provider)
        returning m.user_id, m.role
      loop
        perform public.note_audit(
          workspace, actor, 'member.removed', public.address_of(gone.user_id),
          jsonb_build_object('role', gone.role), null, gone.user_id
        );
      end loop;
      update public.sso_connections c set provider = null, is_required = false
      where c.workspace_id = workspace;
  end case;
  perform public.note_audit(
    workspace, actor, 'workspace.sso', wanted, null, jsonb_build_object('act', act), workspace
  );
  return 'changed';
exception
  when check_violation then
    return case act when 'metadata' then 'sso metadata' else 'sso domain' end;
  when unique_violation then
    return 'sso taken';
end;
$$;

-- Where single sign-on is required, nobody with an address of its domains joins by another way. An owner who hands the
-- workspace over stays.
create function public.refuse_member_beside_sso() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.role <> 'owner' and exists (
    select from public.sso_connections c
    join auth.users u on u.id = new.user_id
    where c.workspace_id = new.workspace_id and c.is_required
      and public.sso_workspace(c.provider, u.email) = c.workspace_id
      and not public.came_by_sso(new.user_id, c.provider)
  ) then
    raise exception 'This workspace is joined by single sign-on' using errcode = '23514';
  end if;
  return new;
end;
$$;
-- allowed: no workspace has single sign-on while the running version serves
create trigger refuse_member_beside_sso before insert on public.members
  for each row execute function public.refuse_member_beside_sso();
