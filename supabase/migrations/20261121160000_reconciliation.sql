-- A scheduled run compares our records with Stripe's lists, page by page. It only finds customers to
-- read again: what is written is written by record_subscriptions, with a ticket, as for a webhook.

-- When Stripe made the customer. Stripe's lists are ordered by it, so that a page of theirs can be laid
-- beside the same stretch of ours. Null for rows that were last written by former code.
alter table public.customers add column stripe_created_at timestamptz;

create index customers_by_stripe_time on public.customers (stripe_created_at);
create index subscriptions_by_time on public.subscriptions (created_at);
create index stripe_events_by_time on public.stripe_events (created_at);

-- How far the present pass has come: at most one row, and none before the first run.
create table public.reconciliation (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  place jsonb not null check (octet_length(place::text) <= 262144),
  saved_at timestamptz not null default now()
);

alter table public.reconciliation enable row level security;
revoke all on public.reconciliation from anon, authenticated;
grant all on public.reconciliation to service_role;

-- Keeps a place, unless another run has kept one since this run read version `seen` (0: there was none).
-- Where the row was deleted meanwhile, so that a pass begins anew, only a run that began after that keeps
-- one. Answers whether it was kept.
create function public.save_reconciliation_place(seen bigint, next_place jsonb) returns boolean
  language sql
  set search_path = ''
as $$
  with saved as (
    insert into public.reconciliation as r (version, place)
    select seen + 1, next_place
    where seen = 0 or exists (select from public.reconciliation)
    on conflict (only_row) do update
      set version = excluded.version, place = excluded.place, saved_at = now()
      where r.version = seen
    returning r.version
  )
  select exists (select from saved);
$$;

-- Which customers have a subscription that is not here as it is in this page of Stripe's list, or one
-- here that Stripe no longer lists, which `gone` then names. The page holds everything that was created
-- after `newer_than` (without it: everything) up to `up_to`, but for the ids in `tied`, which were compared.
create function public.compare_subscriptions(
  listed jsonb,
  tied text[],
  up_to timestamptz,
  newer_than timestamptz default null
) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  with told as (
    select * from jsonb_to_recordset(listed) as t (
      id text, customer_id text, status text, price_id text, unit_amount bigint, currency text,
      billing_interval text, current_period_end timestamptz, cancel_at timestamptz,
      ended_at timestamptz
    )
  ),
  wrong as (
    select t.customer_id, null as gone
    from told t
    left join public.subscriptions s on s.id = t.id
    where (
        s.customer_id, s.status, s.price_id, s.unit_amount, s.currency, s.billing_interval,
        s.current_period_end, s.cancel_at, s.ended_at
      ) is distinct from (
        t.customer_id, t.status, t.price_id, t.unit_amount, t.currency, t.billing_interval,
        t.current_period_end, t.cancel_at, t.ended_at
      )
      -- Nothing is kept of a closed customer. But nobody may pay on there.
      and (
        t.status not in ('canceled', 'incomplete', 'incomplete_expired')
        or not exists (select from public.closed_customers c where c.id = t.customer_id)
      )
    union all
    -- What is over gives nobody anything, whether Stripe still lists it or not.
    select s.customer_id, s.id
    from public.subscriptions s
    where s.created_at <= up_to
      and (newer_than is null or s.created_at > newer_than)
      and s.status not in ('canceled', 'incomplete_expired')
      and s.id <> all (tied)
      and not exists (select from told t where t.id = s.id)
  )
  select coalesce(jsonb_agg(w order by w.customer_id), '[]')
  from (
    select customer_id, coalesce(jsonb_agg(gone) filter (where gone is not null), '[]') as gone
    from wrong
    group by customer_id
  ) w;
$$;

-- The same for a page of Stripe's customers. Stripe does not list the deleted ones: theirs are the rows
-- here that still have an address, and are not in the page. What only lacks its time, because former code
-- wrote it, gets that here: else each such customer would be read again.
create function public.compare_customers(
  listed jsonb,
  tied text[],
  up_to timestamptz,
  newer_than timestamptz default null
) returns jsonb
  language sql
  set search_path = ''
