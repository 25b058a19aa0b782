-- Tokens of a workspace, for its API (docs/decisions/0083). A token is its workspace's and no member's: it goes on when
-- whoever made it leaves. Owners and admins read about them; only the Worker (service_role) writes, through the
-- functions below.

create table public.workspace_tokens (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  -- The token itself is nowhere.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  ending text not null check (char_length(ending) = 4),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes
      <@ '{deployments:read,deployments:write,servers:read,servers:write,sessions:read,alerts:read}'
  ),
  made_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  ends_at timestamptz not null check (ends_at <= created_at + interval '366 days'),
  -- The day (UTC) of its last call.
  last_used_on date,
  -- How many calls it made in the minute of its last one.
  minute timestamptz,
  calls integer not null default 0
);

create index workspace_tokens_by_workspace on public.workspace_tokens (workspace_id, created_at);
-- For the removal of an account.
create index workspace_tokens_by_maker on public.workspace_tokens (made_by);

-- What a token's writes were answered, by the key that came with each: the same key within a day gets the same answer.
create table public.api_requests (
  token_id uuid not null references public.workspace_tokens (id) on delete cascade,
  key text not null check (char_length(key) between 1 and 100),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- SHA-256 of method, path and body.
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  began_at timestamptz not null default now(),
  -- Null while it is being answered.
  answer jsonb check (octet_length(answer::text) <= 32768),
  primary key (token_id, key)
);

create index api_requests_by_workspace on public.api_requests (workspace_id, began_at);
create index api_requests_by_age on public.api_requests (began_at);

alter table public.workspace_tokens enable row level security;
alter table public.api_requests enable row level security;

create policy "Owners and admins read about the tokens of their workspaces" on public.workspace_tokens
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('settings'))));
create policy "Only a session that is there and proved reads about workspace tokens" on public.workspace_tokens
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.workspace_tokens, public.api_requests from anon, authenticated;
grant select (
  id, workspace_id, name, ending, scopes, made_by, created_at, ends_at, last_used_on
) on public.workspace_tokens to authenticated;
grant all on public.workspace_tokens, public.api_requests to service_role;

-- Whether a member, or a token by its id, may do something in a workspace, as it is now. What a token may do its scopes
-- say. Otherwise as before.
create or replace function public.may_now(person uuid, workspace uuid, wanted text) returns boolean
  language sql
  stable
  set search_path = ''
as $$
  select exists (
    select from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.workspace_id = workspace and m.user_id = person and public.role_may(m.role, wanted)
      and (not w.needs_second_factor or public.has_second_factor(person))
      and (wanted in ('see', 'describe', 'alerts') or not public.is_anonymous(person))
  ) or exists (
    select from public.workspace_tokens t
    where t.id = person and t.workspace_id = workspace and t.ends_at > now()
      and case wanted when 'describe' then 'deployments:write' when 'alerts' then 'servers:write' end
        = any (t.scopes)
  );
$$;

-- As before, and the same for a token: of a call and a revocation at once, whichever comes second sees the other.
create or replace function public.member_may(person uuid, workspace uuid, wanted text) returns boolean
  language plpgsql
  -- A lock asks for more than the right to read.
  security definer
  set search_path = ''
as $$
begin
  -- Deleting an account takes it before its memberships.
  perform 1 from auth.users u where u.id = person for key share;
  perform 1 from public.members m
  where m.workspace_id = workspace and m.user_id = person
  for share;
  perform 1 from public.workspace_tokens t
  where t.id = person and t.workspace_id = workspace
  for key share;
  return public.may_now(person, workspace, wanted);
end;
$$;

-- As before. A token that acts is called by its name and its last characters.
create or replace function public.note_audit(
  workspace uuid,
  actor uuid,
  action text,
  target text default '',
  before jsonb default null,
  after jsonb default null,
  target_id uuid default null
) returns void
  language plpgsql
  -- No role of the API writes the log.
  security definer
  set search_path = ''
