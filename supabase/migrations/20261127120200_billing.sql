-- Billing: a copy of what Stripe says, so that a page needs no call to Stripe, and what follows from it: plans and
-- quotas. Stripe is the truth. Only the Worker (service_role) writes here; members who may do the billing read.

-- A Stripe customer. One of origin 'account' per user and per workspace; guests who bought before signing up are
-- origin 'guest' and get a user when somebody signs in with that verified address.
create table public.customers (
  id text primary key,
  -- A person's customers go with their personal workspace when the account goes; a team's stay.
  user_id uuid references auth.users (id) on delete set null,
  origin text not null check (origin in ('account', 'guest')),
  email text,
  sync_ticket bigint not null default 0,
  created_at timestamptz not null default now(),
  -- When Stripe made the customer. Stripe's lists are ordered by it, so that a page of theirs can be laid
  -- beside the same stretch of ours. Null where it is not known yet.
  stripe_created_at timestamptz,
  -- Since when Stripe has answered that it does not know this id: test data under live keys, or another
  -- account's. Its subscriptions count for nothing. Nothing is removed, and the next successful read clears it.
  missing_since timestamptz,
  -- A confirmed address that Stripe did not take for this customer: it is not told again, nor compared.
  refused_address text,
  -- The card that is charged for subscriptions without one of their own.
  card_brand text,
  card_last4 text,
  card_expires_at date,
  -- When somebody last asked to delete the account of a customer. Its plans end before its rows go: nobody is
  -- told of that in between, nor while the deletion can be tried again.
  deletion_asked_at timestamptz,
  -- Whose it is: null for a guest's until somebody claims it.
  workspace_id uuid constraint customers_workspace_fkey references public.workspaces (id) on delete cascade
);

create unique index customers_one_account_per_user on public.customers (user_id)
  where origin = 'account';
-- Of two members who buy for the first time at once, one makes the customer and the other finds it.
create unique index customers_one_account_per_workspace on public.customers (workspace_id)
  where origin = 'account';
create index customers_by_user on public.customers (user_id);
create index customers_by_workspace on public.customers (workspace_id, created_at);
create index customers_by_stripe_time on public.customers (stripe_created_at);
create index customers_unclaimed_by_email on public.customers (lower(email))
  where user_id is null and origin = 'guest';

-- Everything that a screen says about a subscription is kept here. status is Stripe's own word and is not checked here:
-- a new one must not stop a webhook.
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
  created_at timestamptz not null,
  -- What a person has is decided by the product of the price that they pay. 'none' is a product that is not one of our
  -- plans: it gives no right. Where it is null the configured prices decide.
  plan text check (plan in ('basic', 'pro', 'none')),
  quantity integer,
  interval_count integer,
  -- [{percentOff or amountOff, endsAt}]: amounts in the smallest unit of the subscription's currency.
  discounts jsonb not null default '[]',
  tax text check (tax in ('none', 'included', 'added')),
  -- A change that is scheduled, and when it happens.
  next_price_id text,
  next_plan text check (next_plan in ('basic', 'pro', 'none')),
  next_amount bigint,
  next_interval text,
  changes_at timestamptz,
  -- Until when a change waits for its payment.
  pending_until timestamptz,
  -- What is charged: the subscription's own card, or else the customer's. A payment method that is no card has
  -- its kind as brand, and no digits.
  card_brand text,
  card_last4 text,
  card_expires_at date,
  -- Stripe's word for why it ended.
  end_reason text,
  -- When a subscription changed from one of our plans to the other, as we saw it. Null where it never did.
  plan_since timestamptz
);

create index subscriptions_by_customer on public.subscriptions (customer_id, created_at desc);
create index subscriptions_by_time on public.subscriptions (created_at);
-- For the occasions of mails: each is looked for once a minute.
create index subscriptions_by_end on public.subscriptions (ended_at) where ended_at is not null;
create index subscriptions_by_cancellation on public.subscriptions (cancel_at)
  where cancel_at is not null;
create index subscriptions_by_card_expiry on public.subscriptions (card_expires_at)
  where card_expires_at is not null;
create index subscriptions_by_plan_change on public.subscriptions (plan_since)
  where plan_since is not null;

