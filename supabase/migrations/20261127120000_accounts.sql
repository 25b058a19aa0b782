-- Accounts, besides what Supabase Auth keeps of them: sessions, tries of codes, recovery codes, ways to sign in,
-- passwords. These eight files are the beginning: nothing ran before them. A later migration must suit the code that
-- runs while it is applied (docs/decisions/0062).

grant usage on schema public to anon, authenticated, service_role;
grant usage on schema auth to anon, authenticated, service_role;

-- PostgreSQL lets every role call a new function, and a project's default privileges name the public roles besides.
-- From here on only the Worker (service_role) may call one, until a migration grants it to others. What PUBLIC has can
-- only be taken in all schemas at once. Everything here holds for what our owner makes.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema public grant execute on functions to service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

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
grant execute on function public.may_read_own() to authenticated;

-- How often a code was tried for one account or address, whatever browser or network asks. The subject is
-- kept as a hash: a row tells nobody who it is about.
create table public.code_tries (
  subject_hash text not null,
  kind text not null,
  tries int not null,
  -- When the last try was let through.
  since timestamptz not null,
  primary key (subject_hash, kind)
);

create index code_tries_since on public.code_tries (since);

alter table public.code_tries enable row level security;
revoke all on public.code_tries from anon, authenticated;
grant all on public.code_tries to service_role;

-- The hash by which tries of a subject are counted.
create function public.code_try_subject(subject text) returns text
  language sql
  immutable
  set search_path = ''
as $$ select encode(sha256(convert_to(subject, 'UTF8')), 'hex') $$;

-- Counts a try before its code is looked at, so that tries at the same moment cannot be more than `most`.
-- Answers whether this one may be made. Nobody gets more than `most` within any `window_seconds`: the count
-- starts again that long after the last try that was let through, and those that were refused do not prolong
-- it. Rows older than a day go, a few at each call.
create function public.take_code_try(
  subject text,
  try_kind text,
  most int,
  window_seconds int
) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  counted int;
begin
  delete from public.code_tries t
  using (
    select o.subject_hash, o.kind from public.code_tries o
    where o.since < now() - interval '1 day'
    order by o.since limit 50
    for update skip locked
  ) old
  where t.subject_hash = old.subject_hash and t.kind = old.kind;

  insert into public.code_tries as t (subject_hash, kind, tries, since)
  values (public.code_try_subject(subject), try_kind, 1, now())
  on conflict (subject_hash, kind) do update set
    tries = case
      when t.since <= now() - make_interval(secs => window_seconds) then 1
      else least(t.tries, most) + 1
    end,
    since = case
      when t.since <= now() - make_interval(secs => window_seconds) or t.tries < most then now()
      else t.since
    end
  returning t.tries into counted;
  return counted <= most;
end;
$$;

-- When the next try may be made after one was refused; null when it may be made now.
create function public.next_code_try(
  subject text,
  try_kind text,
  most int,
  window_seconds int
) returns timestamptz
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select t.since + make_interval(secs => window_seconds)
  from public.code_tries t
  where t.subject_hash = public.code_try_subject(subject) and t.kind = try_kind
    and t.tries >= most and t.since > now() - make_interval(secs => window_seconds);
$$;

-- A right code, or a new one, starts the count again.
create function public.forget_code_tries(subject text, try_kind text) returns void
  language sql
  security definer
  set search_path = ''
as $$
  delete from public.code_tries t
  where t.subject_hash = public.code_try_subject(subject) and t.kind = try_kind;
$$;

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

-- The second factors that a person has now.
create function public.second_factors_of(person uuid) returns uuid[]
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  return array(
    select f.id from auth.mfa_factors f
    where f.user_id = person and f.status::text = 'verified'
    order by f.id
  );
end;
$$;

-- Codes that remove a lost second factor, each once. A code has 120 random bits, so a plain hash keeps it.
create table public.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  made_at timestamptz not null default now(),
  used_at timestamptz,
  -- Second factors of which at least one has stood at every moment since the code was made.
  factors uuid[] not null,
  primary key (user_id, code_hash)
);

alter table public.recovery_codes enable row level security;
revoke all on public.recovery_codes from anon, authenticated;
grant all on public.recovery_codes to service_role;

