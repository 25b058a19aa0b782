-- What a person has is decided by the product of the price that they pay, and everything that a screen says
-- about a subscription is kept beside it. All of it is a copy: Stripe is the truth.

-- 'none' is a product that is not one of our plans: it gives no right. Null is a row that was last written by
-- former code: then the configured prices decide.
-- allowed: former code writes nothing here, and the code after it writes these words only.
alter table public.subscriptions add column plan text check (plan in ('basic', 'pro', 'none'));
alter table public.subscriptions add column quantity integer;
alter table public.subscriptions add column interval_count integer;
-- [{percentOff or amountOff, endsAt}]: amounts in the smallest unit of the subscription's currency.
alter table public.subscriptions add column discounts jsonb not null default '[]';
-- allowed: former code writes nothing here, and the code after it writes these words only.
alter table public.subscriptions add column tax text check (tax in ('none', 'included', 'added'));
-- A change that is scheduled, and when it happens.
alter table public.subscriptions add column next_price_id text;
-- allowed: former code writes nothing here, and the code after it writes these words only.
alter table public.subscriptions add column next_plan text check (next_plan in ('basic', 'pro', 'none'));
alter table public.subscriptions add column next_amount bigint;
alter table public.subscriptions add column next_interval text;
alter table public.subscriptions add column changes_at timestamptz;
-- Until when a change waits for its payment.
alter table public.subscriptions add column pending_until timestamptz;
-- What is charged: the subscription's own card, or else the customer's. A payment method that is no card has
-- its kind as brand, and no digits.
alter table public.subscriptions add column card_brand text;
alter table public.subscriptions add column card_last4 text;
alter table public.subscriptions add column card_expires_at date;
-- Stripe's word for why it ended.
alter table public.subscriptions add column end_reason text;

-- Since when Stripe has answered that it does not know this id: test data under live keys, or another
-- account's. Its subscriptions count for nothing. Nothing is removed, and the next successful read clears it.
alter table public.customers add column missing_since timestamptz;
-- A confirmed address that Stripe did not take for this customer: it is not told again, nor compared.
alter table public.customers add column refused_address text;
-- The card that is charged for subscriptions without one of their own.
alter table public.customers add column card_brand text;
alter table public.customers add column card_last4 text;
alter table public.customers add column card_expires_at date;

-- What a read of a customer at Stripe begins with: {ticket, address}, a ticket as take_sync_ticket gives it,
-- and the confirmed address of the account that the customer belongs to, or null. Stripe should have that one;
-- it is null too where Stripe has refused it.
create function public.begin_customer_sync(of_customer text) returns jsonb
  language sql
  -- No role of the API may read auth.users; this looks up one address there.
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'ticket', nextval('public.sync_tickets'),
    'address', (
      select u.email
      from public.customers c
      join auth.users u on u.id = c.user_id
      where c.id = of_customer and u.email_confirmed_at is not null and u.email <> ''
        and u.email is distinct from c.refused_address
    )
  );
$$;

-- Notes that Stripe does not know a customer. Answers false when a later read was already written, or there
-- is no such row.
create function public.note_missing_customer(ticket bigint, of_customer text) returns boolean
  language sql
  set search_path = ''
as $$
  with noted as (
    update public.customers c
    set sync_ticket = ticket, missing_since = coalesce(c.missing_since, now())
    where c.id = of_customer and c.sync_ticket < ticket
    returning c.id
  )
  select exists (select from noted);
$$;

-- Whether Stripe's answers are about the account that our records are of: {known, sample}, whether one of these
-- customers, that Stripe has just listed, is in our records, and a few that it should know otherwise. Nothing
-- is in the sample while there is nobody who could lose anything.
create function public.recognise_customers(listed text[]) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  select jsonb_build_object(
    'known', exists (select from public.customers c where c.id = any (listed))
      or exists (select from public.closed_customers c where c.id = any (listed)),
    'sample', (
      select coalesce(jsonb_agg(few.id), '[]')
      from (
        select c.id
        from public.customers c
        where c.missing_since is null and c.email is not null
        order by c.stripe_created_at desc nulls last, c.id
        limit 3
      ) few
    )
  );
$$;

