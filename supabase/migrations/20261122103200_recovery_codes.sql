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

revoke execute on function public.second_factors_of(uuid) from public, anon, authenticated;
revoke execute on function public.keep_recovery_codes(uuid) from public, anon, authenticated;
revoke execute on function public.replace_recovery_codes(uuid, text[])
  from public, anon, authenticated;
revoke execute on function public.recovery_codes_left(uuid) from public, anon, authenticated;
revoke execute on function public.use_recovery_code(uuid, text) from public, anon, authenticated;
revoke execute on function public.return_recovery_code(uuid, text)
  from public, anon, authenticated;
grant execute on function public.second_factors_of(uuid) to service_role;
grant execute on function public.keep_recovery_codes(uuid) to service_role;
grant execute on function public.replace_recovery_codes(uuid, text[]) to service_role;
grant execute on function public.recovery_codes_left(uuid) to service_role;
grant execute on function public.use_recovery_code(uuid, text) to service_role;
grant execute on function public.return_recovery_code(uuid, text) to service_role;