as $$
  with told as (
    select * from jsonb_to_recordset(listed) as t (id text, email text, created_at timestamptz)
  ),
  filled as (
    update public.customers c
    set stripe_created_at = t.created_at
    from told t
    where c.id = t.id and c.stripe_created_at is null and c.email is not distinct from t.email
  ),
  wrong as (
    select t.id
    from told t
    left join public.customers c on c.id = t.id
    where (c.id, c.email, coalesce(c.stripe_created_at, t.created_at))
        is distinct from (t.id, t.email, t.created_at)
      and not exists (select from public.closed_customers closed where closed.id = t.id)
    union
    select c.id
    from public.customers c
    where c.email is not null
      and (
        (newer_than is null and c.stripe_created_at is null)
        or (
          c.stripe_created_at <= up_to
          and (newer_than is null or c.stripe_created_at > newer_than)
        )
      )
      and c.id <> all (tied)
      and not exists (select from told t where t.id = c.id)
  )
  select coalesce(
    jsonb_agg(jsonb_build_object('customer_id', id, 'gone', '[]'::jsonb) order by id), '[]'
  )
  from wrong;
$$;

-- Removes the notes of up to `at_most` events that are older than `before`. Answers how many it removed.
create function public.forget_stripe_events(before timestamptz, at_most integer) returns integer
  language sql
  set search_path = ''
as $$
  with forgotten as (
    delete from public.stripe_events
    where id in (
      select e.id from public.stripe_events e where e.created_at < before limit at_most
    )
    returning id
  )
  select count(*)::integer from forgotten;
$$;

-- As before, and with the time at which Stripe made the customer. A deleted one no longer tells it.
create or replace function public.record_subscriptions(
  ticket bigint,
  customer jsonb,
  customer_subscriptions jsonb
) returns boolean
  language plpgsql
  -- No role of the API may read auth.users; this looks up one id there.
  security definer
  set search_path = ''
as $$
declare
  owner uuid := (customer ->> 'user_id')::uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(customer ->> 'id', 0));
  if exists (select 1 from public.closed_customers c where c.id = customer ->> 'id') then
    return false;
  end if;

  if not exists (select 1 from auth.users u where u.id = owner) then
    owner := null;
  end if;

  -- A second customer that names the same person stays theirs, but is not their account's customer.
  insert into public.customers (id, user_id, origin, email, stripe_created_at)
  values (
    customer ->> 'id',
    owner,
    case
      when owner is null then 'guest'
      when exists (select 1 from public.customers c where c.user_id = owner) then 'guest'
      else 'account'
    end,
    customer ->> 'email',
    (customer ->> 'created_at')::timestamptz
  )
  on conflict (id) do nothing;

  update public.customers c
  set
    sync_ticket = ticket,
    email = customer ->> 'email',
    stripe_created_at = coalesce((customer ->> 'created_at')::timestamptz, c.stripe_created_at)
  where c.id = customer ->> 'id' and c.sync_ticket < ticket;
  if not found then
    return false;
  end if;

  insert into public.subscriptions (
    id, customer_id, status, price_id, unit_amount, currency, billing_interval,
    current_period_end, cancel_at, ended_at, created_at
  )
  select
    s.id, customer ->> 'id', s.status, s.price_id, s.unit_amount, s.currency, s.billing_interval,
    s.current_period_end, s.cancel_at, s.ended_at, s.created_at
  from jsonb_to_recordset(customer_subscriptions) as s (
    id text, status text, price_id text, unit_amount bigint, currency text, billing_interval text,
    current_period_end timestamptz, cancel_at timestamptz, ended_at timestamptz,
    created_at timestamptz
  )
  on conflict (id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    unit_amount = excluded.unit_amount,
    currency = excluded.currency,
    billing_interval = excluded.billing_interval,
    current_period_end = excluded.current_period_end,
    cancel_at = excluded.cancel_at,
    ended_at = excluded.ended_at;

  return true;
end;
$$;

revoke execute on function public.save_reconciliation_place(bigint, jsonb)
  from public, anon, authenticated;
revoke execute on function public.compare_subscriptions(jsonb, text[], timestamptz, timestamptz)
  from public, anon, authenticated;
revoke execute on function public.compare_customers(jsonb, text[], timestamptz, timestamptz)
  from public, anon, authenticated;
revoke execute on function public.forget_stripe_events(timestamptz, integer)
  from public, anon, authenticated;
grant execute on function public.save_reconciliation_place(bigint, jsonb) to service_role;
grant execute on function public.compare_subscriptions(jsonb, text[], timestamptz, timestamptz)
  to service_role;
grant execute on function public.compare_customers(jsonb, text[], timestamptz, timestamptz)
  to service_role;
grant execute on function public.forget_stripe_events(timestamptz, integer) to service_role;
