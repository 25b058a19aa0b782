-- A signed token outlives its session by up to an hour. These say what the auth server's own tables say:
-- whether the session is still there, and whether its person owes a second factor. Their bodies are read
-- when they are called: the auth server makes some of these tables after our migrations ran.

-- Whether a session is within its limits: 30 days from the sign-in, 7 days from when it was last refreshed,
-- which an open page does at least once an hour, and whatever end the auth server has set. The auth server
-- keeps `refreshed` in UTC, without a zone.
create function public.session_in_limits(
  begun timestamptz,
  refreshed timestamp,
  not_after timestamptz
) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select begun > now() - interval '30 days'
    and coalesce(refreshed at time zone 'UTC', begun) > now() - interval '7 days'
    and coalesce(not_after > now(), true);
$$;

-- Whether a session of a person is there and within its limits.
create function public.session_lives(session uuid, person uuid) returns boolean
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  return exists (
    select from auth.sessions s
    where s.id = session and s.user_id = person
      and public.session_in_limits(s.created_at, s.refreshed_at, s.not_after)
  );
end;
$$;

-- Whether a person has a second factor set up.
create function public.has_second_factor(person uuid) returns boolean
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  return exists (
    select from auth.mfa_factors f where f.user_id = person and f.status::text = 'verified'
  );
end;
$$;

-- What a signed token does not tell of its session: `ended`, `alive`, or `two-factor` when it is alive
-- and its person has a second factor set up.
create function public.check_session(session uuid, person uuid) returns text
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select case
    when not public.session_lives(session, person) then 'ended'
    when public.has_second_factor(person) then 'two-factor'
    else 'alive'
  end;
$$;

-- Ends the sessions that are over their limits, with their refresh tokens, also where nobody comes to our
-- site with them. Answers how many; the rest of a great number at the next call.
create function public.end_old_sessions() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  ended integer;
begin
  delete from auth.sessions s
  where s.id in (
    select o.id from auth.sessions o
    where not public.session_in_limits(o.created_at, o.refreshed_at, o.not_after)
    limit 10000
  );
  get diagnostics ended = row_count;
  return ended;
end;
$$;

-- Whether whoever asks the database as a person may read what is theirs: their session lives, and they gave
-- their second factor if they have one. Asked once for each query, not for each row.
create function public.may_read_own() returns boolean
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  person uuid := (select auth.uid());
begin
  return public.session_lives((claims ->> 'session_id')::uuid, person)
    and (
      claims ->> 'aal' is not distinct from 'aal2'
      or not public.has_second_factor(person)
    );
end;
$$;

revoke execute on function public.session_in_limits(timestamptz, timestamp, timestamptz)
  from public, anon, authenticated;
revoke execute on function public.session_lives(uuid, uuid) from public, anon, authenticated;
revoke execute on function public.has_second_factor(uuid) from public, anon, authenticated;
revoke execute on function public.check_session(uuid, uuid) from public, anon, authenticated;
revoke execute on function public.end_old_sessions() from public, anon, authenticated;
revoke execute on function public.may_read_own() from public, anon;
grant execute on function public.session_in_limits(timestamptz, timestamp, timestamptz)
  to service_role;
grant execute on function public.session_lives(uuid, uuid) to service_role;
grant execute on function public.has_second_factor(uuid) to service_role;
grant execute on function public.check_session(uuid, uuid) to service_role;
grant execute on function public.end_old_sessions() to service_role;
grant execute on function public.may_read_own() to authenticated;

-- allowed: the code that runs meanwhile reads as a person only after it checked the person's token; it
-- shows nothing of somebody's rows to a session that has ended or has not given its second factor.
create policy "Only a session that is there and proved reads customers" on public.customers
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads subscriptions" on public.subscriptions
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads deployments" on public.deployments
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads versions" on public.deployment_versions
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads configurations"
  on public.model_configuration_versions
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads about tokens" on public.api_tokens
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads usage" on public.token_usage_events
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads days of usage" on public.token_usage_days
  as restrictive for select to authenticated using ((select public.may_read_own()));
-- allowed: for the same reason as the first.
create policy "Only a session that is there and proved reads allowances" on public.token_allowances
  as restrictive for select to authenticated using ((select public.may_read_own()));
