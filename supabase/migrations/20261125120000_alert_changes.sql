-- Notes what a member does about alerts, before it is done: whom a workspace tells is not in this database. Answers
-- whether their role allows it now; if it does not, nothing is noted.
create function public.note_alert_change(
  actor uuid,
  workspace uuid,
  action text,
  target text,
  target_id uuid default null,
  before jsonb default null,
  after jsonb default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not public.member_may(actor, workspace, 'alerts') then
    return false;
  end if;
  perform public.note_audit(workspace, actor, action, target, before, after, target_id);
  return true;
end;
$$;

-- The confirmed address of a member, for whoever may change alerts: a mail goes to nobody else. Null where there is none.
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

revoke execute on function
  public.note_alert_change(uuid, uuid, text, text, uuid, jsonb, jsonb),
  public.confirmed_member_address(uuid, uuid, uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.note_alert_change(uuid, uuid, text, text, uuid, jsonb, jsonb),
  public.confirmed_member_address(uuid, uuid, uuid)
  to service_role;
