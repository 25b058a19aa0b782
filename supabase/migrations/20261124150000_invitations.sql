-- Who is asked to become a member, by an address. No secret of the mailed link is kept: the Worker makes it of the id
-- and the number of sends, so that a new link ends the older ones.
create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  address text not null check (address = lower(address) and char_length(address) between 3 and 254),
  -- Owners are made of members, never invited.
  role text not null check (role in ('admin', 'operator', 'viewer', 'billing')),
  -- Whose right to invite it rests on: without it nobody can accept.
  invited_by uuid references auth.users (id) on delete set null,
  sends integer not null default 1 check (sends between 1 and 5),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  -- Set when it is used: the same person's second press is told the same, everybody else that it is gone.
  accepted_by uuid references auth.users (id) on delete cascade
);

create unique index invitations_one_each on public.invitations (workspace_id, address);
create index invitations_by_end on public.invitations (expires_at);
create index invitations_by_inviter on public.invitations (invited_by);
create index invitations_by_guest on public.invitations (accepted_by) where accepted_by is not null;

-- How many invitations were mailed today, for the site, a workspace, whoever invites and an address. Withdrawing one
-- takes none of them back.
create table public.invitation_counts (
  day date not null,
  -- A hash: a row tells nobody who it is about.
  subject_hash text not null,
  sent integer not null,
  primary key (day, subject_hash)
);

alter table public.invitations enable row level security;
alter table public.invitation_counts enable row level security;

create policy "Whoever may invite reads who is invited" on public.invitations
  for select to authenticated
  using (
    workspace_id = any (array(select public.workspaces_where('members'))) and accepted_by is null
  );
create policy "Only a session that is there and proved reads invitations" on public.invitations
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.invitations, public.invitation_counts from anon, authenticated, service_role;
grant select (
  id, workspace_id, address, role, invited_by, sends, created_at, expires_at
) on public.invitations to authenticated;
grant select on public.invitations, public.invitation_counts to service_role;

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

-- Counts a mail with an invitation, before it is sent. Answers false, and counts nothing, where today's are used up:
-- 100 of all workspaces, 20 of one, 20 of one person, 5 to one address.
create function public.count_invitation(actor uuid, workspace uuid, invited_address text)
  returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
begin
  -- One after the other: there are few.
  perform pg_advisory_xact_lock(hashtextextended('invitations', 0));
  delete from public.invitation_counts c where c.day < today;
  with subjects as (
    select encode(sha256(convert_to(s.subject, 'UTF8')), 'hex') as subject_hash, s.most
    from (values
      ('all', 100),
      ('workspace ' || workspace, 20),
      ('person ' || actor, 20),
      ('address ' || invited_address, 5)
    ) as s (subject, most)
  )
  insert into public.invitation_counts as c (day, subject_hash, sent)
  select today, s.subject_hash, 1 from subjects s
  where not exists (
    select from subjects t
    join public.invitation_counts n on n.day = today and n.subject_hash = t.subject_hash
    where n.sent >= t.most
  )
  on conflict (day, subject_hash) do update set sent = c.sent + 1;
  return found;
end;
$$;

-- Invites an address. `allowed` is how many members the workspace may have, those who are invited among them. Answers
-- 'invited', or why not: 'missing', 'not allowed', 'unknown role', 'member', 'invited before', 'full', 'too many today'.
-- Whether somebody has an account is told to nobody, but whether a member has this address: members see each other.
create function public.invite(
  actor uuid,
  workspace uuid,
  new_id uuid,
  new_address text,
  new_role text,
  allowed integer
) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'members');
begin
  if refusal is not null then
    return refusal;
  end if;
  if coalesce(new_role, '') not in ('admin', 'operator', 'viewer', 'billing') then
    return 'unknown role';
  end if;
  if exists (
    select from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and lower(u.email) = new_address
  ) then
    return 'member';
  end if;
  delete from public.invitations i
  where i.workspace_id = workspace and i.address = new_address
    and (i.accepted_by is not null or i.expires_at <= now());
  if exists (
    select from public.invitations i where i.workspace_id = workspace and i.address = new_address
  ) then
    return 'invited before';
  end if;
  if allowed <= (
    select count(*) from (
      (select 1 from public.members m where m.workspace_id = workspace limit allowed)
      union all
      (
        select 1 from public.invitations i
        where i.workspace_id = workspace and i.accepted_by is null and i.expires_at > now()
        limit allowed
      )
    ) taken
  ) then
    return 'full';
  end if;
  if not public.count_invitation(actor, workspace, new_address) then
    return 'too many today';
  end if;
  insert into public.invitations (id, workspace_id, address, role, invited_by)
  values (new_id, workspace, new_address, new_role, actor);
  perform public.note_audit(
    workspace, actor, 'member.invited', new_address, null, jsonb_build_object('role', new_role), new_id
  );
  return 'invited';
