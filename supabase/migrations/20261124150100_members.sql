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

-- How many workspaces a person owns is limited, so that nobody makes any number of them.
create function public.owns_too_many(person uuid) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select count(*) >= 10 from public.members m where m.user_id = person and m.role = 'owner';
$$;

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
-- is no member.
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
    select m.user_id, u.email::text, m.role, m.joined_at
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

revoke execute on function
  public.has_other_owner(uuid, uuid),
  public.owns_too_many(uuid),
  public.change_role(uuid, uuid, uuid, text),
  public.remove_member(uuid, uuid, uuid),
  public.leave_workspace(uuid, uuid),
  public.hand_over(uuid, uuid, uuid),
  public.members_of(uuid, uuid, timestamptz, uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.change_role(uuid, uuid, uuid, text),
  public.remove_member(uuid, uuid, uuid),
  public.leave_workspace(uuid, uuid),
  public.hand_over(uuid, uuid, uuid),
  public.members_of(uuid, uuid, timestamptz, uuid)
  to service_role;
