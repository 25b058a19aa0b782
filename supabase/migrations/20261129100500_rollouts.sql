-- Rollouts that are approved by passkey (docs/decisions/0084): whose passkeys approve the versions that a workspace's
-- servers take up, and who asked for one. How far a rollout is the servers Worker has. Only the Worker (service_role)
-- reads and writes here.

-- So many people must approve each rollout. A machine has a number of its own, which only a person there changes.
-- allowed: older code leaves the column out, and its default passes the check.
alter table public.workspaces add column approvals_needed smallint not null default 1
  check (approvals_needed in (1, 2));

-- The public halves of passkeys. Each is a member's and ends with the membership.
create table public.approver_passkeys (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  user_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  credential text not null check (credential ~ '^[A-Za-z0-9_-]+$' and char_length(credential) <= 1400),
  -- SubjectPublicKeyInfo of a P-256 key, in base64.
  public_key text not null check (public_key ~ '^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{86}==$'),
  -- What people compare with their machines: the first half of its SHA-256.
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  foreign key (user_id, workspace_id) references public.members (user_id, workspace_id) on delete cascade,
  unique (workspace_id, credential),
  unique (workspace_id, fingerprint)
);

create index approver_passkeys_by_member on public.approver_passkeys (user_id, workspace_id);

alter table public.approver_passkeys enable row level security;
revoke all on public.approver_passkeys from anon, authenticated;
grant all on public.approver_passkeys to service_role;

-- As before, and a token with servers:write may ask for a rollout. It approves none: it has no passkey.
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
      and case wanted
          when 'describe' then 'deployments:write'
          when 'alerts' then 'servers:write'
          when 'rollout' then 'servers:write'
        end = any (t.scopes)
  );
$$;

-- Notes what somebody does about a rollout, before it is done. Answers whether they may now; if not, nothing is noted.
create function public.note_rollout_change(
  actor uuid,
  workspace uuid,
  action text,
  target text,
  target_id uuid,
  after jsonb default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not public.member_may(actor, workspace, 'rollout') then
    return false;
  end if;
  perform public.note_audit(workspace, actor, action, target, null, after, target_id);
  return true;
end;
$$;

-- How many people must approve, and the passkeys of members whose role may roll out, the oldest first.
create function public.approvers_of(workspace uuid) returns jsonb
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'needed', w.approvals_needed,
    'passkeys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', p.id, 'person', p.user_id, 'address', public.address_of(p.user_id), 'name', p.name,
        'credential', p.credential, 'key', p.public_key, 'fingerprint', p.fingerprint,
        'made_at', p.created_at, 'used_at', p.last_used_at
      ) order by p.created_at, p.id)
      from public.approver_passkeys p
      join public.members m on m.workspace_id = p.workspace_id and m.user_id = p.user_id
      where p.workspace_id = w.id and public.role_may(m.role, 'rollout')
    ), '[]')
  )
  from public.workspaces w where w.id = workspace;
$$;
revoke execute on function public.approvers_of(uuid) from public, anon, authenticated;
grant execute on function public.approvers_of(uuid) to service_role;

-- Answers 'added', 'full' where the person has as many as `allowed`, or 'known' where the workspace has it already.
create function public.add_approver_passkey(
  actor uuid,
  workspace uuid,
  new_name text,
  new_credential text,
  new_key text,
  new_fingerprint text,
  allowed integer
) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  made uuid;
begin
  if not public.member_may(actor, workspace, 'rollout') then
    raise exception 'This member may not approve rollouts.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('approver passkeys of ' || workspace::text, 0));
  if (
    select count(*) from public.approver_passkeys p
    where p.workspace_id = add_approver_passkey.workspace and p.user_id = actor
  ) >= allowed then
    return 'full';
  end if;
  insert into public.approver_passkeys
    (workspace_id, user_id, name, credential, public_key, fingerprint)
  values (workspace, actor, new_name, new_credential, new_key, new_fingerprint)
  on conflict do nothing
  returning id into made;
  if made is null then
    return 'known';
  end if;
  perform public.note_audit(
    workspace, actor, 'approver.added', new_name, null,
    jsonb_build_object('fingerprint', new_fingerprint), made
  );
  return 'added';
end;
$$;

-- Removes a passkey of one's own, or as one who may change settings anybody's. Answers whether there was one.
create function public.remove_approver_passkey(actor uuid, workspace uuid, target uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_key public.approver_passkeys;
  may_all boolean := public.member_may(actor, workspace, 'settings');
  is_member boolean := public.member_may(actor, workspace, 'see');
begin
  delete from public.approver_passkeys p
  where p.id = target and p.workspace_id = remove_approver_passkey.workspace
    and (may_all or is_member and p.user_id = actor)
  returning * into found_key;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    workspace, actor, 'approver.removed', found_key.name,
    jsonb_build_object('fingerprint', found_key.fingerprint), null, target
  );
  return true;
end;
$$;

create function public.set_approvals_needed(actor uuid, workspace uuid, wanted integer) returns boolean
  language plpgsql
  -- No role of the API writes workspaces.
  security definer
  set search_path = ''
as $$
declare
  former integer;
begin
  if not public.member_may(actor, workspace, 'settings') then
    raise exception 'This member may not change the settings.' using errcode = 'insufficient_privilege';
  end if;
  select w.approvals_needed into former from public.workspaces w where w.id = workspace for update;
  if former is distinct from wanted then
    update public.workspaces w set approvals_needed = wanted where w.id = workspace;
    perform public.note_audit(
      workspace, actor, 'approver.number-set', '', jsonb_build_object('people', former),
      jsonb_build_object('people', wanted)
    );
  end if;
  return true;
end;
$$;

create function public.note_passkey_use(workspace uuid, used_credential text) returns void
  language sql
  set search_path = ''
as $$
  update public.approver_passkeys p set last_used_at = now()
  where p.workspace_id = note_passkey_use.workspace and p.credential = used_credential;
$$;
