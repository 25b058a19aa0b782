-- As before; asked once, it is the condition of the answers' index.
-- allowed: it shows the same rows as before
alter policy "People read the answers to their own messages" on public.contact_answers
  using (
    message_id = any (array(
      select m.id from public.contact_messages m where m.user_id = (select auth.uid())
    ))
  );

-- Keeps a message of a signed-in person. Answers 'kept', or 'sender' when they wrote so many today that no more are
-- taken. It stays the writer's. A deployment that they may not see, or one that is deleted, is left out.
create or replace function public.keep_support_message(
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
