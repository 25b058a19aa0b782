-- The plan of a trial is that of an anonymous account. The auth server makes such an account a permanent one for whoever
-- asks it past the site and confirms an address: it then has what it bought, which is nothing.
create or replace function public.plans_of(workspace uuid) returns table (
  id text,
  status text,
  plan text,
  price_id text,
  current_period_end timestamptz,
  cancel_at timestamptz,
  created_at timestamptz
)
  language sql
  stable
  -- Not every member may read the tables.
  security definer
  set search_path = ''
as $$
  select s.id, s.status, s.plan, s.price_id, s.current_period_end, s.cancel_at, s.created_at
  from public.customers c
  join public.subscriptions s on s.customer_id = c.id
  where (select public.may_read_own())
    and c.workspace_id = workspace
    and workspace = any (array(select public.workspaces_where('see')))
    and c.missing_since is null
    and s.plan is distinct from 'none'
  union all
  select 'trial', 'trialing', 'pro', 'trial', t.ends_at, t.ends_at, t.ends_at - interval '24 hours'
  from public.trials t
  where (select public.may_read_own())
    and t.workspace_id = workspace and t.user_id = (select auth.uid()) and t.ends_at > now()
    and (select public.is_anonymous(t.user_id))
  order by 7 desc, 1;
$$;
