-- A customer and its plans belong to a workspace: read by members who may do its billing, kept when a member's account
-- goes, and claimed only while they belong to none.

-- allowed: each account owns a personal workspace with all of its customers, so everybody reads what they read before
alter policy "People read their own customers" on public.customers
  using (workspace_id = any (array(select public.workspaces_where('billing'))));

-- allowed: for the same reason as the first
alter policy "People read their own subscriptions" on public.subscriptions
  using (
    customer_id = any (array(
      select c.id from public.customers c
      where c.workspace_id = any (array(select public.workspaces_where('billing')))
    ))
  );

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

-- The plan that runs for a workspace: 'none', 'basic' or 'pro'. In rows of former code a price that is not one of
-- `basic_prices` is Pro, as app/features/deployments/plan/plan-limits.ts has it.
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
create or replace function public.account_plan(owner uuid, basic_prices text[]) returns text
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

-- As before, with the address of the workspace's billing contact.
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
    )
  );
$$;

-- As before, with customers of a workspace: that which the customer names at Stripe, or else the personal workspace of
-- the person whom it names.
create or replace function public.record_subscriptions(
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

-- As before, with the address of the workspace's billing contact.
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

-- As before, and to workspaces. Of another plan that runs is told where it is the same workspace's.
create or replace function public.mail_occasions() returns table (
  occasion text,
  customer_id text,
  kind text,
  data jsonb
)
  language sql
  stable
  set search_path = ''
as $$
  with held as not materialized (
    select s.*, c.workspace_id, s.status in ('active', 'trialing', 'past_due') as is_running
    from public.subscriptions s
    join public.customers c on c.id = s.customer_id
    where s.plan in ('basic', 'pro')
      and c.missing_since is null
      and (c.workspace_id is not null or c.origin = 'guest')
      and (c.deletion_asked_at is null or c.deletion_asked_at < now() - interval '1 hour')
  ),
  news as (
    select greatest(now() - interval '3 days', (select b.since from public.mail_budget b)) as since
  )
  select 'begins:' || h.id || ':' || h.plan, h.customer_id, 'begins',
    jsonb_build_object(
      'plan', h.plan, 'renews', h.current_period_end, 'ends', h.cancel_at, 'guest', h.workspace_id is null
    )
  from held h
  where h.status in ('active', 'trialing')
    and (
      h.created_at > (select n.since from news n) or h.plan_since > (select n.since from news n)
    )
  union all
  select
    'ends-soon:' || h.id || ':' || to_char(h.cancel_at at time zone 'UTC', 'YYYY-MM-DD'),
    h.customer_id, 'ends-soon', jsonb_build_object('plan', h.plan, 'ends', h.cancel_at, 'owed', h.status = 'past_due')
  from held h
  where h.is_running
    and h.cancel_at > now() and h.cancel_at < now() + interval '7 days'
  union all
  select 'ended:' || h.id, h.customer_id, 'ended',
    jsonb_build_object(
      'plan', h.plan, 'ended', h.ended_at, 'reason', h.end_reason,
      'other', exists (
        select from held o
        where (o.customer_id = h.customer_id or o.workspace_id = h.workspace_id) and o.is_running
      )
    )
  from held h
  where h.status = 'canceled'
    and h.ended_at > (select n.since from news n)
  union all
  select
    'card:' || h.id || ':' || to_char(h.card_expires_at, 'YYYY-MM') || ':' || coalesce(h.card_last4, ''),
    h.customer_id, 'card',
    jsonb_build_object(
      'plan', h.plan, 'brand', h.card_brand, 'last4', h.card_last4, 'expires', h.card_expires_at
    )
  from held h
  where h.is_running
    and h.cancel_at is null
    and h.card_expires_at >= (date_trunc('month', now() at time zone 'UTC') + interval '1 month')::date
    and h.card_expires_at < (date_trunc('month', now() at time zone 'UTC') + interval '2 months')::date;
$$;

-- As before, with the address of the workspace's billing contact, and with the workspace: its name only where it is a
-- team's, so that whoever has no other reads no name.
create or replace function public.claim_mails(at_most integer, an_hour integer, a_day integer) returns jsonb
  language plpgsql
  -- No role of the API may read auth.users; this looks up the addresses there.
  security definer
  set search_path = ''
as $$
declare
  budget public.mail_budget;
  this_hour timestamptz := date_trunc('hour', now());
  this_day timestamptz := date_trunc('day', now(), 'UTC');
  given_up jsonb;
  mails jsonb;
begin
  insert into public.mail_budget default values on conflict do nothing;
  -- Runs that overlap come one after the other here.
  select * into budget from public.mail_budget b for update;
  if budget.hour < this_hour then
    budget.hour := this_hour;
    budget.tried := 0;
  end if;
  if budget.day < this_day then
    budget.day := this_day;
    budget.tried_on_day := 0;
  end if;

  -- What is no longer so, or has changed, is not told. Once the provider was asked it may have the mail: then
  -- the row stays, so that there is no second, and is handed out only while it is so.
  delete from public.mail_outbox m
  where m.sent_at is null and m.gave_up_at is null and m.attempts = 0
    and m.customer_id is not null
    and (m.occasion, m.data) not in (select o.occasion, o.data from public.mail_occasions() o);

  insert into public.mail_outbox (occasion, customer_id, kind, data)
  select o.occasion, o.customer_id, o.kind, o.data from public.mail_occasions() o
  on conflict do nothing;

  -- By 24 hours after the first attempt the provider has forgotten the key.
  with over as (
    update public.mail_outbox m
    set gave_up_at = now(), data = '{}'
    where m.sent_at is null and m.gave_up_at is null and m.next_attempt_at <= now()
      and (m.attempts >= 11 or m.first_attempt_at < now() - interval '23 hours 30 minutes')
    returning m.id, m.kind, m.customer_id, m.occasion
  )
  -- Nobody misses what is no longer so.
  select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'kind', v.kind)), '[]') into given_up
  from over v
  where v.customer_id is null
    or v.occasion in (select o.occasion from public.mail_occasions() o);

  with due as (
    select m.id, coalesce(public.billing_contact(c.workspace_id), c.email) as recipient,
      case when w.id is not null then jsonb_build_object(
        'slug', w.slug,
        'name', case
          when w.personal_of is null
            or exists (select from public.members o where o.workspace_id = w.id and o.user_id <> w.personal_of)
          then w.name
        end
      ) end as workspace
    from public.mail_outbox m
    left join public.customers c on c.id = m.customer_id
    left join public.workspaces w on w.id = c.workspace_id
    where m.sent_at is null and m.gave_up_at is null and m.next_attempt_at <= now()
      and (
        m.customer_id is null
        or (
          m.occasion in (select o.occasion from public.mail_occasions() o)
          and coalesce(public.billing_contact(c.workspace_id), c.email) is not null
        )
      )
    order by m.next_attempt_at, m.id
    limit greatest(0, least(at_most, an_hour - budget.tried, a_day - budget.tried_on_day))
  ),
  claimed as (
    update public.mail_outbox m
    set
      attempts = m.attempts + 1,
      first_attempt_at = coalesce(m.first_attempt_at, now()),
      next_attempt_at = now() + case
        when m.attempts >= 10 then interval '5 minutes'
        else make_interval(secs => 80 * 2 ^ m.attempts)
      end
    from due d
    where m.id = d.id
    returning m.id, m.kind, m.data, m.attempts as attempt, d.recipient, d.workspace
  )
  select coalesce(jsonb_agg(to_jsonb(c)), '[]') into mails from claimed c;

  budget.tried := budget.tried + jsonb_array_length(mails);
  budget.tried_on_day := budget.tried_on_day + jsonb_array_length(mails);
  update public.mail_budget b
  set hour = budget.hour, tried = budget.tried, day = budget.day, tried_on_day = budget.tried_on_day;
  return jsonb_build_object(
    'mails', mails,
    'givenUp', given_up,
    'held', case
      when not exists (
        select from public.mail_outbox m
        where m.sent_at is null and m.gave_up_at is null and m.next_attempt_at <= now()
      ) then null
      when budget.tried_on_day >= a_day then 'a day'
      when budget.tried >= an_hour then 'an hour'
    end
  );
end;
$$;

-- Gives the personal workspace of a person the purchases that a guest made with the address they have now verified. A
-- customer that belongs to a workspace is nobody's to claim, also where the account that it came from is gone.
create or replace function public.claim_guest_purchases(claimant uuid, verified_email text)
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

-- allowed: the running version names the account itself, or makes a guest's customer without a workspace
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

-- allowed: the running version changes no personal workspace
create trigger release_customers after update of personal_of on public.workspaces
  for each row when (old.personal_of is not null and new.personal_of is distinct from old.personal_of)
  execute function public.release_customers();

revoke execute on function
  public.plans_of(uuid),
  public.workspace_plan(uuid, text[]),
  public.billing_contact(uuid),
  public.name_account(),
  public.release_customers()
  from public, anon, authenticated;
grant execute on function public.plans_of(uuid) to authenticated;
grant execute on function public.workspace_plan(uuid, text[]) to service_role;
