-- Who comes to a workspace and who leaves it: invitations, roles, and the making and end of workspaces and accounts.

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

-- Only functions write here.
revoke all on public.invitations, public.invitation_counts from anon, authenticated, service_role;
grant select (
  id, workspace_id, address, role, invited_by, sends, created_at, expires_at
) on public.invitations to authenticated;
grant select on public.invitations, public.invitation_counts to service_role;

-- Counts a mail with an invitation, before it is sent. Answers false, and counts nothing, where today's are used up:
-- 100 of all workspaces, 50 of those without a plan, which is half of what the site mails in a day; 20 of one
-- workspace, 20 of one person, 5 to one address.
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
      (case when public.workspace_plan(workspace, '{}') = 'none' then 'without a plan' end, 50),
      ('workspace ' || workspace, 20),
      ('person ' || actor, 20),
      ('address ' || invited_address, 5)
    ) as s (subject, most)
    where s.subject is not null
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
revoke execute on function public.count_invitation(uuid, uuid, text) from service_role;

-- One line of 1 to 80 characters, without control characters and changes of direction, and with something to see.
-- Invitations have it in their subject.
create function public.is_workspace_name(name text) returns boolean
  language sql
  immutable
  set search_path = ''
as $$
  select coalesce(
    char_length(btrim(name)) between 1 and 80
    and name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'
    and name ~ '[^[:space:]\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]',
    false
  );
$$;
revoke execute on function public.is_workspace_name(text) from service_role;

