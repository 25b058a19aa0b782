-- Which plans one buyer has. An address counts literally, whatever characters it has, in upper or lower case. Of a
-- workspace it is the confirmed one of its billing contact: anybody may put any address on their invoices.

create function public.plans_beside(of_customer text) returns jsonb
  language sql
  stable
  -- No role of the API may read auth.users; this compares an address there.
  security definer
  set search_path = ''
as $$
  with buyer as (
    select
      c.workspace_id,
      lower(
        case when c.workspace_id is null then c.email else public.billing_contact(c.workspace_id) end
      ) as address
    from public.customers c
    where c.id = of_customer
  ),
  bought as (
    select c.id from buyer b join public.customers c on c.workspace_id = b.workspace_id
    union
    select c.id
    from buyer b
    join public.customers c on lower(c.email) = b.address
    where c.user_id is null and c.origin = 'guest' and c.workspace_id is null
    union
    select c.id
    from buyer b
    join auth.users u on u.email = b.address
    join public.members m on m.user_id = u.id and m.role = 'owner'
    join public.customers c on c.workspace_id = m.workspace_id
    where lower(public.billing_contact(m.workspace_id)) = b.address
  )
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'id', s.id,
        'customer', c.id,
        'workspace', c.workspace_id,
        'isGuests', c.origin = 'guest',
        'status', s.status,
        'createdAt', s.created_at
      )
    ),
    '[]'
  )
  from bought
  join public.customers c on c.id = bought.id
  join public.subscriptions s on s.customer_id = c.id
  where c.missing_since is null and s.plan in ('basic', 'pro');
$$;
