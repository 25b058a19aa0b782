-- As before, and a mail for every change of plan: also for one back to a plan whose beginning was mailed once.
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
  -- A change back to a plan that was mailed before is mailed again, under its time.
  select 'begins:' || h.id || ':' || h.plan || case
      when exists (
        select from public.mail_outbox m
        where m.occasion = 'begins:' || h.id || ':' || h.plan and m.created_at < h.plan_since
      ) then ':' || to_char(h.plan_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
      else ''
    end, h.customer_id, 'begins',
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
