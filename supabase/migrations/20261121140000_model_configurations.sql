-- How a customer's voice agent is set up. Every saved version is kept; the newest is in force.
-- People read their own rows; only the Worker (service_role) writes, through the functions below.
create table public.model_configuration_versions (
  user_id uuid not null references auth.users (id) on delete cascade,
  version integer not null check (version > 0),
  model text not null check (char_length(model) between 1 and 100),
  instructions text not null check (char_length(instructions) <= 10000),
  voice text not null check (char_length(voice) between 1 and 40),
  transcription_model text not null check (char_length(transcription_model) between 1 and 100),
  -- The address that the person was signed in with.
  saved_by text not null,
  -- The older version that was brought back by this one.
  restored_from integer,
  saved_at timestamptz not null default now(),
  primary key (user_id, version)
);

-- What agents prove themselves with. The token itself is nowhere: only its SHA-256, which nobody
-- reads through the API but service_role. A revoked token's row is gone.
create table public.api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The token's last four characters, to tell it from others.
  ending text not null check (char_length(ending) = 4),
  created_at timestamptz not null default now(),
  -- To the minute.
  last_used_at timestamptz
);

create index api_tokens_by_owner on public.api_tokens (user_id, created_at);

alter table public.model_configuration_versions enable row level security;
alter table public.api_tokens enable row level security;

create policy "People read their own model configurations" on public.model_configuration_versions
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People read about their own tokens" on public.api_tokens
  for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.model_configuration_versions, public.api_tokens from anon, authenticated;
grant select on public.model_configuration_versions to authenticated;
grant select (id, user_id, name, ending, created_at, last_used_at)
  on public.api_tokens to authenticated;
grant all on public.model_configuration_versions, public.api_tokens to service_role;

-- Saves over the version that the person saw, 0 for none. Answers the version that is in force then;
-- null when somebody saved in the meantime. What equals the newest version makes no new one.
create function public.save_model_configuration(
  owner uuid,
  saver text,
  expected_version integer,
  new_model text,
  new_instructions text,
  new_voice text,
  new_transcription_model text
) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  newest public.model_configuration_versions;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || owner::text, 0));
  select * into newest from public.model_configuration_versions v
  where v.user_id = owner order by v.version desc limit 1;
  if coalesce(newest.version, 0) <> expected_version then
    return null;
  end if;
  if (newest.model, newest.instructions, newest.voice, newest.transcription_model)
    = (new_model, new_instructions, new_voice, new_transcription_model) then
    return newest.version;
  end if;
  insert into public.model_configuration_versions (
    user_id, version, model, instructions, voice, transcription_model, saved_by
  )
  values (
    owner, expected_version + 1, new_model, new_instructions, new_voice, new_transcription_model,
    saver
  );
  return expected_version + 1;
end;
$$;

-- Brings an older version back, as a new one. Answers its number; null when there is no such version.
create function public.restore_model_configuration(owner uuid, saver text, old_version integer)
  returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  made integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('model configuration of ' || owner::text, 0));
  insert into public.model_configuration_versions (
    user_id, version, model, instructions, voice, transcription_model, saved_by, restored_from
  )
  select v.user_id,
    (select max(n.version) + 1 from public.model_configuration_versions n where n.user_id = owner),
    v.model, v.instructions, v.voice, v.transcription_model, saver, old_version
  from public.model_configuration_versions v
  where v.user_id = owner and v.version = old_version
  returning version into made;
  return made;
end;
$$;

-- Answers false when the owner already has as many tokens as `allowed`.
create function public.create_api_token(
  owner uuid,
  new_name text,
  new_hash text,
  new_ending text,
  allowed integer
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tokens of ' || owner::text, 0));
  if (select count(*) from public.api_tokens t where t.user_id = owner) >= allowed then
    return false;
  end if;
  insert into public.api_tokens (user_id, name, token_hash, ending)
  values (owner, new_name, new_hash, new_ending);
  return true;
end;
$$;

-- Answers whether there was one to revoke. From its commit on no call is let in with it.
create function public.revoke_api_token(owner uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.api_tokens t where t.id = target and t.user_id = owner;
  return found;
end;
$$;

-- Whose token this is, null for nobody's; notes once a minute that it is in use.
create function public.use_api_token(hash text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  owner uuid;
begin
  select t.user_id into owner from public.api_tokens t where t.token_hash = hash;
  update public.api_tokens t
  set last_used_at = date_trunc('minute', now())
  where t.token_hash = hash
    and (t.last_used_at is null or t.last_used_at < date_trunc('minute', now()));
  return owner;
end;
$$;

revoke execute on function public.save_model_configuration(
  uuid, text, integer, text, text, text, text
) from public, anon, authenticated;
revoke execute on function public.restore_model_configuration(uuid, text, integer)
  from public, anon, authenticated;
revoke execute on function public.create_api_token(uuid, text, text, text, integer)
  from public, anon, authenticated;
revoke execute on function public.revoke_api_token(uuid, uuid) from public, anon, authenticated;
revoke execute on function public.use_api_token(text) from public, anon, authenticated;
grant execute on function public.save_model_configuration(
  uuid, text, integer, text, text, text, text
) to service_role;
grant execute on function public.restore_model_configuration(uuid, text, integer) to service_role;
grant execute on function public.create_api_token(uuid, text, text, text, integer)
  to service_role;
grant execute on function public.revoke_api_token(uuid, uuid) to service_role;
grant execute on function public.use_api_token(text) to service_role;
