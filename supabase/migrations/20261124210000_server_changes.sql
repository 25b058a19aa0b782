-- Notes what a member does about a server, before it is done: what servers report is not in this database. Answers
-- whether their role allows it now; if it does not, nothing is noted.
create function public.note_server_change(
  actor uuid,
  workspace uuid,
  action text,
  target text,
  target_id uuid,
  after jsonb default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not public.member_may(actor, workspace, 'servers') then
    return false;
  end if;
  perform public.note_audit(workspace, actor, action, target, null, after, target_id);
  return true;
end;
$$;

revoke execute on function public.note_server_change(uuid, uuid, text, text, uuid, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.note_server_change(uuid, uuid, text, text, uuid, jsonb) to service_role;
