-- Connecting and disconnecting a way to sign in. Supabase Auth's own manual linking is off: it ties a
-- flow to whoever began it and not to the browser, so that a link could tie somebody's Google identity
-- to the account of whoever sent it (docs/decisions/0025).

-- The providers that an account's metadata names, as Supabase Auth writes them after each change.
create function public.note_providers(person uuid) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users u
  set raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || jsonb_build_object(
      'providers', n.providers, 'provider', n.providers -> 0),
    updated_at = now()
  from (
    select jsonb_agg(p.provider order by p.first) as providers
    from (
      select i.provider, min(i.created_at) as first
      from auth.identities i where i.user_id = person group by i.provider
    ) p
  ) n
  where u.id = person and n.providers is not null;
$$;

-- Moves the identity of an account that connecting has just made to the account that wanted to connect
-- it, and deletes what is left of the new one. `flow_session` is the session that the flow ended with:
-- whoever names another account, or a session from before the flow, moves nothing. "taken", and nothing is
-- done, unless the account has nothing but that identity and that session: no password, second factor,
-- other session or row, nothing that an operator noted, and no more than a day behind it. What an attempt
-- left behind that nobody finished looks the same, so the next attempt of that day takes it over.
create function public.adopt_identity(
  person uuid,
  newcomer uuid,
  flow_session uuid,
  wanted_provider text,
  begun timestamptz
) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owned record;
  owns boolean;
  -- The clocks of two machines differ by a little.
  earliest timestamptz := begun - interval '1 minute';
begin
  -- In one order, so that two of them cannot wait for each other.
  perform 1 from auth.users u where u.id in (person, newcomer) order by u.id for update;
  if person = newcomer
    or begun < now() - interval '20 minutes'
    or not exists (
      select from auth.users u
      where u.id = person and u.deleted_at is null
        and (u.banned_until is null or u.banned_until < now())
    )
    or not exists (
      select from auth.users u
      where u.id = newcomer and u.created_at >= earliest - interval '1 day'
        and coalesce(u.encrypted_password, '') = ''
        and u.deleted_at is null and u.banned_until is null
        and coalesce(u.raw_app_meta_data, '{}') - 'provider' - 'providers' = '{}'
    )
    or not exists (
      select from auth.sessions s
      where s.id = flow_session and s.user_id = newcomer and s.created_at >= earliest
    )
    or exists (select from auth.sessions s where s.user_id = newcomer and s.id <> flow_session)
    or (select count(*) from auth.identities i where i.user_id = newcomer) <> 1
    or not exists (
      select from auth.identities i
      where i.user_id = newcomer and i.provider = wanted_provider and i.provider <> 'email'
    )
    or exists (select from auth.mfa_factors f where f.user_id = newcomer)
  then
    return 'taken';
  end if;
  for owned in
    select c.conrelid::regclass as relation, a.attname as name
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_class r on r.oid = c.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'auth.users'::regclass
      and r.relnamespace = 'public'::regnamespace
  loop
    execute format('select exists (select from %s where %I = $1)', owned.relation, owned.name)
      into owns using newcomer;
    if owns then
      return 'taken';
    end if;
  end loop;
  update auth.identities set user_id = person, updated_at = now() where user_id = newcomer;
  delete from auth.users where id = newcomer;
  perform public.note_providers(person);
  return 'connected';
end;
$$;

-- Takes a way to sign in from its owner, unless it is the last one: "removed", "unknown" or "only". That
-- of the address itself stays: links and codes go there whatever is noted. Whoever controlled the provider
-- may be signed in by it, so every session of the owner ends but the one that is kept, and every code
-- of a sign-in that nobody redeemed yet.
create function public.remove_identity(
  person uuid,
  identity uuid,
  kept_session uuid default null
) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform 1 from auth.users u where u.id = person for update;
  if not exists (
    select from auth.identities i
    where i.id = identity and i.user_id = person and i.provider not in ('email', 'phone')
  ) then
    return 'unknown';
  end if;
  if (select count(*) from auth.identities i where i.user_id = person) < 2 then
    return 'only';
  end if;
  delete from auth.identities i where i.id = identity and i.user_id = person;
  delete from auth.sessions s where s.user_id = person and s.id is distinct from kept_session;
  -- Each row with a person is of such a code, which would open another session.
  delete from auth.flow_state f where f.user_id = person;
  perform public.note_providers(person);
  return 'removed';
end;
$$;

revoke execute on function public.note_providers(uuid) from public, anon, authenticated;
revoke execute on function public.adopt_identity(uuid, uuid, uuid, text, timestamptz)
  from public, anon, authenticated;
revoke execute on function public.remove_identity(uuid, uuid, uuid) from public, anon, authenticated;
grant execute on function public.note_providers(uuid) to service_role;
grant execute on function public.adopt_identity(uuid, uuid, uuid, text, timestamptz) to service_role;
grant execute on function public.remove_identity(uuid, uuid, uuid) to service_role;