-- Which events were handled, so that a redelivery costs one look-up. No payloads are kept.
create table public.stripe_events (
  id text primary key,
  type text not null,
  created_at timestamptz not null,
  handled_at timestamptz
);

create index stripe_events_by_time on public.stripe_events (created_at);

-- Deleting an account leaves nothing of the person here. Stripe keeps its customer and invoices, and
-- still sends events about them: the ids of customers that were given up are kept, and nothing else,
-- so that such an event does not bring a row with an address back.
create table public.closed_customers (
  id text primary key,
  closed_at timestamptz not null default now()
);

-- A scheduled run compares our records with Stripe's lists, page by page. It only finds customers to
-- read again: what is written is written by record_subscriptions, with a ticket, as for a webhook.
-- How far the present pass has come: at most one row, and none before the first run.
create table public.reconciliation (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  place jsonb not null check (octet_length(place::text) <= 262144),
  saved_at timestamptz not null default now()
);

alter table public.customers enable row level security;
alter table public.subscriptions enable row level security;
alter table public.stripe_events enable row level security;
alter table public.closed_customers enable row level security;
alter table public.reconciliation enable row level security;

create policy "People read their own customers" on public.customers
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('billing'))));
create policy "People read their own subscriptions" on public.subscriptions
  for select to authenticated
  using (
    customer_id = any (array(
      select c.id from public.customers c
      where c.workspace_id = any (array(select public.workspaces_where('billing')))
    ))
  );

create policy "Only a session that is there and proved reads customers" on public.customers
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads subscriptions" on public.subscriptions
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.customers, public.subscriptions, public.stripe_events, public.closed_customers,
  public.reconciliation from anon, authenticated;
grant select on public.customers, public.subscriptions to authenticated;
grant all on public.customers, public.subscriptions, public.stripe_events, public.closed_customers,
  public.reconciliation to service_role;

create trigger fill_workspace before insert or update of user_id on public.customers
  for each row execute function public.fill_workspace();

-- The account of a customer is the one whose personal workspace the customer belongs to. Of a team's customer it is
-- null.
create function public.name_account() returns trigger
  language plpgsql
  -- Whoever writes a customer need not be able to read whose a workspace is.
  security definer
  set search_path = ''
as $$
begin
  if new.user_id is null and new.workspace_id is not null then
    select w.personal_of into new.user_id from public.workspaces w where w.id = new.workspace_id;
  end if;
  return new;
end;
$$;

create trigger name_account before insert on public.customers
  for each row execute function public.name_account();

-- Whoever has handed their personal workspace over has no customer there any more.
create function public.release_customers() returns trigger
  language plpgsql
  -- Nobody who changes a membership may write customers.
  security definer
  set search_path = ''
as $$
begin
  update public.customers c set user_id = null
  where c.workspace_id = new.id and c.user_id = old.personal_of;
  return null;
end;
$$;

-- allowed: of the files that are the beginning, all are applied before anything runs
create trigger release_customers after update of personal_of on public.workspaces
  for each row when (old.personal_of is not null and new.personal_of is distinct from old.personal_of)
  execute function public.release_customers();

-- Remembers the id of a customer whose row goes.
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

create trigger remember_closed_customer after delete on public.customers
  for each row execute function public.remember_closed_customer();

-- Remembers when a subscription changed from one of our plans to the other.
create function public.note_plan_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.plan_since := now();
  return new;
end;
$$;

create trigger note_plan_change before update on public.subscriptions
  for each row
  when (
    old.plan in ('basic', 'pro') and new.plan in ('basic', 'pro')
    and old.plan is distinct from new.plan
  )
  execute function public.note_plan_change();

-- What Stripe reports about the plans of a workspace is noted in its audit log, whoever wrote it: so it is by triggers.
-- Amounts and cards are in no line.
create function public.audit_plan() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_workspace uuid;
  former jsonb;
begin
  select c.workspace_id into found_workspace from public.customers c where c.id = new.customer_id;
  -- One that is being deleted takes its log along. To wait for it here could be to wait for ever: whoever deletes it
  -- waits for its customers.
  perform 1 from public.workspaces w where w.id = found_workspace for key share skip locked;
  if not found then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    former := jsonb_build_object(
      'status', old.status, 'plan', old.plan, 'interval', old.billing_interval, 'ends', old.cancel_at
    );
  end if;
  perform public.note_audit(
    found_workspace, null, 'plan.changed', new.id, former,
    jsonb_build_object(
      'status', new.status, 'plan', new.plan, 'interval', new.billing_interval, 'ends', new.cancel_at
    )
  );
  return null;
