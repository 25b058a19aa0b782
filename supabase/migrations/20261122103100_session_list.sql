-- The sessions that a person has, for their own list: the auth server keeps them, and tells nobody. Newest use
-- first, at most `most` of them. A session is used when it is refreshed, which an open page does each hour.
create function public.sessions_of(person uuid, most int default 50) returns table (
  id uuid,
  user_agent text,
  address text,
  signed_in_at timestamptz,
  used_at timestamptz,
  second_factor boolean
)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  return query
    select
      s.id,
      left(s.user_agent, 500),
      host(s.ip),
      s.created_at,
      greatest(s.created_at, s.refreshed_at at time zone 'UTC'),
      coalesce(s.aal::text = 'aal2', false)
    from auth.sessions s
    where s.user_id = person
      and public.session_in_limits(s.created_at, s.refreshed_at, s.not_after)
    order by greatest(s.created_at, s.refreshed_at at time zone 'UTC') desc, s.id
    limit most;
end;
$$;

-- Ends one session of a person; its refresh tokens go with it. Somebody else's is unknown here.
create function public.end_session(person uuid, session uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = session and s.user_id = person;
  return found;
end;
$$;

-- Whether a person has a password: the auth server does not tell, and a new one needs the old one.
create function public.has_password(person uuid) returns boolean
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select coalesce(u.encrypted_password, '') <> '' from auth.users u where u.id = person;
$$;

revoke execute on function public.sessions_of(uuid, int) from public, anon, authenticated;
revoke execute on function public.end_session(uuid, uuid) from public, anon, authenticated;
revoke execute on function public.has_password(uuid) from public, anon, authenticated;
grant execute on function public.sessions_of(uuid, int) to service_role;
grant execute on function public.end_session(uuid, uuid) to service_role;
grant execute on function public.has_password(uuid) to service_role;
