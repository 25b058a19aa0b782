-- Billing records: a copy of what Stripe says, so that a page needs no call to Stripe.
-- Stripe is the truth. Only the Worker (service_role) writes here; people read their own rows.

-- A Stripe customer. One of origin 'account' per user; guests who bought before signing up are
-- origin 'guest' and get a user when somebody signs in with that verified address.
create table public.customers (
  id text primary key,
  user_id uuid references auth.users (id) on delete set null,
  origin text not null check (origin in ('account', 'guest')),
  email text,
  sync_ticket bigint not null default 0,
  created_at timestamptz not null default now()
);

create unique index customers_one_account_per_user on public.customers (user_id)
  where origin = 'account';
create index customers_by_user on public.customers (user_id);
create index customers_unclaimed_by_email on public.customers (lower(email))
  where user_id is null and origin = 'guest';

-- status is Stripe's own word and is not checked here: a new one must not stop a webhook.
create table public.subscriptions (
  id text primary key,
  customer_id text not null references public.customers (id) on delete cascade,
  status text not null,
  price_id text not null,
  unit_amount bigint,
  currency text not null,
  billing_interval text not null,
  current_period_end timestamptz,
  cancel_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null
);

create index subscriptions_by_customer on public.subscriptions (customer_id, created_at desc);

-- Which events were handled, so that a redelivery costs one look-up. No payloads are kept.
create table public.stripe_events (
  id text primary key,
  type text not null,
  created_at timestamptz not null,
  handled_at timestamptz
);

alter table public.customers enable row level security;
alter table public.subscriptions enable row level security;
alter table public.stripe_events enable row level security;

create policy "People read their own customers" on public.customers
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People read their own subscriptions" on public.subscriptions
  for select to authenticated
  using (
    customer_id in (select c.id from public.customers c where c.user_id = (select auth.uid()))
  );

grant usage on schema public to anon, authenticated, service_role;
grant usage on schema auth to anon, authenticated, service_role;
revoke all on public.customers, public.subscriptions, public.stripe_events
  from anon, authenticated;
grant select on public.customers, public.subscriptions to authenticated;
grant all on public.customers, public.subscriptions, public.stripe_events to service_role;

-- Reads of Stripe race each other. Each takes a ticket before it reads; a later ticket means a later
-- read, so an answer that arrives late with an older ticket is not written over a newer one.
create sequence public.sync_tickets;
grant usage on sequence public.sync_tickets to service_role;

create function public.take_sync_ticket() returns bigint
  language sql
  set search_path = ''
as $$
  select nextval('public.sync_tickets');
$$;

-- Writes one customer and all its subscriptions as Stripe reported them, in one transaction.
-- Answers false when a later read was already written.
create function public.record_subscriptions(
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
  if not exists (select 1 from auth.users u where u.id = owner) then
    owner := null;
  end if;

  -- A second customer that names the same person stays theirs, but is not their account's customer.
  insert into public.customers (id, user_id, origin, email)
  values (
    customer ->> 'id',
    owner,
    case
      when owner is null then 'guest'
      when exists (select 1 from public.customers c where c.user_id = owner) then 'guest'
      else 'account'
    end,
    customer ->> 'email'
  )
  on conflict (id) do nothing;

  update public.customers c
  set sync_ticket = ticket, email = customer ->> 'email'
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

-- Gives a person the purchases that a guest made with the address they have now verified.
-- Row-level security cannot help here: only the Worker calls it, with an address that the auth
-- server says is verified.
create function public.claim_guest_purchases(claimant uuid, verified_email text) returns integer
  language sql
  set search_path = ''
as $$
  with claimed as (
    update public.customers
    set user_id = claimant
    where user_id is null and origin = 'guest' and lower(email) = lower(verified_email)
    returning id
  )
  select count(*)::integer from claimed;
$$;

revoke execute on function public.take_sync_ticket() from public, anon, authenticated;
revoke execute on function public.record_subscriptions(bigint, jsonb, jsonb)
  from public, anon, authenticated;
revoke execute on function public.claim_guest_purchases(uuid, text)
  from public, anon, authenticated;
grant execute on function public.take_sync_ticket() to service_role;
grant execute on function public.record_subscriptions(bigint, jsonb, jsonb) to service_role;
grant execute on function public.claim_guest_purchases(uuid, text) to service_role;
