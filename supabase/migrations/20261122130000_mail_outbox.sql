-- Mails about plans: each is a row here before it is sent, so that none is lost and none is sent twice.
-- Who gets one is looked up when it is sent: no address is kept here.
create table public.mail_outbox (
  -- Also the idempotency key for the provider.
  id uuid primary key default gen_random_uuid(),
  -- What the mail is about, such as 'begins:sub_1': there is one mail for it, ever.
  occasion text not null unique,
  -- Null for a mail to the operator. What is kept of a customer goes with the customer.
  customer_id text references public.customers (id) on delete cascade,
  kind text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- Those that may have reached the provider: one that it told to wait is none.
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  gave_up_at timestamptz
);

create index mail_outbox_due on public.mail_outbox (next_attempt_at)
  where sent_at is null and gave_up_at is null;
create index mail_outbox_by_customer on public.mail_outbox (customer_id);
create index mail_outbox_by_time on public.mail_outbox (created_at);

-- For the occasions: each is looked for once a minute.
create index subscriptions_by_end on public.subscriptions (ended_at) where ended_at is not null;
create index subscriptions_by_cancellation on public.subscriptions (cancel_at)
  where cancel_at is not null;
create index subscriptions_by_card_expiry on public.subscriptions (card_expires_at)
  where card_expires_at is not null;

-- When a subscription changed from one of our plans to the other, as we saw it. Null where it never did, or
-- where former code has written the row.
alter table public.subscriptions add column plan_since timestamptz;
create index subscriptions_by_plan_change on public.subscriptions (plan_since)
  where plan_since is not null;

create function public.note_plan_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.plan_since := now();
  return new;
end;
$$;

-- allowed: it only writes into a new column.
create trigger note_plan_change before update on public.subscriptions
  for each row
  when (
    old.plan in ('basic', 'pro') and new.plan in ('basic', 'pro')
    and old.plan is distinct from new.plan
  )
  execute function public.note_plan_change();

-- When somebody last asked to delete the account of a customer. Its plans end before its rows go: nobody is
-- told of that in between, nor while the deletion can be tried again.
alter table public.customers add column deletion_asked_at timestamptz;

-- What has been tried in this hour and on this day (of UTC), and since when mails are queued: of what was
-- before, nobody is told.
create table public.mail_budget (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default '-infinity',
  hour timestamptz not null default date_trunc('hour', now()),
  tried integer not null default 0,
  day timestamptz not null default date_trunc('day', now(), 'UTC'),
  tried_on_day integer not null default 0
);
insert into public.mail_budget (since) values (now());

alter table public.mail_outbox enable row level security;
alter table public.mail_budget enable row level security;
revoke all on public.mail_outbox, public.mail_budget from anon, authenticated;
grant all on public.mail_outbox, public.mail_budget to service_role;