end;
$$;
revoke execute on function public.audit_plan() from service_role;

create trigger audit_new_plan after insert on public.subscriptions
  for each row execute function public.audit_plan();
create trigger audit_plan after update on public.subscriptions
  for each row when (
    (old.status, old.plan, old.billing_interval, old.cancel_at)
      is distinct from (new.status, new.plan, new.billing_interval, new.cancel_at)
  )
  execute function public.audit_plan();

-- Notes that a guest's purchase came to a workspace.
create function public.audit_claim() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.note_audit(new.workspace_id, new.user_id, 'purchase.claimed', new.id);
  return null;
end;
$$;
revoke execute on function public.audit_claim() from service_role;

create trigger audit_claim after update of workspace_id on public.customers
  for each row when (old.workspace_id is null and new.workspace_id is not null)
  execute function public.audit_claim();

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

-- The confirmed address of a workspace's longest-standing owner who has one: Stripe should have it, and mails about
-- the plans go there. Null for no workspace.
create function public.billing_contact(workspace uuid) returns text
  language sql
  stable
  -- No role of the API may read auth.users; this looks up one address there.
  security definer
  set search_path = ''
as $$
  select u.email::text from public.members m
  join auth.users u on u.id = m.user_id
  where m.workspace_id = workspace and m.role = 'owner'
    and u.email_confirmed_at is not null and u.email <> ''
  order by m.joined_at, m.user_id
  limit 1;
$$;

-- What a read of a customer at Stripe begins with: {ticket, address}, a ticket as take_sync_ticket gives it,
-- and the address of the billing contact of the customer's workspace, or null. Stripe should have that one;
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
      select b.address
      from public.customers c, public.billing_contact(c.workspace_id) as b (address)
      where c.id = of_customer and b.address is distinct from c.refused_address
    )
  );
$$;

-- Writes one customer and all its subscriptions as Stripe reported them, in one transaction. Answers false when a later
-- read was already written, or the customer was given up. The customer belongs to the workspace that it names at
-- Stripe, or else to the personal workspace of the person whom it names. A deleted customer no longer tells when it was
-- made, and Stripe ends its subscriptions and may not list them any more: they end here too.
create function public.record_subscriptions(
  ticket bigint,
  customer jsonb,
  customer_subscriptions jsonb
) returns boolean
  language plpgsql
  -- No role of the API may read auth.users, nor write workspaces.
  security definer
  set search_path = ''
as $$
declare
  owner uuid := (customer ->> 'user_id')::uuid;
  found_workspace uuid := (customer ->> 'workspace_id')::uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(customer ->> 'id', 0));
  if exists (select 1 from public.closed_customers c where c.id = customer ->> 'id') then
    return false;
  end if;

  if not exists (select from public.customers c where c.id = customer ->> 'id') then
    if not exists (select from public.workspaces w where w.id = found_workspace) then
      found_workspace := case
        when exists (select from auth.users u where u.id = owner) then public.personal_workspace(owner)
      end;
    end if;
    -- A second customer that names the same workspace stays its own, but nothing is bought with it.
    insert into public.customers (id, workspace_id, origin, email, stripe_created_at)
    values (
      customer ->> 'id',
      found_workspace,
      case
        when found_workspace is null then 'guest'
        when exists (select from public.customers c where c.workspace_id = found_workspace) then 'guest'
        else 'account'
      end,
      customer ->> 'email',
      (customer ->> 'created_at')::timestamptz
    )
    on conflict (id) do nothing;
  end if;

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

-- Gives the personal workspace of a person the purchases that a guest made with the address they have now verified. A
-- customer that belongs to a workspace is nobody's to claim, also where the account that it came from is gone.
-- Row-level security cannot help here: only the Worker calls it, with an address that the auth server says is verified.
create function public.claim_guest_purchases(claimant uuid, verified_email text)
  returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  personal uuid;
  claimed integer;
