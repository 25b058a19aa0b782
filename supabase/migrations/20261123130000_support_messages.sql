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

-- Keeps a message of a signed-in person, who is counted instead of their network. Answers as keep_contact_message
-- does. A deployment of somebody else is left out.
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
  outcome text;
begin
  outcome := public.keep_contact_message(
    new_id, left(owner_email, 100), owner_email, new_topic, new_message, 'account ' || owner
  );
  if outcome = 'kept' then
    update public.contact_messages m
    set
      user_id = owner,
      deployment_id = d.id,
      deployment_version = case when d.id is not null then about_version end
    from (select 1) one
    left join public.deployments d on d.id = about and d.user_id = owner
    where m.id = new_id;
  end if;
  return outcome;
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