as $$
declare
  fits boolean := octet_length(coalesce(before::text, '')) + octet_length(coalesce(after::text, '')) <= 4096;
begin
  insert into public.audit_log
    (workspace_id, actor, actor_address, action, target, target_id, network, before, after)
  values (
    workspace,
    actor,
    coalesce(
      (select 'Token ' || t.name || ' …' || t.ending from public.workspace_tokens t where t.id = actor),
      public.address_of(actor)
    ),
    action,
    left(coalesce(target, ''), 200),
    target_id,
    public.caller_network(),
    case when fits then before else '"…"' end,
    case when fits then after else '"…"' end
  );
end;
$$;

-- As before. What a token makes was made by no account.
create or replace function public.create_deployment(
  owner uuid,
  new_name text,
  new_options jsonb,
  allowed integer,
  saver text default null,
  workspace uuid default null
) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  is_token boolean := exists (select from public.workspace_tokens t where t.id = owner);
  found_workspace uuid := workspace;
  made uuid;
begin
  if found_workspace is null and not is_token then
    found_workspace := public.personal_workspace(owner);
  end if;
  if not public.member_may(owner, found_workspace, 'describe') then
    raise exception 'This member may not make deployments.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('deployments of ' || found_workspace::text, 0));
  if (
    select count(*) from public.deployments d
    where d.workspace_id = found_workspace and d.deleted_at is null
  ) >= allowed then
    return null;
  end if;
  insert into public.deployments (user_id, workspace_id, name, options)
  values (case when not is_token then owner end, found_workspace, new_name, new_options)
  returning id into made;
  insert into public.deployment_versions (deployment_id, version, options, saved_by)
  values (made, 1, new_options, saver);
  perform public.note_audit(found_workspace, owner, 'deployment.created', new_name, target_id => made);
  return made;
end;
$$;