-- Invites an address. `allowed` is how many members the workspace may have, those who are invited among them.
-- `new_name` names the workspace with its first invitation, in the same transaction: where the invitation is refused
-- the name stays. Answers 'invited', or why not: 'missing', 'not allowed', 'unknown role', 'member', 'invited before',
-- 'full', 'too many today', 'name', or 'no address' to whoever has no confirmed address. Whether somebody has an
-- account is told to nobody, but whether a member has this address: members see each other.
create function public.invite(
  actor uuid,
  workspace uuid,
  new_id uuid,
  new_address text,
  new_role text,
  allowed integer,
  new_name text default null
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
  if not public.has_confirmed_address(actor) then
    return 'no address';
  end if;
  if new_name is not null and not public.is_workspace_name(new_name) then
    return 'name';
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
  if new_name is not null and public.rename_workspace(actor, workspace, new_name) <> 'renamed' then
    raise exception 'Whoever may invite may name the workspace.';
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
-- 'missing', 'not allowed', 'gone', 'taken' (its guest has joined), 'too many sends', 'too many today', or 'no address'
-- to whoever has no confirmed address.
create function public.resend_invitation(actor uuid, workspace uuid, invitation uuid)
  returns text
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
  if not public.has_confirmed_address(actor) then
    return 'no address';
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
-- address is theirs reads only how it begins and ends; the same for that of whoever invites.
create function public.invitation_of(
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
        when person is not null and s.state in ('open', 'accepted') then i.address
        else left(i.address, 1) || '…@' || split_part(i.address, '@', 2)
      end,
      coalesce(nullif(a.email, ''), a.phone, '')::text
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

-- Roles are changed and memberships end by these functions alone. Admins change roles up to admin and remove members;
-- what is about owners only owners do. Each answers 'missing' to somebody who is no member, and 'not allowed' to a
-- member whose role, or whose missing second factor, forbids it.

-- Whether somebody else owns the workspace, too.
create function public.has_other_owner(workspace uuid, person uuid) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from public.members m
    where m.workspace_id = workspace and m.role = 'owner' and m.user_id <> person
  );
$$;
revoke execute on function public.has_other_owner(uuid, uuid) from service_role;

-- How many workspaces a person owns is limited, so that nobody makes any number of them.
create function public.owns_too_many(person uuid) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select count(*) >= 10 from public.members m where m.user_id = person and m.role = 'owner';
$$;
revoke execute on function public.owns_too_many(uuid) from service_role;

-- Answers 'changed', or 'unknown role', 'not a member', 'last owner', 'too many owned'.
create function public.change_role(actor uuid, workspace uuid, person uuid, new_role text)
  returns text
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
  if not exists (select from public.role_rights() r where r.role = new_role) then
    return 'unknown role';
  end if;
  select m.role into former from public.members m
  where m.workspace_id = workspace and m.user_id = person;
  if not found then
    return 'not a member';
  end if;
  if 'owner' in (former, new_role) and not public.may_now(actor, workspace, 'own') then
    return 'not allowed';
  end if;
  if former = new_role then
    return 'changed';
  end if;
  if former = 'owner' and not public.has_other_owner(workspace, person) then
    return 'last owner';
  end if;
  if new_role = 'owner' and public.owns_too_many(person) then
    return 'too many owned';
  end if;
  update public.members m set role = new_role
  where m.workspace_id = workspace and m.user_id = person;
  perform public.note_audit(
    workspace, actor, 'member.role-changed', public.address_of(person),
    jsonb_build_object('role', former), jsonb_build_object('role', new_role), person
  );
  return 'changed';
end;
$$;

-- With the membership the person's tokens and unsaved changes of this workspace go. Answers 'removed', or
-- 'not a member', 'last owner'.
create function public.remove_member(actor uuid, workspace uuid, person uuid) returns text
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
  perform public.note_audit(
    workspace, actor, 'member.removed', public.address_of(person),
    jsonb_build_object('role', former), null, person
  );
  return 'removed';
end;
$$;

-- Everybody may leave, also without the second factor that the workspace asks for. Answers 'left', or 'missing',
-- 'last owner'.
create function public.leave_workspace(actor uuid, workspace uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  former text;
begin
  if public.begin_change(actor, workspace, 'see') = 'missing' then
    return 'missing';
  end if;
  select m.role into former from public.members m
  where m.workspace_id = workspace and m.user_id = actor;
  if former = 'owner' and not public.has_other_owner(workspace, actor) then
    return 'last owner';
  end if;
  delete from public.members m where m.workspace_id = workspace and m.user_id = actor;
  perform public.note_audit(
    workspace, actor, 'member.left', public.address_of(actor),
    jsonb_build_object('role', former), null, actor
  );
  return 'left';
end;
$$;

-- Makes a member an owner, and whoever owned it an admin. Answers 'handed over', or 'not a member', 'too many owned'.
create function public.hand_over(actor uuid, workspace uuid, person uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'own', array[person]);
  former text;
begin
  if refusal is not null then
    return refusal;
  end if;
  select m.role into former from public.members m
  where m.workspace_id = workspace and m.user_id = person and person <> actor;
  if not found then
    return 'not a member';
  end if;
  if former <> 'owner' and public.owns_too_many(person) then
    return 'too many owned';
  end if;
  update public.members m set role = 'owner'
  where m.workspace_id = workspace and m.user_id = person;
  update public.members m set role = 'admin'
  where m.workspace_id = workspace and m.user_id = actor;
  perform public.note_audit(
    workspace, actor, 'workspace.handed-over', public.address_of(person),
    jsonb_build_object('role', former), jsonb_build_object('role', 'owner'), person
  );
  return 'handed over';
end;
$$;

-- Fifty members with their addresses, the longest-standing first, after the one that is named; nothing to somebody who
-- is no member. An account without an address is shown by its number.
create function public.members_of(
  actor uuid,
  workspace uuid,
  after_joined timestamptz default '-infinity',
  after_person uuid default null
) returns table (user_id uuid, address text, role text, joined_at timestamptz)
  language plpgsql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
  rows 50
as $$
begin
  if not public.may_now(actor, workspace, 'see') then
    return;
  end if;
  return query
    select m.user_id, coalesce(nullif(u.email, ''), u.phone, '')::text, m.role, m.joined_at
    from (
      select n.user_id, n.role, n.joined_at from public.members n
      where n.workspace_id = workspace
        and (n.joined_at, n.user_id) > (
          after_joined, coalesce(after_person, '00000000-0000-0000-0000-000000000000')
        )
      order by n.joined_at, n.user_id
      limit 50
    ) m
    join auth.users u on u.id = m.user_id
    order by m.joined_at, m.user_id;
end;
$$;

-- The member with an address, for whoever may hand the workspace over: they type it. Null for everybody else, and where
-- no member has it.
create function public.member_with_address(actor uuid, workspace uuid, wanted text) returns uuid
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select m.user_id from public.members m
  join auth.users u on u.id = m.user_id
  where m.workspace_id = workspace and lower(u.email) = lower(wanted)
    and public.may_now(actor, workspace, 'own')
  limit 1;
$$;

-- The confirmed address of a member, for whoever may change alerts: a mail goes to nobody else. Null where there is
-- none.
create function public.confirmed_member_address(actor uuid, workspace uuid, person uuid) returns text
  language plpgsql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
begin
  if not public.may_now(actor, workspace, 'alerts') then
    return null;
  end if;
  return (
    select u.email from public.members m
    join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and m.user_id = person
      and u.email like '%@%' and u.email_confirmed_at is not null
  );
end;
$$;

-- Workspaces are made, named and deleted by these functions alone.

-- Whoever makes one owns it. Answers 'made', or 'missing' (no such account), 'name', 'too many workspaces' (a person is
-- a member of at most 100), 'too many owned'.
create function public.create_workspace(actor uuid, new_id uuid, new_name text)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- Two at once are counted one after the other.
  perform 1 from auth.users u where u.id = actor for no key update;
  if not found then
    return 'missing';
  end if;
  if not public.is_workspace_name(new_name) then
    return 'name';
  end if;
  if (select count(*) from public.members m where m.user_id = actor) >= 100 then
    return 'too many workspaces';
  end if;
  if public.owns_too_many(actor) then
    return 'too many owned';
  end if;
  insert into public.workspaces (id, name) values (new_id, btrim(new_name));
  insert into public.members (workspace_id, user_id, role) values (new_id, actor, 'owner');
  perform public.note_audit(
    new_id, actor, 'workspace.created', btrim(new_name), target_id => new_id
  );
  return 'made';
end;
$$;

-- Answers 'renamed', or 'missing', 'not allowed', 'name'. The slug stays: addresses go on leading there.
create function public.rename_workspace(actor uuid, workspace uuid, new_name text)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'settings');
  former text;
begin
  if refusal is not null then
    return refusal;
  end if;
  if not public.is_workspace_name(new_name) then
    return 'name';
  end if;
  select w.name into former from public.workspaces w where w.id = workspace;
  update public.workspaces w set name = btrim(new_name) where w.id = workspace;
  perform public.note_audit(
    workspace, actor, 'workspace.renamed', btrim(new_name),
    jsonb_build_object('name', former), jsonb_build_object('name', btrim(new_name)), workspace
  );
  return 'renamed';
end;
$$;

-- Whether members see the workspace only after a second factor. Answers 'changed', or 'missing', 'not allowed',
-- 'second factor': whoever has none would shut themselves out.
create function public.require_second_factor_of_all(actor uuid, workspace uuid, wanted boolean)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'settings');
begin
  if refusal is not null then
    return refusal;
  end if;
  if wanted and not public.has_second_factor(actor) then
    return 'second factor';
  end if;
  update public.workspaces w set needs_second_factor = wanted
  where w.id = workspace and w.needs_second_factor <> wanted;
  if found then
    perform public.note_audit(
      workspace, actor, 'workspace.second-factor', '',
      jsonb_build_object('required', not wanted), jsonb_build_object('required', wanted), workspace
    );
  end if;
  return 'changed';
