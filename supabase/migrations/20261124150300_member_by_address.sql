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

revoke execute on function public.member_with_address(uuid, uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function public.member_with_address(uuid, uuid, text) to service_role;
