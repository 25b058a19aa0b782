-- Whom an owner is shown before a change of single sign-on takes the workspace from them.

-- The addresses of members who lose the workspace where single sign-on is required ('require') or ended ('end'), or whose
-- sign-in ends with a domain ('remove', of the domain `value`). Null to anybody but an owner.
create function public.losses_by_sso(actor uuid, workspace uuid, act text, value text) returns text[]
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select case when public.may_now(losses_by_sso.actor, losses_by_sso.workspace, 'own') then array(
    select public.address_of(m.user_id) as address from public.members m
    join public.sso_connections c on c.workspace_id = m.workspace_id
    join auth.users u on u.id = m.user_id
    where m.workspace_id = losses_by_sso.workspace and m.role <> 'owner'
      and case losses_by_sso.act
        when 'require' then public.sso_workspace(c.provider, u.email) = m.workspace_id
          and not public.came_by_sso(m.user_id, c.provider)
        when 'end' then public.came_by_sso(m.user_id, c.provider)
        when 'remove' then public.came_by_sso(m.user_id, c.provider)
          and lower(split_part(u.email, '@', 2)) = lower(btrim(losses_by_sso.value))
        else false
      end
    order by address
  ) end;
$$;