-- As before, and with all that is kept of a subscription now. Stripe ends the subscriptions of a customer
-- that it deletes and may not list them any more: they end here too.
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
    stripe_created_at = coalesce((customer ->> 'created_at')::timestamptz, c.stripe_created_at),
    missing_since = null,
    -- Left as it is by a read that told Stripe no address.
    refused_address = case
      when customer ? 'refused_address' then customer ->> 'refused_address'
      else c.refused_address
    end,
    card_brand = customer ->> 'card_brand',
    card_last4 = customer ->> 'card_last4',
    card_expires_at = (customer ->> 'card_expires_at')::date
  where c.id = customer ->> 'id' and c.sync_ticket < ticket;
  if not found then
    return false;
  end if;

  insert into public.subscriptions (
    id, customer_id, status, price_id, unit_amount, currency, billing_interval,
    current_period_end, cancel_at, ended_at, created_at, plan, quantity, interval_count, discounts, tax,
    next_price_id, next_plan, next_amount, next_interval, changes_at, pending_until,
    card_brand, card_last4, card_expires_at, end_reason
  )
  select
    s.id, customer ->> 'id', s.status, s.price_id, s.unit_amount, s.currency, s.billing_interval,
    s.current_period_end, s.cancel_at, s.ended_at, s.created_at, s.plan, s.quantity, s.interval_count,
    coalesce(s.discounts, '[]'), s.tax, s.next_price_id, s.next_plan, s.next_amount, s.next_interval,
    s.changes_at, s.pending_until,
    coalesce(s.card_brand, customer ->> 'card_brand'),
    case when s.card_brand is null then customer ->> 'card_last4' else s.card_last4 end,
    case
      when s.card_brand is null then (customer ->> 'card_expires_at')::date
      else s.card_expires_at
    end,
    s.end_reason
  from jsonb_to_recordset(customer_subscriptions) as s (
    id text, status text, price_id text, unit_amount bigint, currency text, billing_interval text,
    current_period_end timestamptz, cancel_at timestamptz, ended_at timestamptz,
    created_at timestamptz, plan text, quantity integer, interval_count integer, discounts jsonb, tax text,
    next_price_id text, next_plan text, next_amount bigint, next_interval text, changes_at timestamptz,
    pending_until timestamptz, card_brand text, card_last4 text, card_expires_at date, end_reason text
  )
  on conflict (id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    unit_amount = excluded.unit_amount,
    currency = excluded.currency,
    billing_interval = excluded.billing_interval,
    current_period_end = excluded.current_period_end,
    cancel_at = excluded.cancel_at,
    ended_at = excluded.ended_at,
    plan = excluded.plan,
    quantity = excluded.quantity,
    interval_count = excluded.interval_count,
    discounts = excluded.discounts,
    tax = excluded.tax,
    next_price_id = excluded.next_price_id,
    next_plan = excluded.next_plan,
    next_amount = excluded.next_amount,
    next_interval = excluded.next_interval,
    changes_at = excluded.changes_at,
    pending_until = excluded.pending_until,
    card_brand = excluded.card_brand,
    card_last4 = excluded.card_last4,
    card_expires_at = excluded.card_expires_at,
    end_reason = excluded.end_reason;

  if (customer ->> 'deleted')::boolean then
    update public.subscriptions s
    set status = 'canceled', ended_at = coalesce(s.ended_at, now()), cancel_at = null,
      next_price_id = null, next_plan = null, next_amount = null, next_interval = null,
      changes_at = null, pending_until = null
    where s.customer_id = customer ->> 'id'
      and s.status not in ('canceled', 'incomplete_expired')
      and s.id not in (select l ->> 'id' from jsonb_array_elements(customer_subscriptions) l);
  end if;

  return true;
end;
$$;

-- As before, with all that is kept of a subscription now, and `closed` for a customer that was given up. What
-- only lacks the new columns, because former code wrote it, gets them here: else each would be read again.
create or replace function public.compare_subscriptions(
  listed jsonb,
  tied text[],
  up_to timestamptz,
  newer_than timestamptz default null
) returns jsonb
  language sql
  volatile
  set search_path = ''
as $$
  with told as (
    select
      t.id, t.customer_id, t.status, t.price_id, t.unit_amount, t.currency, t.billing_interval,
      t.current_period_end, t.cancel_at, t.ended_at, t.plan, t.quantity, t.interval_count, t.discounts,
      t.tax, t.next_price_id, t.next_plan, t.next_amount, t.next_interval, t.changes_at, t.pending_until,
      t.end_reason,
      coalesce(t.card_brand, c.card_brand) as card_brand,
      case when t.card_brand is null then c.card_last4 else t.card_last4 end as card_last4,
      case when t.card_brand is null then c.card_expires_at else t.card_expires_at end as card_expires_at,
      c.missing_since
    from jsonb_to_recordset(listed) as t (
      id text, customer_id text, status text, price_id text, unit_amount bigint, currency text,
      billing_interval text, current_period_end timestamptz, cancel_at timestamptz,
      ended_at timestamptz, plan text, quantity integer, interval_count integer, discounts jsonb, tax text,
      next_price_id text, next_plan text, next_amount bigint, next_interval text, changes_at timestamptz,
      pending_until timestamptz, card_brand text, card_last4 text, card_expires_at date, end_reason text
    )
    left join public.customers c on c.id = t.customer_id
  ),
  compared as (
    select
      t.*,
      s.plan is null as of_former_code,
      (
        s.customer_id, s.status, s.price_id, s.unit_amount, s.currency, s.billing_interval,
        s.current_period_end, s.cancel_at, s.ended_at
      ) is not distinct from (
        t.customer_id, t.status, t.price_id, t.unit_amount, t.currency, t.billing_interval,
        t.current_period_end, t.cancel_at, t.ended_at
      ) as former_equal,
      (
        s.plan, s.quantity, s.interval_count, s.discounts, s.tax, s.next_price_id, s.next_plan,
        s.next_amount, s.next_interval, s.changes_at, s.pending_until, s.card_brand, s.card_last4,
        s.card_expires_at, s.end_reason
      ) is not distinct from (
        t.plan, t.quantity, t.interval_count, t.discounts, t.tax, t.next_price_id, t.next_plan,
        t.next_amount, t.next_interval, t.changes_at, t.pending_until, t.card_brand, t.card_last4,
        t.card_expires_at, t.end_reason
      ) as added_equal
    from told t
    left join public.subscriptions s on s.id = t.id
  ),
  filled as (
    update public.subscriptions s
    set plan = t.plan, quantity = t.quantity, interval_count = t.interval_count, discounts = t.discounts,
      tax = t.tax, next_price_id = t.next_price_id, next_plan = t.next_plan, next_amount = t.next_amount,
      next_interval = t.next_interval, changes_at = t.changes_at, pending_until = t.pending_until,
      card_brand = t.card_brand, card_last4 = t.card_last4, card_expires_at = t.card_expires_at,
      end_reason = t.end_reason
    from compared t
    where s.id = t.id and s.plan is null and t.former_equal
  ),
  wrong as (
    select t.customer_id, null as gone
    from compared t
    where (
        not t.former_equal
        or (not t.added_equal and not t.of_former_code)
        or t.missing_since is not null
      )
      -- Nothing is kept of a closed customer. But nobody may pay on there for a plan of ours.
      and (
        (t.status not in ('canceled', 'incomplete', 'incomplete_expired') and t.plan <> 'none')
        or not exists (select from public.closed_customers c where c.id = t.customer_id)
      )
    union all
    -- What is over gives nobody anything, whether Stripe still lists it or not. What Stripe does not know is
    -- noted already.
    select s.customer_id, s.id
    from public.subscriptions s
    join public.customers c on c.id = s.customer_id
    where s.created_at <= up_to
      and (newer_than is null or s.created_at > newer_than)
      and s.status not in ('canceled', 'incomplete_expired')
      and s.id <> all (tied)
      and c.missing_since is null
      and not exists (select from told t where t.id = s.id)
  )
  select coalesce(jsonb_agg(w order by w.customer_id), '[]')
  from (
    select
      customer_id,
      coalesce(jsonb_agg(gone) filter (where gone is not null), '[]') as gone,
      exists (select from public.closed_customers c where c.id = customer_id) as closed
    from wrong
    group by customer_id
  ) w;
$$;

-- As before, with the card, with those that Stripe lists again after it did not know them, and with those
-- whose address is not the one that their account has confirmed, unless Stripe has refused that one.
create or replace function public.compare_customers(
  listed jsonb,
  tied text[],
  up_to timestamptz,
  newer_than timestamptz default null
) returns jsonb
  language sql
  -- No role of the API may read auth.users; this compares addresses there and answers ids of customers.
  security definer
  set search_path = ''
as $$
  with told as (
    select * from jsonb_to_recordset(listed) as t (
      id text, email text, created_at timestamptz, card_brand text, card_last4 text, card_expires_at date
    )
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
    left join auth.users u
      on u.id = c.user_id and u.email_confirmed_at is not null and u.email <> ''
    where (
        (
          c.id, c.email, coalesce(c.stripe_created_at, t.created_at),
          c.card_brand, c.card_last4, c.card_expires_at
        ) is distinct from (
          t.id, t.email, t.created_at, t.card_brand, t.card_last4, t.card_expires_at
        )
        or c.missing_since is not null
        or (
          u.id is not null
          and lower(u.email::text) is distinct from lower(t.email)
          and u.email is distinct from c.refused_address
        )
      )
      and not exists (select from public.closed_customers closed where closed.id = t.id)
    union
    select c.id
    from public.customers c
    where c.email is not null
      and c.missing_since is null
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

-- The plan that runs for an account: 'none', 'basic' or 'pro'. In rows of former code a price that is not one
-- of `basic_prices` is Pro, as app/features/deployments/plan/plan-limits.ts has it.
create or replace function public.account_plan(owner uuid, basic_prices text[]) returns text
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    select case
      when count(*) = 0 then 'none'
      when bool_and(paid.plan = 'basic') then 'basic'
      else 'pro'
    end
    from (
      select coalesce(
        s.plan, case when s.price_id = any (basic_prices) then 'basic' else 'pro' end
      ) as plan
      from public.customers c
      join public.subscriptions s on s.customer_id = c.id
      where c.user_id = owner
        and c.missing_since is null
        and s.status in ('active', 'trialing', 'past_due')
    ) paid
    where paid.plan <> 'none'
  );
end;
$$;

revoke execute on function public.begin_customer_sync(text) from public, anon, authenticated;
revoke execute on function public.recognise_customers(text[]) from public, anon, authenticated;
revoke execute on function public.note_missing_customer(bigint, text) from public, anon, authenticated;
grant execute on function public.begin_customer_sync(text) to service_role;
grant execute on function public.recognise_customers(text[]) to service_role;
grant execute on function public.note_missing_customer(bigint, text) to service_role;