end;
$$;

-- Deletes a workspace with all that it has, where nothing is charged for it any more: `ended` names the Stripe
-- customers whose plans the caller has ended. Answers {answer: 'deleted'}, or 'missing', 'not allowed', or 'end first'
-- with the customers that are left: no mail is sent to them about it.
create function public.delete_workspace(actor uuid, workspace uuid, ended text[] default '{}')
  returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text;
  left_over text[];
begin
  -- Their memberships go, too: all of them are locked before the workspace.
  refusal := public.begin_change(actor, workspace, 'own', case
    when public.may_now(actor, workspace, 'own')
    then array(select m.user_id from public.members m where m.workspace_id = workspace)
    else '{}'
  end);
  if refusal is not null then
    return jsonb_build_object('answer', refusal);
  end if;
  -- A report from Stripe that is being written is waited for, and one that comes later finds the id among the closed.
  perform pg_advisory_xact_lock(hashtextextended(c.id, 0))
  from (select d.id from public.customers d where d.workspace_id = workspace order by d.id) c;
  with kept as (
    update public.customers c set deletion_asked_at = now()
    where c.workspace_id = workspace and c.id <> all (ended)
    returning c.id
  )
  select array_agg(k.id order by k.id) into left_over from kept k;
  if left_over is not null then
    return jsonb_build_object('answer', 'end first', 'customers', left_over);
  end if;
  delete from public.workspaces w where w.id = workspace;
  return jsonb_build_object('answer', 'deleted');
end;
$$;

-- What the deletion of an account must not take from others. A workspace goes with the account of its only member, and
-- its plan ends; where others work, too, it stays with them.

-- The workspaces that a person alone owns and others work in: who is to own them is decided before the account goes.
create function public.workspaces_in_the_way(person uuid) returns table (slug text, name text)
  language sql
  stable
  set search_path = ''
