-- Webhooks of a workspace (docs/decisions/0086). Where they are, and with which secrets, the servers Worker has; here is
-- what waits to be handed to it: lines of the audit log, from the transaction that writes them until it has them.

-- The workspaces that have, or had, a webhook: of the others nothing waits.
create table public.webhook_workspaces (
  workspace_id uuid primary key references public.workspaces (id) on delete cascade,
  -- When the site last called for its events, or for what became of its webhooks.
  called_at timestamptz not null default 'epoch'
);

create index webhook_workspaces_by_call on public.webhook_workspaces (called_at);

create table public.webhook_events (
  audit_id bigint primary key references public.audit_log (id) on delete cascade,
  workspace_id uuid not null references public.webhook_workspaces (workspace_id) on delete cascade
);

create index webhook_events_by_workspace on public.webhook_events (workspace_id, audit_id);

alter table public.webhook_workspaces enable row level security;
alter table public.webhook_events enable row level security;
revoke all on public.webhook_workspaces, public.webhook_events from anon, authenticated;
grant all on public.webhook_workspaces, public.webhook_events to service_role;

-- The object in which a workspace's webhooks are is forgotten with the workspace, as that of its servers.
-- allowed: the table is new
create trigger keep_closed_webhooks after delete on public.webhook_workspaces
  for each row execute function public.keep_closed_fleet();

create function public.queue_webhook_event() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.webhook_events (audit_id, workspace_id)
  select new.id, w.workspace_id from public.webhook_workspaces w where w.workspace_id = new.workspace_id;
  return null;
end;
$$;
revoke execute on function public.queue_webhook_event() from service_role;

-- allowed: it refuses nothing, and writes what the running version does not read
create trigger queue_webhook_event after insert on public.audit_log
  for each row execute function public.queue_webhook_event();

-- What a token may do besides.
-- allowed: every row that the running version writes has scopes of before, which are still among these
alter table public.workspace_tokens drop constraint workspace_tokens_scopes_check;
-- allowed: it refuses nothing that the one of before took
alter table public.workspace_tokens add constraint workspace_tokens_scopes_check check (
  cardinality(scopes) > 0
  and scopes
    <@ '{deployments:read,deployments:write,servers:read,servers:write,sessions:read,alerts:read,alerts:write,webhooks:read,webhooks:write}'
);

-- As before. `alerts` is allowed by the scope that has its name too; `webhooks` is what only a token is asked for, since
-- a member needs the right `settings`.
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
        when 'describe' then array['deployments:write']
        when 'alerts' then array['servers:write', 'alerts:write']
        when 'rollout' then array['servers:write']
        when 'webhooks' then array['webhooks:write']
      end && t.scopes
  );
$$;

-- Writes the line about a change of a webhook before it is made. False for whoever may not. From the first line on the
-- workspace's lines wait for its webhooks: its own, too.
create function public.note_webhook_change(
  actor uuid,
  workspace uuid,
  action text,
  target text,
  target_id uuid default null,
  before jsonb default null,
  after jsonb default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not public.member_may(actor, workspace, 'settings') and not public.may_now(actor, workspace, 'webhooks') then
    return false;
  end if;
  insert into public.webhook_workspaces (workspace_id) values (workspace) on conflict do nothing;
  perform public.note_audit(workspace, actor, action, target, before, after, target_id);
  return true;
end;
$$;

-- The workspaces that are called for now: those for which lines wait, and each once an hour. Of each its oldest lines, as
-- [{workspace, events: [{id, at, actor, actor_address, action, target, target_id, before, after}]}]. Each
-- stays until it is settled, and waits a little while before it is answered again: two runs at once call for different
-- ones, and one that does not answer keeps nobody else waiting.
create function public.due_webhook_events(at_most integer, events_at_most integer) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  due uuid[];
begin
  with picked as (
    select w.workspace_id from public.webhook_workspaces w
    where w.called_at < now() - interval '1 hour'
      or w.called_at < now() - interval '30 seconds' and exists (
        select from public.webhook_events e where e.workspace_id = w.workspace_id
      )
    order by w.called_at
    limit at_most
    for update skip locked
  ),
  called as (
    update public.webhook_workspaces w set called_at = now()
    from picked p where p.workspace_id = w.workspace_id
    returning w.workspace_id
  )
  select coalesce(array_agg(c.workspace_id), '{}') into due from called c;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('workspace', d.id, 'events', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]') from (
        select
          l.id, l.at, l.actor, l.actor_address, l.action, l.target, l.target_id, l.before, l.after
        from public.webhook_events q
        join public.audit_log l on l.id = q.audit_id
        where q.workspace_id = d.id
        order by q.audit_id
        limit events_at_most
      ) e
    ))), '[]')
    from unnest(due) as d (id)
  );
end;
$$;

-- The servers Worker has these lines.
create function public.settle_webhook_events(settled bigint[]) returns void
  language sql
  set search_path = ''
as $$
  delete from public.webhook_events e where e.audit_id = any (settled);
$$;