-- What there is to tell customers now. The same state gives the same occasions, however often it is asked.
-- Nothing is told about a product that is not ours, to a customer whom Stripe does not know, or to an account
-- that is closed or being deleted.
create function public.mail_occasions() returns table (
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
    select s.*, c.user_id, s.status in ('active', 'trialing', 'past_due') as is_running
    from public.subscriptions s
    join public.customers c on c.id = s.customer_id
    where s.plan in ('basic', 'pro')
      and c.missing_since is null
      and (c.user_id is not null or c.origin = 'guest')
      and (c.deletion_asked_at is null or c.deletion_asked_at < now() - interval '1 hour')
  ),
  news as (
    select greatest(now() - interval '3 days', (select b.since from public.mail_budget b)) as since
  )
  select 'begins:' || h.id || ':' || h.plan, h.customer_id, 'begins',
    jsonb_build_object(
      'plan', h.plan, 'renews', h.current_period_end, 'ends', h.cancel_at, 'guest', h.user_id is null
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
        where (o.customer_id = h.customer_id or o.user_id = h.user_id) and o.is_running
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

-- Queues what there is to tell, and hands out up to `at_most` mails to be sent, with the address of each:
-- that which the account has confirmed, or else the customer's; null for the operator. A mail that was handed
-- out is handed out again later, unless settle_mails says that it was sent: after 80 seconds at first, then
-- twice as long each time, eleven times in 23 hours. No more than `an_hour` are handed out in an hour, and
-- `a_day` on a day.
-- Answers {mails: [{id, kind, data, recipient, attempt}], givenUp: [{id, kind}], held}: `held` is 'an hour'
-- or 'a day' where the mails of that are used up and one is due, else null.
create function public.claim_mails(at_most integer, an_hour integer, a_day integer) returns jsonb
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
    select m.id,
      coalesce(
        case when u.email_confirmed_at is not null and u.email <> '' then u.email end, c.email
      ) as recipient
    from public.mail_outbox m
    left join public.customers c on c.id = m.customer_id
    left join auth.users u on u.id = c.user_id
    where m.sent_at is null and m.gave_up_at is null and m.next_attempt_at <= now()
      and (
        m.customer_id is null
        or (
          m.occasion in (select o.occasion from public.mail_occasions() o)
          and coalesce(
            case when u.email_confirmed_at is not null and u.email <> '' then u.email end, c.email
          ) is not null
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
    returning m.id, m.kind, m.data, m.attempts as attempt, d.recipient
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

-- Notes which mails the provider took, which it will never take, and which it has not got for certain: since it
-- asked us to wait (`postponed`, due again when they would be), or since we then did not ask (`untried`, due
-- at once). No attempt of these two counts, in no budget. What was told is not kept.
create function public.settle_mails(taken uuid[], refused uuid[], postponed uuid[], untried uuid[])
  returns void
  language sql
  set search_path = ''
as $$
  update public.mail_outbox m
  set
    sent_at = case when m.id = any (taken) then now() end,
    gave_up_at = case when m.id = any (taken) then null else now() end,
    data = '{}'
  where m.id = any (taken || refused) and m.sent_at is null;

  update public.mail_outbox m
  set
    attempts = m.attempts - 1,
    first_attempt_at = case when m.attempts > 1 then m.first_attempt_at end,
    next_attempt_at = case when m.id = any (untried) then now() else m.next_attempt_at end
  where m.id = any (postponed || untried) and m.attempts > 0 and m.sent_at is null and m.gave_up_at is null;

  update public.mail_budget b
  set
    tried = greatest(0, b.tried - cardinality(postponed || untried)),
    tried_on_day = greatest(0, b.tried_on_day - cardinality(postponed || untried))
  where cardinality(postponed || untried) > 0;
$$;

-- A mail to the operator that a customer's bank disputes a payment; `about` has ids of Stripe's and nothing else.
create function public.queue_dispute_mail(dispute text, about jsonb) returns void
  language sql
  set search_path = ''
as $$
  insert into public.mail_outbox (occasion, kind, data)
  values ('dispute:' || dispute, 'dispute', about)
  on conflict do nothing;
$$;

-- As before, and with the mails. Each is remembered for longer than its occasion lasts.
create or replace function public.remove_expired(at_most integer) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  kept record;
  events integer;
  days integer;
  messages integer;
  mails integer;
begin
  select * into kept from public.site_quota();
  delete from public.token_usage_events e where e.ctid = any (array(
    select x.ctid from public.token_usage_events x
    where x.recorded_at < now() - make_interval(days => kept.usage_events_kept_days)
    limit at_most for update skip locked
  ));
  get diagnostics events = row_count;
  delete from public.token_usage_days d where d.ctid = any (array(
    select x.ctid from public.token_usage_days x
    where x.day < (now() at time zone 'UTC')::date - kept.usage_days_kept_days
    limit at_most for update skip locked
  ));
  get diagnostics days = row_count;
  delete from public.contact_messages m where m.ctid = any (array(
    select x.ctid from public.contact_messages x
    where x.created_at < greatest(
      now() - make_interval(days => kept.contact_messages_kept_days),
      (
        select n.created_at from public.contact_messages n
        order by n.created_at desc offset kept.contact_messages_kept - 1 limit 1
      )
    )
    limit at_most for update skip locked
  ));
  get diagnostics messages = row_count;
  update public.contact_messages m set sender = null
  where m.sender is not null and m.created_at < now() - interval '2 days';
  delete from public.mail_outbox m where m.ctid = any (array(
    select x.ctid from public.mail_outbox x
    where x.created_at < now() - interval '90 days'
    limit at_most for update skip locked
  ));
  get diagnostics mails = row_count;
  return jsonb_build_object(
    'usage_events', events, 'usage_days', days, 'contact_messages', messages, 'mails', mails
  );
end;
$$;

revoke execute on function public.note_plan_change() from public, anon, authenticated;
revoke execute on function public.mail_occasions() from public, anon, authenticated;
revoke execute on function public.claim_mails(integer, integer, integer) from public, anon, authenticated;
revoke execute on function public.settle_mails(uuid[], uuid[], uuid[], uuid[]) from public, anon, authenticated;
revoke execute on function public.queue_dispute_mail(text, jsonb) from public, anon, authenticated;
grant execute on function public.mail_occasions() to service_role;
grant execute on function public.claim_mails(integer, integer, integer) to service_role;
grant execute on function public.settle_mails(uuid[], uuid[], uuid[], uuid[]) to service_role;
grant execute on function public.queue_dispute_mail(text, jsonb) to service_role;