as $$
  select w.slug, w.name from public.members m
  join public.workspaces w on w.id = m.workspace_id
  where m.user_id = person and m.role = 'owner'
    and exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    and not exists (
      select from public.members n
      where n.workspace_id = m.workspace_id and n.role = 'owner' and n.user_id <> person
    )
  order by w.name, w.slug;
$$;

-- The workspaces that a person is a member of, `alone` where nobody else is. Locked, in the order of begin_change:
-- until the transaction ends nobody joins them or leaves.
create function public.lock_workspaces_of(person uuid) returns table (id uuid, alone boolean)
  language plpgsql
  set search_path = ''
as $$
begin
  perform 1 from auth.users u where u.id = person for no key update;
  perform 1 from public.members m where m.user_id = person order by m.workspace_id for update;
  perform 1 from public.workspaces w
  where w.id in (select m.workspace_id from public.members m where m.user_id = person)
  order by w.id for no key update;
  return query
    select m.workspace_id, not exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    from public.members m where m.user_id = person;
end;
$$;
revoke execute on function public.lock_workspaces_of(uuid) from service_role;

-- Begins the deletion: no mail about the end of the plans is sent in the meantime, and the open invitations to
-- workspaces that go are withdrawn, before a plan is ended. Whoever accepted before is seen, and then that workspace
-- stays. Answers {customers}, whose plans the caller ends first; or {in_the_way}, the names of workspaces to be decided
-- about, and then changes nothing.
create function public.begin_account_deletion(person uuid) returns jsonb
  language plpgsql
  -- No role of the API writes invitations.
  security definer
  set search_path = ''
as $$
declare
  going uuid[] := array(select w.id from public.lock_workspaces_of(person) w where w.alone);
  names text[] := array(select w.name from public.workspaces_in_the_way(person) w);
  ids text[];
  gone record;
begin
  if cardinality(names) > 0 then
    return jsonb_build_object('in_the_way', names);
  end if;
  for gone in
    delete from public.invitations i where i.accepted_by is null and i.workspace_id = any (going)
    returning i.id, i.workspace_id, i.address
  loop
    perform public.note_audit(
      gone.workspace_id, person, 'invitation.withdrawn', gone.address, target_id => gone.id
    );
  end loop;
  ids := array(select public.customers_of_account(person));
  update public.customers c set deletion_asked_at = now() where c.id = any (ids);
  return jsonb_build_object('customers', ids);
end;
$$;

-- Removes what is kept of a person besides the account itself and what goes with it, never what belongs to others:
-- customers with their subscriptions, and the messages that were sent from the verified address. Workspaces where
-- others work are left, so that the account's end takes none of them along. `ended` names the Stripe customers whose
-- plans the caller has ended; without it they are those that name the account. Raises
-- "object_not_in_prerequisite_state" and removes nothing where the deletion must begin again: somebody has joined since
-- then, or the last other member left. May be repeated.
create function public.remove_personal_records(
  person uuid,
  verified_email text,
  ended text[] default null
) returns void
  language plpgsql
  -- No role of the API writes members.
  security definer
  set search_path = ''
as $$
declare
  shared uuid[] := array(select w.id from public.lock_workspaces_of(person) w where not w.alone);
  ids text[] := array(select public.customers_of_account(person));
begin
  if exists (select from public.workspaces_in_the_way(person)) then
    raise exception 'Others work in a workspace of which this account is the only owner.'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  if exists (
    select from public.customers c
    where c.id = any (ids) and case
      when ended is null then c.user_id is distinct from person
      else c.id <> all (ended)
    end
  ) then
    raise exception 'A plan that goes with this account was not ended.'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  delete from public.members m where m.user_id = person and m.workspace_id = any (shared);
  perform public.note_audit(s.id, null, 'member.account-deleted', target_id => person)
  from unnest(shared) as s (id);
  -- A report from Stripe that is being written is waited for, and one that comes later finds the id
  -- among the closed. In one order, so that two deletions cannot wait for each other.
  perform pg_advisory_xact_lock(hashtextextended(c.id, 0))
  from (select x.id from public.customers x where x.id = any (ids) order by x.id) c;
  delete from public.customers c where c.id = any (ids);
  delete from public.contact_messages where lower(email) = lower(verified_email);
end;
$$;

-- What a sign-in does in the database, in one call.
create function public.arrive(person uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.personal_workspace(person);
  if public.has_second_factor(person) then
    return;
  end if;
  begin
    perform public.note_sign_in(person);
  exception
    when others then
      raise warning 'A sign-in was not noted: %', sqlerrm;
  end;
end;
$$;