-- Codes hold while one of their factors stands. A factor that stands beside one of these joins them, so
-- that the codes outlive the older of two. A factor that was set up after the last one was gone joins none:
-- codes that were left behind do not serve it. Called when a factor is turned on, and whenever codes are
-- counted or used.
create function public.keep_recovery_codes(person uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  standing uuid[] := public.second_factors_of(person);
begin
  update public.recovery_codes c set factors = standing
  where c.user_id = person and c.factors && standing and c.factors <> standing;
end;
$$;

-- Puts new codes in place of all old ones. Answers false, and keeps none, for a person without a second factor.
create function public.replace_recovery_codes(person uuid, hashes text[]) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  standing uuid[];
begin
  -- Two sets that are made at the same moment must not both stay.
  perform pg_advisory_xact_lock(hashtextextended('recovery_codes ' || person::text, 0));
  standing := public.second_factors_of(person);
  delete from public.recovery_codes c where c.user_id = person;
  if standing = '{}' then
    return false;
  end if;
  insert into public.recovery_codes (user_id, code_hash, factors)
  select person, h, standing from unnest(hashes) h;
  return true;
end;
$$;

-- How many unused codes of a person there are for a second factor that they still have.
create function public.recovery_codes_left(person uuid) returns int
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.keep_recovery_codes(person);
  return (
    select count(*)::int from public.recovery_codes c
    where c.user_id = person and c.used_at is null
      and c.factors && public.second_factors_of(person)
  );
end;
$$;

-- Uses a code up. Answers whether it was there: of two who come with the same one, one is told yes.
create function public.use_recovery_code(person uuid, hash text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.keep_recovery_codes(person);
  update public.recovery_codes c set used_at = now()
  where c.user_id = person and c.code_hash = hash and c.used_at is null
    and c.factors && public.second_factors_of(person);
  return found;
end;
$$;

-- Gives a code back whose second factor the auth server did not remove.
create function public.return_recovery_code(person uuid, hash text) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update public.recovery_codes c set used_at = null where c.user_id = person and c.code_hash = hash;
$$;

-- Whose link it is that somebody opens, so that the page can name the account before anything is done:
-- {person, address, purpose}, or null. Supabase Auth keeps the hashes in its users table, and newer
-- versions find them by a table of their own, which may not exist here. The hash is made of the address
-- and the mailed code, so the Worker counts who asks for links of nobody. No link is older than a day.
create function public.account_of_mailed_link(hash text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_one jsonb;
begin
  if hash is null or length(hash) < 16 then
    return null;
  end if;
  select jsonb_build_object('person', u.id, 'address', u.email, 'purpose', case
      when u.confirmation_token = hash then 'confirmation'
      when u.recovery_token = hash then 'recovery'
      else 'email_change'
    end)
  into found_one
  from auth.users u
  where (u.confirmation_token = hash and u.confirmation_sent_at > now() - interval '1 day')
    or (u.recovery_token = hash and u.recovery_sent_at > now() - interval '1 day')
    or (u.email_change_token_new = hash and u.email_change_sent_at > now() - interval '1 day')
    or (u.email_change_token_current = hash and u.email_change_sent_at > now() - interval '1 day')
  limit 1;
  if found_one is null and to_regclass('auth.one_time_tokens') is not null then
    execute '
      select jsonb_build_object(''person'', u.id, ''address'', u.email, ''purpose'',
        case t.token_type::text
          when ''confirmation_token'' then ''confirmation''
          when ''recovery_token'' then ''recovery''
          else ''email_change''
        end)
      from auth.one_time_tokens t
      join auth.users u on u.id = t.user_id
      where t.token_hash = $1
        and t.token_type::text in (
          ''confirmation_token'', ''recovery_token'', ''email_change_token_new'',
          ''email_change_token_current''
        )
        and t.created_at > (now() at time zone ''utc'') - interval ''1 day''
      limit 1'
    into found_one using hash;
  end if;
  return found_one;
end;
$$;

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
-- done, unless the account has nothing but that identity, that session and perhaps an empty personal workspace: no
-- password, second factor, other session or row, nothing that an operator noted, and no more than a day behind it. What
-- an attempt left behind that nobody finished looks the same, so the next attempt of that day takes it over.
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
  personal uuid;
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
  select w.id into personal from public.workspaces w where w.personal_of = newcomer for update;
  if exists (
    select from public.members m
    where (m.user_id = newcomer and m.workspace_id is distinct from personal)
      or (m.workspace_id = personal and m.user_id <> newcomer)
  ) then
    return 'taken';
  end if;
  -- Every column that refers to an account, to a workspace, or to the account in a membership.
  for owned in
    select c.conrelid::regclass as relation, a.attname as name,
      c.confrelid = 'public.workspaces'::regclass as by_workspace
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_class r on r.oid = c.conrelid
    cross join unnest(c.conkey, c.confkey) as k (own, other)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_catalog.pg_attribute o on o.attrelid = c.confrelid and o.attnum = k.other
    where c.contype = 'f' and r.relnamespace = 'public'::regnamespace
      and c.confrelid in (
        'auth.users'::regclass, 'public.workspaces'::regclass, 'public.members'::regclass
      )
      and (c.confrelid <> 'public.members'::regclass or o.attname = 'user_id')
      and c.conrelid not in ('public.workspaces'::regclass, 'public.members'::regclass)
  loop
    execute format('select exists (select from %s where %I = $1)', owned.relation, owned.name)
      into owns using case when owned.by_workspace then personal else newcomer end;
    if owns then
      return 'taken';
    end if;
  end loop;
  update auth.identities set user_id = person, updated_at = now() where user_id = newcomer;
  -- Its personal workspace goes with it.
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

-- Anybody can sign up with somebody else's address and a password of their own. When the owner of the address then asks
-- for a link, the password that nobody has confirmed must not come with it. Signing up again does not replace such a
-- password either: both end then, and a mark has whoever confirms the address choose one. Other mails leave none: who
-- asks for a sign-in link needs no password. Supabase Auth keeps addresses in small letters, and has its index on them.
create function public.void_unconfirmed_password(
  address text,
  signing_up boolean default false
) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users
  set
    encrypted_password = null,
    raw_app_meta_data = case
      when signing_up then coalesce(raw_app_meta_data, '{}') || '{"password_voided": true}'
      else raw_app_meta_data
    end
  where email = lower(address) and confirmed_at is null;
$$;

-- Removes the mark of somebody who has arrived.
create function public.forget_voided_password(person uuid) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users set raw_app_meta_data = raw_app_meta_data - 'password_voided' where id = person;
$$;

-- An account's address as members of its workspaces read it; the number of an account that has none.
create function public.address_of(person uuid) returns text
  language sql
  stable
  -- No role of the API may read auth.users.
  security definer
  set search_path = ''
as $$
  select coalesce(
    (select coalesce(nullif(u.email, ''), u.phone)::text from auth.users u where u.id = person), ''
  );
$$;

-- Whether the account has an address that it confirmed: invitations are sent in its name.
create function public.has_confirmed_address(person uuid) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from auth.users u
    where u.id = person and u.email like '%@%' and u.email_confirmed_at is not null
  );
$$;
revoke execute on function public.has_confirmed_address(uuid) from service_role;
