-- Whom somebody removed does not come back by single sign-on alone, before they are invited again.

create table public.sso_removals (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- Of the address and no address: it stays when the account goes, since the provider would make another with it.
  address_hash bytea not null,
  user_id uuid references auth.users (id) on delete set null,
  removed_at timestamptz not null default now(),
  primary key (workspace_id, address_hash)
);
create index sso_removals_user on public.sso_removals (user_id);

alter table public.sso_removals enable row level security;
-- Only the functions below write and read here.
revoke all on public.sso_removals from anon, authenticated, service_role;

create function public.sso_address_hash(address text) returns bytea
  language sql
  immutable
  set search_path = ''
as $$
  select sha256(convert_to(lower(sso_address_hash.address), 'UTF8'));
$$;
revoke execute on function public.sso_address_hash(text) from service_role;

-- Notes that somebody was removed, where the workspace has single sign-on and nobody else in it has their address.
create function public.note_sso_removal(workspace uuid, person uuid) returns void
  language sql
  set search_path = ''
as $$
  insert into public.sso_removals (workspace_id, address_hash, user_id)
  select workspace, public.sso_address_hash(u.email), u.id
  from auth.users u
  where u.id = person and u.email <> ''
    and exists (select from public.sso_connections c where c.workspace_id = workspace)
    and not exists (
      select from public.members m join auth.users o on o.id = m.user_id
      where m.workspace_id = workspace and lower(o.email) = lower(u.email)
    )
  on conflict (workspace_id, address_hash)
  do update set user_id = excluded.user_id, removed_at = excluded.removed_at;
$$;
revoke execute on function public.note_sso_removal(uuid, uuid) from service_role;

-- Who is a member again was taken back.
create function public.forget_sso_removal() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from public.sso_removals r using auth.users u
  where u.id = new.user_id and r.workspace_id = new.workspace_id
    and (r.user_id = u.id or r.address_hash = public.sso_address_hash(u.email));
  return new;
end;
$$;
-- allowed: it refuses nothing, and the running version has written no row of the table
create trigger forget_sso_removal after insert on public.members
  for each row execute function public.forget_sso_removal();

-- As before, and notes whom it removes.
create or replace function public.remove_member(actor uuid, workspace uuid, person uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'members', array[person]);
  former text;
begin
  if refusal is not null then
    return refusal;
  end if;
  select m.role into former from public.members m
  where m.workspace_id = workspace and m.user_id = person;
  if not found then
    return 'not a member';
  end if;
  if former = 'owner' then
    if not public.may_now(actor, workspace, 'own') then
      return 'not allowed';
    end if;
    if not public.has_other_owner(workspace, person) then
      return 'last owner';
    end if;
  end if;
  delete from public.members m where m.workspace_id = workspace and m.user_id = person;
  perform public.note_sso_removal(workspace, person);
  perform public.note_audit(
    workspace, actor, 'member.removed', public.address_of(person),
    jsonb_build_object('role', former), null, person
  );
  return 'removed';
end;
$$;

-- As before, and 'removed' to whom somebody has removed and nobody has invited since.
create or replace function public.join_by_sso(person uuid, allowed integer) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  came record;
  joins uuid;
  invited public.invitations;
  given text;
begin
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
  -- Whom to lock before it, as where an invitation is accepted by hand.
  select * into invited from public.invitations i
  where i.workspace_id = joins and i.address = lower(came.email);
  perform public.begin_change(
    person, joins, 'see',
    case when invited.id is null then '{}'::uuid[] else array[invited.invited_by] end
  );
  -- The domain may have been taken away meanwhile.
  if public.sso_workspace(came.provider, came.email) is distinct from joins then
    return 'foreign';
  end if;
  if exists (
    select from public.members m where m.workspace_id = joins and m.user_id = person
  ) then
    return 'member';
  end if;
  if (select count(*) from public.members m where m.workspace_id = joins) >= allowed then
    return 'full';
  end if;
  select * into invited from public.invitations i
  where i.id = invited.id and i.invited_by = invited.invited_by
    and i.accepted_by is null and i.expires_at > now()
    and public.may_now(i.invited_by, joins, 'members');
  if invited.id is null and exists (
    select from public.sso_removals r
    where r.workspace_id = joins
      and (r.user_id = person or r.address_hash = public.sso_address_hash(came.email))
  ) then
    return 'removed';
  end if;
  given := coalesce(invited.role, 'viewer');
  insert into public.members (workspace_id, user_id, role) values (joins, person, given);
  update public.invitations i set accepted_by = person where i.id = invited.id;
  perform public.note_audit(
    joins, person, 'member.joined-by-sso', came.email, null, jsonb_build_object('role', given), person
  );
  return case given when 'admin' then 'joined as admin' else 'joined' end;
end;
$$;