begin
  -- Most have nothing to claim.
  if not exists (
    select from public.customers c
    where c.user_id is null and c.workspace_id is null and c.origin = 'guest'
      and lower(c.email) = lower(verified_email)
  ) then
    return 0;
  end if;
  personal := public.personal_workspace(claimant);
  -- Whatever it answers: it locks the account and its membership, which come before customers in the order of locks.
  perform public.member_may(claimant, personal, 'billing');
  update public.customers c
  set user_id = claimant, workspace_id = personal
  where c.user_id is null and c.workspace_id is null and c.origin = 'guest'
    and lower(c.email) = lower(verified_email);
  get diagnostics claimed = row_count;
  return claimed;
end;
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

-- Which customers have a subscription that is not here as it is in this page of Stripe's list, or one here that Stripe
-- no longer lists, which `gone` then names; `closed` is a customer that was given up. The page holds everything that
-- was created after `newer_than` (without it: everything) up to `up_to`, but for the ids in `tied`, which were
-- compared. What only lacks columns that were never written gets them here: else each would be read again.
create function public.compare_subscriptions(
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

-- The same for a page of Stripe's customers, with the card, with those that Stripe lists again after it did not know
-- them, and with those whose address is not that of the workspace's billing contact, unless Stripe has refused that
-- one. Stripe does not list the deleted ones: theirs are the rows here that still have an address, and are not in the
-- page. What only lacks its time gets that here: else each such customer would be read again.
create function public.compare_customers(
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

-- Which plans a workspace has, for everybody who sees it: what may be made there follows from them. Card, address and
-- amounts are in the tables, for those who may do its billing.
create function public.plans_of(workspace uuid) returns table (
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
  order by s.created_at desc, s.id;
$$;
grant execute on function public.plans_of(uuid) to authenticated;

-- The plan that runs for a workspace: 'none', 'basic' or 'pro'. Where a subscription has no plan, a price that is not
-- one of `basic_prices` is Pro, as app/features/deployments/plan/plan-limits.ts has it.
create function public.workspace_plan(workspace uuid, basic_prices text[]) returns text
  language sql
  stable
  set search_path = ''
as $$
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
    where c.workspace_id = workspace
      and c.missing_since is null
      and s.status in ('active', 'trialing', 'past_due')
  ) paid
  where paid.plan <> 'none';
$$;

-- The same for the personal workspace of an account.
create function public.account_plan(owner uuid, basic_prices text[]) returns text
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return public.workspace_plan(
    (select w.id from public.workspaces w where w.personal_of = owner), basic_prices
  );
end;
$$;

-- What an account may keep and send, by its plan, and how long that is kept. app/platform/database/quotas.ts has the
-- same figures for what people read; a test holds both together.

-- `of_plan` is what account_plan answers.
create function public.plan_quota(of_plan text) returns table (
  usage_events_a_day integer,
  usage_identities_a_day integer,
  token_allowances integer
)
  language sql
  immutable
  set search_path = ''
as $$
  select q.events, q.identities, q.allowances
  from (
    values ('none', 1000, 10, 20), ('basic', 10000, 50, 200), ('pro', 20000, 100, 1000)
  ) as q (plan, events, identities, allowances)
  where q.plan = of_plan;
$$;

-- What is the same for every plan, and what belongs to no account.
create function public.site_quota() returns table (
  usage_events_kept_days integer,
  usage_days_kept_days integer,
  configuration_versions integer,
  deployment_versions integer,
  contact_messages_a_day integer,
  contact_messages_a_day_of_one integer,
  contact_messages_kept integer,
  contact_messages_kept_days integer
)
  language sql
  immutable
  set search_path = ''
as $$
  select 3, 400, 100, 50, 200, 20, 5000, 365;
$$;

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

-- The Stripe customers that go with an account: of workspaces where the person is the only member, and those that
-- belong to no workspace yet.
create function public.customers_of_account(person uuid) returns setof text
  language sql
  stable
  set search_path = ''
as $$
  select c.id from public.members m
  join public.customers c on c.workspace_id = m.workspace_id
  where m.user_id = person and not exists (
    select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
  )
  union
  select c.id from public.customers c where c.user_id = person and c.workspace_id is null;
$$;