end;
$$;

-- Mails it once more, for seven days from now, in the name of whoever does so; the links before end. Answers 'sent', or
-- 'missing', 'not allowed', 'gone', 'taken' (its guest has joined), 'too many sends', 'too many today'.
create function public.resend_invitation(actor uuid, workspace uuid, invitation uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'members');
  found_one public.invitations;
begin
  if refusal is not null then
    return refusal;
  end if;
  select * into found_one from public.invitations i
  where i.id = invitation and i.workspace_id = workspace;
  if not found then
    return 'gone';
  end if;
  if found_one.accepted_by is not null then
    return 'taken';
  end if;
  if found_one.sends >= 5 then
    return 'too many sends';
  end if;
  if not public.count_invitation(actor, workspace, found_one.address) then
    return 'too many today';
  end if;
  update public.invitations i
  set sends = i.sends + 1, invited_by = actor, expires_at = now() + interval '7 days'
  where i.id = invitation;
  perform public.note_audit(
    workspace, actor, 'invitation.resent', found_one.address, target_id => invitation
  );
  return 'sent';
end;
$$;

-- Answers 'withdrawn', or 'missing', 'not allowed', 'gone', 'taken' (its guest has joined).
create function public.withdraw_invitation(actor uuid, workspace uuid, invitation uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'members');
  withdrawn text;
begin
  if refusal is not null then
    return refusal;
  end if;
  delete from public.invitations i
  where i.id = invitation and i.workspace_id = workspace and i.accepted_by is null
  returning i.address into withdrawn;
  if found then
    perform public.note_audit(
      workspace, actor, 'invitation.withdrawn', withdrawn, target_id => invitation
    );
    return 'withdrawn';
  end if;
  return case
    when exists (
      select from public.invitations i where i.id = invitation and i.workspace_id = workspace
    ) then 'taken'
    else 'gone'
  end;
end;
$$;

-- What the page of a mailed link shows, once the Worker has found its signature right; no row for one that is unknown,
-- withdrawn, expired, taken by somebody else, or older than the newest mail, or whose inviter may no longer invite.
-- `state` is 'open', 'accepted' (by this person), 'other address' or 'unconfirmed'. Whoever has not proved that the
-- address is theirs reads only how it begins and ends.
create function public.invitation_of(invitation uuid, of_send integer, person uuid default null)
  returns table (
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
        when person is not null and s.state in ('open', 'accepted') then i.address
        else left(i.address, 1) || '…@' || split_part(i.address, '@', 2)
      end,
      a.email::text
    from public.invitations i
    join public.workspaces w on w.id = i.workspace_id
    join auth.users a on a.id = i.invited_by
    left join auth.users u on u.id = person
    left join public.members m on m.user_id = i.accepted_by and m.workspace_id = i.workspace_id
    cross join lateral (
      select case
        when i.accepted_by is not null then 'accepted'
        when person is null then 'open'
        when lower(u.email) is distinct from i.address then 'other address'
        when u.email_confirmed_at is null then 'unconfirmed'
        else 'open'
      end as state
    ) s
    where i.id = invitation and i.sends = of_send and i.expires_at > now()
      and (i.accepted_by is null or m.user_id = person)
      and public.may_now(i.invited_by, i.workspace_id, 'members');
end;
$$;

-- Makes the person a member. `allowed` is how many the workspace may have. Answers 'accepted', also to somebody who is
-- a member already, whose role stays; 'gone' wherever invitation_of has no row; 'other address', 'unconfirmed'; 'full';
-- or 'too many workspaces'.
create function public.accept_invitation(
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

-- Removes invitations that ended thirty days ago; until then they can be sent again. Answers how many.
create function public.remove_expired_invitations(at_most integer) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.invitations i where i.ctid = any (array(
    select x.ctid from public.invitations x where x.expires_at < now() - interval '30 days'
    limit at_most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;

revoke execute on function
  public.begin_change(uuid, uuid, text, uuid[]),
  public.count_invitation(uuid, uuid, text),
  public.invite(uuid, uuid, uuid, text, text, integer),
  public.resend_invitation(uuid, uuid, uuid),
  public.withdraw_invitation(uuid, uuid, uuid),
  public.invitation_of(uuid, integer, uuid),
  public.accept_invitation(uuid, uuid, integer, integer),
  public.remove_expired_invitations(integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.invite(uuid, uuid, uuid, text, text, integer),
  public.resend_invitation(uuid, uuid, uuid),
  public.withdraw_invitation(uuid, uuid, uuid),
  public.invitation_of(uuid, integer, uuid),
  public.accept_invitation(uuid, uuid, integer, integer),
  public.remove_expired_invitations(integer)
  to service_role;
