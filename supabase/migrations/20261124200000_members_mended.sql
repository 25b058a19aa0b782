-- Accounts that have a telephone number and no address are shown by it, invitations are sent by people with an address,
-- and names of workspaces are one line of text.

-- An account's address as its members read it; the number of an account that has none.
create or replace function public.address_of(person uuid) returns text
  language sql
  stable
  -- No role of the API may read auth.users.
  security definer
  set search_path = ''
as $$
  select coalesce(
    (select coalesce(nullif(u.email, ''), u.phone)::text from auth.users u where u.id = person), ''
  );
$$;

-- As before, and with the number of an account without an address.
create or replace function public.members_of(
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

-- The same for whoever invites.
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

-- Whether the account has an address that it confirmed: invitations are sent in its name.
create function public.has_confirmed_address(person uuid) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from auth.users u
    where u.id = person and u.email like '%@%' and u.email_confirmed_at is not null
  );
$$;

-- One line of 1 to 80 characters, without control characters and changes of direction, and with something to see. Invitations have it in their
-- subject.
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

-- As before, and of workspaces without a plan no more than half of what the site mails in a day: 100 of all workspaces,
-- 50 of those without a plan, 20 of one, 20 of one person, 5 to one address.
create or replace function public.count_invitation(actor uuid, workspace uuid, invited_address text)
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

-- As before, and refuses whoever has no confirmed address with 'no address'. `new_name` names the workspace with its
-- first invitation, in the same transaction: where the invitation is refused the name stays. Answers 'name', too.
-- allowed: the same transaction makes it again, and the version before calls neither
drop function public.invite(uuid, uuid, uuid, text, text, integer);
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

-- As before, and refuses whoever has no confirmed address with 'no address'.
create or replace function public.resend_invitation(actor uuid, workspace uuid, invitation uuid)
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

-- As before, with the rule for names.
create or replace function public.create_workspace(actor uuid, new_id uuid, new_name text)
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

create or replace function public.rename_workspace(actor uuid, workspace uuid, new_name text)
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

revoke execute on function
  public.has_confirmed_address(uuid),
  public.is_workspace_name(text),
  public.invite(uuid, uuid, uuid, text, text, integer, text)
  from public, anon, authenticated, service_role;
grant execute on function public.invite(uuid, uuid, uuid, text, text, integer, text) to service_role;
