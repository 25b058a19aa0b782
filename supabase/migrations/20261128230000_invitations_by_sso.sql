-- Invitations where single sign-on is asked of everybody: they say so, and count for whoever comes by it.

-- The provider by which alone somebody with this address joins a workspace; null where they may come another way.
create function public.sso_required(workspace uuid, address text) returns text
  language sql
  stable
  set search_path = ''
as $$
  select c.provider from public.sso_connections c
  where c.workspace_id = sso_required.workspace and c.is_required
    and public.sso_workspace(c.provider, sso_required.address) = c.workspace_id;
$$;
revoke execute on function public.sso_required(uuid, text) from service_role;

-- As before, and `state` is 'single sign-on' where the invited address joins by the workspace's provider alone, and
-- nobody has come by it yet. No workspace asked for that while the version before served.
create or replace function public.invitation_of(
  invitation uuid,
  of_send integer,
  person uuid default null
) returns table (
  state text,
  slug text,
  workspace_name text,
  role text,
  address text,
  inviter text
)
  language plpgsql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
begin
  return query
    select s.state, w.slug, w.name, i.role,
      case
        when person is not null and s.state in ('open', 'accepted', 'single sign-on') then i.address
        else left(i.address, 1) || '…@' || split_part(i.address, '@', 2)
      end,
      coalesce(nullif(a.email, ''), a.phone, '')::text
    from public.invitations i
    join public.workspaces w on w.id = i.workspace_id
    join auth.users a on a.id = i.invited_by
    left join auth.users u on u.id = person
    left join public.members m on m.user_id = i.accepted_by and m.workspace_id = i.workspace_id
    cross join lateral (select public.sso_required(i.workspace_id, i.address) as provider) sole
    cross join lateral (
      select case
        when i.accepted_by is not null then 'accepted'
        when person is not null and lower(u.email) is distinct from i.address then 'other address'
        when person is not null and u.email_confirmed_at is null then 'unconfirmed'
        when sole.provider is null then 'open'
        when person is not null and (
          public.came_by_sso(person, sole.provider)
          or exists (
            select from public.members j
            where j.workspace_id = i.workspace_id and j.user_id = person
          )
        ) then 'open'
        else 'single sign-on'
      end as state
    ) s
    where i.id = invitation and i.sends = of_send and i.expires_at > now()
      and (i.accepted_by is null or m.user_id = person)
      and public.may_now(i.invited_by, i.workspace_id, 'members');
end;
$$;

-- As before, and 'single sign-on' to whoever may join by the workspace's provider alone, and came another way.
create or replace function public.accept_invitation(
  actor uuid,
  invitation uuid,
  of_send integer,
  allowed integer
) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  named public.invitations;
  guest record;
  sole_provider text;
begin
  -- Whom to lock before it. If that changes meanwhile, so does the number of sends.
  select * into named from public.invitations i where i.id = invitation;
  perform public.begin_change(actor, named.workspace_id, 'see', array[named.invited_by]);
  select * into named from public.invitations i
  where i.id = invitation and i.sends = of_send and i.expires_at > now();
  if not found or not public.may_now(named.invited_by, named.workspace_id, 'members') then
    return 'gone';
  end if;
  select lower(u.email) as address, u.email_confirmed_at is not null as confirmed,
    exists (
      select from public.members m where m.workspace_id = named.workspace_id and m.user_id = actor
    ) as joined
  into guest from auth.users u where u.id = actor;
  if named.accepted_by is not null then
    return case when named.accepted_by = actor and guest.joined then 'accepted' else 'gone' end;
  end if;
  if guest.address is distinct from named.address then
    return 'other address';
  end if;
  if not guest.confirmed then
    return 'unconfirmed';
  end if;
  if not guest.joined then
    sole_provider := public.sso_required(named.workspace_id, guest.address);
    if sole_provider is not null and not public.came_by_sso(actor, sole_provider) then
      return 'single sign-on';
    end if;
    if allowed <= (
      select count(*) from (
        select 1 from public.members m where m.workspace_id = named.workspace_id limit allowed
      ) taken
    ) then
      return 'full';
    end if;
    if (select count(*) from public.members m where m.user_id = actor) >= 100 then
      return 'too many workspaces';
    end if;
    insert into public.members (workspace_id, user_id, role)
    values (named.workspace_id, actor, named.role);
    perform public.note_audit(
      named.workspace_id, actor, 'member.joined', named.address, null,
      jsonb_build_object('role', named.role), actor
    );
  end if;
  update public.invitations i set accepted_by = actor where i.id = invitation;
  return 'accepted';
end;
$$;

-- As before, and an invitation of the address counts: its role is given, and it is accepted by that. Answers
-- 'joined as admin' where that is the role, of which owners are told.
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
  given := coalesce(invited.role, 'viewer');
  insert into public.members (workspace_id, user_id, role) values (joins, person, given);
  update public.invitations i set accepted_by = person where i.id = invited.id;
  perform public.note_audit(
    joins, person, 'member.joined-by-sso', came.email, null, jsonb_build_object('role', given), person
  );
  return case given when 'admin' then 'joined as admin' else 'joined' end;
end;
$$;

-- As before: a rule that nothing gets past, whoever adds a member.
create or replace function public.refuse_member_beside_sso() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  sole_provider text;
begin
  if new.role <> 'owner' then
    select public.sso_required(new.workspace_id, u.email) into sole_provider
    from auth.users u where u.id = new.user_id;
    if sole_provider is not null and not public.came_by_sso(new.user_id, sole_provider) then
      raise exception 'This workspace is joined by single sign-on' using errcode = '23514';
    end if;
  end if;
  return new;
end;
$$;
