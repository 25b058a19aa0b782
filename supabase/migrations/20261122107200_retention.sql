-- How many contact messages come in a day, and the removal of what was kept long enough.

-- A keyed hash of the sender's network and the day, to count them by; null after two days.
alter table public.contact_messages add column sender text;

-- Keeps a message. Answers 'kept', or 'sender' or 'all' when so many came today (UTC) from this sender or from
-- everybody that no more are taken.
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
  if (select count(*) from public.contact_messages m where m.created_at >= today)
    >= quota.contact_messages_a_day then
    return 'all';
  end if;
  insert into public.contact_messages (id, name, email, topic, message, sender)
  values (new_id, new_name, new_email, new_topic, new_message, new_sender);
  return 'kept';
end;
$$;

-- Removes what is older than site_quota says, at most so many rows of each table. Answers how many.
create function public.remove_expired(at_most integer) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  kept record;
  events integer;
  days integer;
  messages integer;
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
  return jsonb_build_object(
    'usage_events', events, 'usage_days', days, 'contact_messages', messages
  );
end;
$$;

revoke execute on function public.keep_contact_message(uuid, text, text, text, text, text)
  from public, anon, authenticated;
revoke execute on function public.remove_expired(integer) from public, anon, authenticated;
grant execute on function public.keep_contact_message(uuid, text, text, text, text, text)
  to service_role;
grant execute on function public.remove_expired(integer) to service_role;
