-- A customer's address at Stripe may be another one than the sign-in address: an accounts department's. The site
-- replaces only an address that follows the billing contact's; what a person set, at Stripe or on the Billing page,
-- stays.

-- The address at Stripe that gives way to the billing contact's: the first one, and each one since that was the billing
-- contact's.
alter table public.customers add column followed_address text;
-- allowed: the running version does not read the column
update public.customers set followed_address = email;

create function public.note_followed_address() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or lower(new.email) = lower(public.billing_contact(new.workspace_id)) then
    new.followed_address := new.email;
  end if;
  return new;
end;
$$;

-- allowed: it fills a column that the running version does not know
create trigger note_followed_address before insert or update of email on public.customers
  for each row execute function public.note_followed_address();

-- What a read of a customer at Stripe begins with: {ticket, address, followed}, a ticket as take_sync_ticket gives it,
-- the address of the billing contact of the customer's workspace, or null, and the address that gives way to it. It is
-- null too where Stripe has refused it.
create or replace function public.begin_customer_sync(of_customer text) returns jsonb
  language sql
  -- No role of the API may read auth.users; this looks up one address there.
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'ticket', nextval('public.sync_tickets'),
    'address', (
      select b.address
      from public.customers c, public.billing_contact(c.workspace_id) as b (address)
      where c.id = of_customer and b.address is distinct from c.refused_address
    ),
    'followed', (select c.followed_address from public.customers c where c.id = of_customer)
  );
$$;

-- Which customers are not here as they are in this page of Stripe's list: compare_subscriptions says what the
-- parameters are. It compares the card too, names those that Stripe lists again after it did not know them, and those
-- whose address follows the billing contact's and is another one, unless Stripe has refused that one. Stripe does not
-- list the deleted ones: theirs are the rows here that still have an address, and are not in the page. What only lacks
-- its time gets that here: else each such customer would be read again.
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
    cross join lateral (select public.billing_contact(c.workspace_id) as address) b
    where (
        (
          c.id, c.email, coalesce(c.stripe_created_at, t.created_at),
          c.card_brand, c.card_last4, c.card_expires_at
        ) is distinct from (
          t.id, t.email, t.created_at, t.card_brand, t.card_last4, t.card_expires_at
        )
        or c.missing_since is not null
        or (
          b.address is not null
          and lower(b.address) is distinct from lower(t.email)
          and lower(t.email) is not distinct from lower(c.followed_address)
          and b.address is distinct from c.refused_address
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