-- Saves as save_deployment does, if nothing of the deployment was saved since `seen`, its name neither: that makes no
-- version. Answers the same.
create function public.save_unchanged_deployment(
  owner uuid,
  target uuid,
  new_name text,
  new_options jsonb,
  expected_version integer,
  seen timestamptz,
  saver text default null
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  -- It takes its locks before that of the deployment.
  found_workspace uuid := public.deployment_workspace(owner, target, 'describe');
  last_saved timestamptz;
begin
  select d.updated_at into last_saved from public.deployments d
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  for update;
  if not found then
    return 'missing';
  end if;
  if last_saved <> seen then
    return 'conflict';
  end if;
  return public.save_deployment(owner, target, new_name, new_options, expected_version, saver);
end;
$$;

-- Answers false when the workspace has as many tokens as `allowed`, those that have ended among them.
create function public.create_workspace_token(
  actor uuid,
  workspace uuid,
  new_name text,
  new_hash text,
  new_ending text,
  new_scopes text[],
  new_end timestamptz,
  allowed integer
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  made uuid;
begin
  if not public.member_may(actor, workspace, 'settings') then
    raise exception 'This member may not make tokens.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('workspace tokens of ' || workspace::text, 0));
  if (
    select count(*) from public.workspace_tokens t
    where t.workspace_id = create_workspace_token.workspace
  ) >= allowed then
    return false;
  end if;
  insert into public.workspace_tokens (workspace_id, name, token_hash, ending, scopes, made_by, ends_at)
  values (workspace, new_name, new_hash, new_ending, new_scopes, actor, new_end)
  returning id into made;
  perform public.note_audit(
    workspace, actor, 'workspace.token-made', new_name, null,
    jsonb_build_object('scopes', new_scopes, 'ends', new_end), made
  );
  return true;
end;
$$;

-- Answers whether there was one. From its commit on no call is let in with it.
create function public.revoke_workspace_token(actor uuid, workspace uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_token public.workspace_tokens;
begin
  if not public.member_may(actor, workspace, 'settings') then
    raise exception 'This member may not revoke tokens.' using errcode = 'insufficient_privilege';
  end if;
  delete from public.workspace_tokens t
  where t.id = target and t.workspace_id = revoke_workspace_token.workspace
  returning * into found_token;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    workspace, actor, 'workspace.token-revoked', found_token.name,
    jsonb_build_object('scopes', found_token.scopes, 'ends', found_token.ends_at), null, target
  );
  return true;
end;
$$;

-- Who made the tokens of a workspace, by the token; nothing to somebody who may not read about them.
create function public.workspace_token_makers(workspace uuid)
  returns table (token uuid, address text, is_member boolean)
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select t.id, public.address_of(t.made_by), exists (
    select from public.members m where m.workspace_id = t.workspace_id and m.user_id = t.made_by
  )
  from public.workspace_tokens t
  where t.workspace_id = workspace and workspace = any (array(select public.workspaces_where('settings')));
$$;
revoke execute on function public.workspace_token_makers(uuid) from service_role;
grant execute on function public.workspace_token_makers(uuid) to authenticated;

-- The token with this hash and what is left of its calls in this minute, of `allowed`; this one is counted. Null for
-- one that is unknown, revoked or ended.
create function public.use_workspace_token(hash text, allowed integer) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  this_minute timestamptz := date_trunc('minute', now());
  used public.workspace_tokens;
begin
  update public.workspace_tokens t
  set last_used_on = (now() at time zone 'UTC')::date,
    calls = case when t.minute = this_minute then t.calls + 1 else 1 end,
    minute = this_minute
  where t.token_hash = hash and t.ends_at > now()
  returning * into used;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', used.id, 'workspace', used.workspace_id, 'name', used.name, 'ending', used.ending,
    'scopes', to_jsonb(used.scopes), 'ends', used.ends_at,
    'left', greatest(allowed - used.calls, 0), 'is_over', used.calls > allowed,
    'resets', ceil(extract(epoch from this_minute + interval '1 minute' - now()))::integer
  );
end;
$$;

-- Whether a write with this key is to be answered ('new'), is being answered ('running'), was another one ('other'), is
-- one too many of the workspace's day ('full') or was answered ('done', with the answer). One that was cut off may be
-- sent again after a minute.
create function public.begin_api_request(token uuid, new_key text, new_hash text, allowed integer) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid;
  former public.api_requests;
begin
  -- Two calls with one token wait for each other here.
  select t.workspace_id into found_workspace from public.workspace_tokens t
  where t.id = token for no key update;
  if not found then
    return jsonb_build_object('state', 'gone');
  end if;
  delete from public.api_requests r
  where r.token_id = token and r.key = new_key
    and (
      r.began_at < now() - interval '24 hours'
      or r.answer is null and r.began_at < now() - interval '1 minute'
    );
  select * into former from public.api_requests r where r.token_id = token and r.key = new_key;
  if found then
    return case
      when former.request_hash <> new_hash then jsonb_build_object('state', 'other')
      when former.answer is null then jsonb_build_object('state', 'running')
      else jsonb_build_object('state', 'done', 'answer', former.answer)
    end;
  end if;
  if (
    select count(*) from public.api_requests r
    where r.workspace_id = found_workspace and r.began_at > now() - interval '24 hours'
  ) >= allowed then
    return jsonb_build_object('state', 'full');
  end if;
  insert into public.api_requests (token_id, key, workspace_id, request_hash)
  values (token, new_key, found_workspace, new_hash);
  return jsonb_build_object('state', 'new');
end;
$$;

-- What a write was answered; null where it failed and may be sent again.
create function public.settle_api_request(token uuid, settled_key text, new_answer jsonb default null) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if new_answer is null then
    delete from public.api_requests r where r.token_id = token and r.key = settled_key;
  else
    update public.api_requests r set answer = new_answer where r.token_id = token and r.key = settled_key;
  end if;
end;
$$;

-- Removes what is older than a day. Answers how many.
create function public.remove_expired_api_requests(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.api_requests r where r.ctid = any (array(
    select x.ctid from public.api_requests x where x.began_at < now() - interval '24 hours'
    limit at_most
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;
