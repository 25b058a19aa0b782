-- Deleting an account leaves nothing of the person here. Stripe keeps its customer and invoices, and
-- still sends events about them: the ids of customers that were given up are kept, and nothing else,
-- so that such an event does not bring a row with an address back.
create table public.closed_customers (
  id text primary key,
  closed_at timestamptz not null default now()
);

alter table public.closed_customers enable row level security;
revoke all on public.closed_customers from anon, authenticated;
grant all on public.closed_customers to service_role;

-- A row without its owner would be claimed by whoever signs up with that address later. So it goes
-- with the account, also when somebody deletes the account in Supabase's own dashboard.
-- allowed: the next statement brings it back, and nobody sees the time between.
alter table public.customers drop constraint customers_user_id_fkey;
-- allowed: it takes the same rows as before, and differs when an account goes.
alter table public.customers add constraint customers_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete cascade;

create function public.remember_closed_customer() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.closed_customers (id) values (old.id) on conflict (id) do nothing;
  return null;
end;
$$;

-- allowed: it only writes into a new table.
create trigger remember_closed_customer after delete on public.customers
  for each row execute function public.remember_closed_customer();

-- Removes everything that is kept of a person besides the account itself: customers with their
-- subscriptions, and the messages that were sent from the verified address. May be repeated.
create function public.remove_personal_records(person uuid, verified_email text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- A report from Stripe that is being written is waited for, and one that comes later finds the id
  -- among the closed. In one order, so that two deletions cannot wait for each other.
  perform pg_advisory_xact_lock(hashtextextended(c.id, 0))
  from (select id from public.customers where user_id = person order by id) c;
  delete from public.customers where user_id = person;
  delete from public.contact_messages where lower(email) = lower(verified_email);
end;
$$;

-- As before, but nothing is written about a customer that was given up.
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

-- Anybody can sign up with somebody else's address and a password of their own. When the owner of
-- the address then asks for a link, the password that nobody has confirmed must not come with it.
create function public.void_unconfirmed_password(address text) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users
  set encrypted_password = null
  where lower(email) = lower(address) and confirmed_at is null;
$$;

revoke execute on function public.remember_closed_customer() from public, anon, authenticated;
revoke execute on function public.remove_personal_records(uuid, text)
  from public, anon, authenticated;
revoke execute on function public.void_unconfirmed_password(text) from public, anon, authenticated;
grant execute on function public.remove_personal_records(uuid, text) to service_role;
grant execute on function public.void_unconfirmed_password(text) to service_role;
