-- Whose the tokens of a workspace are, and how many each member has; nothing to somebody who is no member. Members read
-- each other's addresses.
create function public.token_holders(workspace uuid)
  returns table (user_id uuid, address text, tokens integer)
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select t.user_id, public.address_of(t.user_id), count(*)::integer
  from public.api_tokens t
  where t.workspace_id = workspace and workspace = any (array(select public.workspaces_where('see')))
  group by t.user_id;
$$;

revoke execute on function public.token_holders(uuid) from public, anon, authenticated, service_role;
grant execute on function public.token_holders(uuid) to authenticated;
