-- What the Worker asks before it turns to Stripe for a workspace. Both functions answer only for members who may do its
-- billing.

-- The Stripe customers of a workspace, the oldest first. Those that Stripe did not know at the last sync are missing.
create function public.customers_of(person uuid, workspace uuid) returns table (id text, missing boolean)
  language sql
  stable
  set search_path = ''
as $$
  select c.id, c.missing_since is not null from public.customers c
  where c.workspace_id = workspace and public.may_now(person, workspace, 'billing')
  order by c.created_at, c.id;
$$;

-- With which Stripe customer a workspace buys, and what a new one is given: the address of the billing contact, and the
-- account whose personal workspace it is. It is the same for each member who asks, so that two who buy at once ask
-- Stripe for the same customer. Null for members who may not do the billing.
create function public.buying_customer(person uuid, workspace uuid) returns jsonb
  language sql
  stable
  -- No role of the API may read auth.users; the address is looked up there.
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'id', (
      select c.id from public.customers c where c.workspace_id = w.id and c.origin = 'account'
    ),
    'account', w.personal_of,
    'address', public.billing_contact(w.id)
  )
  from public.workspaces w
  where w.id = workspace and public.may_now(person, workspace, 'billing');
$$;

revoke execute on function public.customers_of(uuid, uuid), public.buying_customer(uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.customers_of(uuid, uuid), public.buying_customer(uuid, uuid)
  to service_role;
