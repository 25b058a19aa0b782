-- Messages that somebody writes while signed in belong to their account, and are shown to them with the answers.
-- allowed: the columns are new and may be empty, so what runs meanwhile writes as before.
alter table public.contact_messages
  add column user_id uuid references auth.users (id) on delete cascade,
  -- What the message is about, as it was then.
  add column deployment_id uuid references public.deployments (id) on delete set null,
  add column deployment_version integer check (deployment_version > 0),
  add column status text not null default 'open' check (status in ('open', 'answered'));

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

alter table public.contact_answers enable row level security;
revoke all on public.contact_answers from anon, authenticated;
grant select on public.contact_answers to authenticated;
grant all on public.contact_answers to service_role;

-- Not `sender`: what it is made of is nobody's business but the limit's.
grant select (
  id, user_id, topic, message, created_at, deployment_id, deployment_version, status
) on public.contact_messages to authenticated;

create policy "People read their own messages" on public.contact_messages
  for select to authenticated
  using (user_id = (select auth.uid()));
-- allowed: nobody could read messages before.
create policy "Only a session that is there and proved reads messages" on public.contact_messages
  as restrictive for select to authenticated using ((select public.may_read_own()));

create policy "People read the answers to their own messages" on public.contact_answers
  for select to authenticated
  using (
    message_id in (select m.id from public.contact_messages m where m.user_id = (select auth.uid()))
  );
-- allowed: the table is new.
create policy "Only a session that is there and proved reads answers" on public.contact_answers
  as restrictive for select to authenticated using ((select public.may_read_own()));

-- Messages of the console have no sender and count for nobody else: however many come through the public form, a
-- customer's is taken and kept.
create or replace function public.keep_contact_message(
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

-- As before, but only messages of the public form are removed for their number.
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

-- Keeps a message of a signed-in person. Answers 'kept', or 'sender' when they wrote so many today that no more are
-- taken. A deployment of somebody else, or one that is deleted, is left out.
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
    on d.id = about and d.user_id = owner and d.deleted_at is null;
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

revoke execute on function public.keep_support_message(uuid, uuid, text, text, text, uuid, integer)
  from public, anon, authenticated;
revoke execute on function public.answer_contact_message(uuid, text) from public, anon, authenticated;
grant execute on function public.keep_support_message(uuid, uuid, text, text, text, uuid, integer)
  to service_role;
grant execute on function public.answer_contact_message(uuid, text) to service_role;
