-- Mails about plans, messages of the contact forms and their answers, and the removal of what was kept long enough.

-- Each mail is a row here before it is sent, so that none is lost and none is sent twice.
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

-- What there is to tell workspaces' customers now. The same state gives the same occasions, however often it is asked.
-- Nothing is told about a product that is not ours, to a customer whom Stripe does not know, or to an account that is
-- closed or being deleted. Of another plan that runs is told where it is the same workspace's. Two mails say when what
-- a workspace's servers reported is deleted: sixty days after its last plan ended, and a week before, which is not
-- sooner than a week after the first was sent. The mail outbox remembers them for longer than their occasion lasts.
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

-- Queues what there is to tell, and hands out up to `at_most` mails to be sent, with the address of each: that of the
-- workspace's billing contact, or else the customer's; null for the operator. The workspace's name comes with it only
-- where it is a team's, so that whoever has no other reads no name. A mail that was handed
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

-- What people write on /contact and in the console. Only the Worker (service_role) writes here. Messages that somebody
-- writes while signed in belong to their account, and are shown to them with the answers; the others nobody reads
-- through the API but service_role: support reads the mail, or the table in Supabase's dashboard.
create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 254),
  topic text not null check (topic in ('sales', 'support', 'other')),
  message text not null check (char_length(message) between 10 and 5000),
  created_at timestamptz not null default now(),
  -- A keyed hash of the sender's network and the day, to count them by; null after two days.
  sender text,
  user_id uuid references auth.users (id) on delete cascade,
  -- What the message is about, as it was then.
  deployment_id uuid references public.deployments (id) on delete set null,
  deployment_version integer check (deployment_version > 0),
  status text not null default 'open' check (status in ('open', 'answered'))
);

create index contact_messages_by_time on public.contact_messages (created_at desc);
create index contact_messages_by_user on public.contact_messages (user_id, created_at desc);
create index contact_messages_by_deployment on public.contact_messages (deployment_id);

-- What was answered, also by mail. Support writes here with answer_contact_message.
create table public.contact_answers (
  id uuid primary key default gen_random_uuid(),
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  answer text not null check (char_length(answer) between 1 and 20000),
  created_at timestamptz not null default now()
);

create index contact_answers_by_message on public.contact_answers (message_id, created_at);

alter table public.contact_messages enable row level security;
alter table public.contact_answers enable row level security;

create policy "People read their own messages" on public.contact_messages
  for select to authenticated
  using (user_id = (select auth.uid()));
-- Asked once, it is the condition of the answers' index.
create policy "People read the answers to their own messages" on public.contact_answers
  for select to authenticated
  using (
    message_id = any (array(
      select m.id from public.contact_messages m where m.user_id = (select auth.uid())
    ))
  );

create policy "Only a session that is there and proved reads messages" on public.contact_messages
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads answers" on public.contact_answers
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.contact_messages, public.contact_answers from anon, authenticated;
-- Not `sender`: what it is made of is nobody's business but the limit's.
grant select (
  id, user_id, topic, message, created_at, deployment_id, deployment_version, status
) on public.contact_messages to authenticated;
grant select on public.contact_answers to authenticated;
grant all on public.contact_messages, public.contact_answers to service_role;

-- Keeps a message of the public form. Answers 'kept', or 'sender' or 'all' when so many came today (UTC) from this
-- sender or from everybody that no more are taken. Messages of the console have no sender and count for nobody else:
-- however many come through the public form, a customer's is taken and kept.
create function public.keep_contact_message(
  new_id uuid,
  new_name text,
  new_email text,
  new_topic text,
  new_message text,
  new_sender text
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  quota record;
  today timestamptz := date_trunc('day', now(), 'UTC');
begin
  select * into quota from public.site_quota();
  perform pg_advisory_xact_lock(hashtextextended('contact messages', 0));
  if (
    select count(*) from public.contact_messages m where m.created_at >= today and m.sender = new_sender
  ) >= quota.contact_messages_a_day_of_one then
    return 'sender';
  end if;
  if (
    select count(*) from public.contact_messages m where m.created_at >= today and m.user_id is null
  ) >= quota.contact_messages_a_day then
    return 'all';
  end if;
  insert into public.contact_messages (id, name, email, topic, message, sender)
  values (new_id, new_name, new_email, new_topic, new_message, new_sender);
  return 'kept';
end;
$$;

-- Keeps a message of a signed-in person. Answers 'kept', or 'sender' when they wrote so many today that no more are
-- taken. It stays the writer's. A deployment that they may not see, or one that is deleted, is left out.
create function public.keep_support_message(
  new_id uuid,
  owner uuid,
  owner_email text,
  new_topic text,
  new_message text,
  about uuid default null,
  about_version integer default null
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(owner, about, 'see');
  today timestamptz := date_trunc('day', now(), 'UTC');
begin
  perform pg_advisory_xact_lock(hashtextextended('support messages of ' || owner, 0));
  if (
    select count(*) from public.contact_messages m where m.user_id = owner and m.created_at >= today
  ) >= (select q.contact_messages_a_day_of_one from public.site_quota() q) then
    return 'sender';
  end if;
  insert into public.contact_messages
    (id, name, email, topic, message, user_id, deployment_id, deployment_version)
  select
    new_id, left(owner_email, 100), owner_email, new_topic, new_message, owner,
    d.id, case when d.id is not null then about_version end
  from (select 1) one
  left join public.deployments d
    on d.id = about and d.workspace_id = found_workspace and d.deleted_at is null;
  return 'kept';
end;
$$;

-- Shows an answer to whoever wrote the message. For the SQL editor, after the mail was written.
create function public.answer_contact_message(message uuid, answer text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into public.contact_answers (message_id, answer)
  values (answer_contact_message.message, answer_contact_message.answer);
  update public.contact_messages m set status = 'answered' where m.id = answer_contact_message.message;
end;
$$;

-- Removes what is older than site_quota says, at most so many rows of each table. Answers how many. Of messages only
-- those of the public form are removed for their number. Each mail is remembered for longer than its occasion lasts.
create function public.remove_expired(at_most integer) returns jsonb
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
    where x.created_at < now() - make_interval(days => kept.contact_messages_kept_days)
      or (
        x.user_id is null
        and x.created_at < (
          select n.created_at from public.contact_messages n where n.user_id is null
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
