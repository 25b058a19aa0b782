-- A plan that is paused: from the end of what is paid, for some months. Meanwhile its status here is 'paused', which
-- gives no rights, though Stripe's stays active.

-- From when to when, as Stripe says it. `paused_since`: when we first saw it.
alter table public.subscriptions
  add column paused_from timestamptz,
  add column paused_until timestamptz,
  add column paused_since timestamptz;

create index subscriptions_by_pause on public.subscriptions (paused_until) where paused_until is not null;

create or replace function public.note_billing_news() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if new.status is distinct from old.status then
    new.past_due_since := case when new.status = 'past_due' then now() end;
  end if;
  if new.cancel_at is distinct from old.cancel_at then
    new.cancelled_since := case when new.cancel_at is not null then now() end;
  end if;
  if new.paused_from is distinct from old.paused_from then
    new.paused_since := case when new.paused_from is not null then now() end;
  end if;
  return new;
end;
$$;

-- As before, with a pause.
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
    card_brand, card_last4, card_expires_at, end_reason, paused_from, paused_until
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
    s.end_reason, s.paused_from, s.paused_until
  from jsonb_to_recordset(customer_subscriptions) as s (
    id text, status text, price_id text, unit_amount bigint, currency text, billing_interval text,
    current_period_end timestamptz, cancel_at timestamptz, ended_at timestamptz,
    created_at timestamptz, plan text, quantity integer, interval_count integer, discounts jsonb, tax text,
    next_price_id text, next_plan text, next_amount bigint, next_interval text, changes_at timestamptz,
    pending_until timestamptz, card_brand text, card_last4 text, card_expires_at date, end_reason text,
    paused_from timestamptz, paused_until timestamptz
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
    end_reason = excluded.end_reason,
    paused_from = excluded.paused_from,
    paused_until = excluded.paused_until;

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

-- As before, and what there is to tell of a pause that was taken, and of one that ends within a week.
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
    'failed:' || h.id || ':' || to_char(h.past_due_since at time zone 'UTC', 'YYYY-MM-DD'), h.customer_id, 'failed',
    jsonb_build_object('plan', h.plan)
  from held h
  where h.status = 'past_due'
    and h.past_due_since > (select n.since from news n)
  union all
  select
    'cancelled:' || h.id || ':' || to_char(h.cancel_at at time zone 'UTC', 'YYYY-MM-DD'), h.customer_id, 'cancelled',
    jsonb_build_object('plan', h.plan, 'ends', h.cancel_at)
  from held h
  where h.is_running
    and h.cancelled_since > (select n.since from news n)
    and h.cancel_at >= now() + interval '7 days'
  union all
  select
    'paused:' || h.id || ':' || to_char(h.paused_from at time zone 'UTC', 'YYYY-MM-DD'), h.customer_id, 'paused',
    jsonb_build_object('plan', h.plan, 'from', h.paused_from, 'until', h.paused_until)
  from held h
  where h.status in ('active', 'paused')
    and h.paused_since > (select n.since from news n)
  union all
  select
    'pause-ends:' || h.id || ':' || to_char(h.paused_until at time zone 'UTC', 'YYYY-MM-DD'), h.customer_id,
    'pause-ends', jsonb_build_object('plan', h.plan, 'until', h.paused_until)
  from held h
  where h.status = 'paused'
    and h.cancel_at is null
    and h.paused_until > now() and h.paused_until < now() + interval '7 days'
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
    and h.card_expires_at < (date_trunc('month', now() at time zone 'UTC') + interval '2 months')::date
  union all
  select
    case when t.last then 'history-ends-soon:' else 'history-ends:' end || h.id, h.customer_id, 'history-ends',
    jsonb_build_object('ended', h.ended_at, 'ends', greatest(h.ended_at + interval '90 days', now() + interval '7 days'), 'last', t.last)
  from held h
  cross join (values (false), (true)) as t (last)
  where h.ended_at < now() - case when t.last then interval '83 days' else interval '60 days' end
    and h.ended_at > now() - interval '140 days'
    and exists (select from public.servers v where v.workspace_id = h.workspace_id)
    and h.id = (select e.subscription_id from public.last_plan_end(h.workspace_id) e)
    and (
      not t.last
      or exists (
        select from public.mail_outbox m
        where m.occasion = 'history-ends:' || h.id
          and m.sent_at < now() - interval '7 days'
      )
    );
$$;

-- As before, and whether the team has paused its plan: its servers are not watched meanwhile.
create or replace function public.fleet_facts(workspace uuid, basic_prices text[]) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  select jsonb_build_object(
    'slug', w.slug,
    'name', w.name,
    'owner', (
      select m.user_id from public.members m
      where m.workspace_id = w.id and m.role = 'owner'
      order by m.joined_at, m.user_id limit 1
    ),
    'plan', public.workspace_plan(w.id, basic_prices),
    'ended_at', e.ended_at,
    'paused', exists (
      select from public.customers c
      join public.subscriptions s on s.customer_id = c.id
      where c.workspace_id = w.id and s.status = 'paused' and s.paused_until is not null and c.missing_since is null
    ) and public.workspace_plan(w.id, basic_prices) = 'none',
    'history_over', coalesce(f.history_over_of = e.subscription_id, false)
  )
  from public.workspaces w
  left join public.fleets f on f.workspace_id = w.id
  left join public.last_plan_end(w.id) e on true
  where w.id = workspace;
$$;
