-- What the database knows of workspaces' servers. What they are like now is kept by the servers Worker, in one object
-- for a workspace (docs/decisions/0053), and comes not here: a report writes no row of this database.

-- A row for each workspace that has such an object. It is written before the first token is made.
create table public.fleets (
  workspace_id uuid primary key references public.workspaces (id) on delete cascade,
  made_at timestamptz not null default now(),
  -- When the cron next tells it of its workspace. A token was just made: soon there is a server.
  due_at timestamptz not null default now() + interval '10 minutes',
  -- The subscription with whose end the history of its servers is deleted.
  history_over_of text
);

create index fleets_by_due on public.fleets (due_at);

-- What lists show of servers while the servers Worker cannot be reached. The site copies it from there.
create table public.servers (
  id uuid primary key,
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- The deployment may be gone.
  deployment_id uuid not null,
  name text not null,
  enrolled_at timestamptz not null,
  -- When its key ended.
  retired_at timestamptz
);

create index servers_by_workspace on public.servers (workspace_id);

-- Objects whose workspace is gone. Each row stays until the object was forgotten.
create table public.closed_fleets (
  workspace_id uuid primary key,
  closed_at timestamptz not null default now(),
  due_at timestamptz not null default now()
);

create index closed_fleets_by_due on public.closed_fleets (due_at);

-- Rows go with their workspace, objects do not: whoever deletes it, and however, the cron finds what is to be
-- forgotten.
create function public.keep_closed_fleet() returns trigger
  language plpgsql
  -- No role of the API writes closed_fleets.
  security definer
  set search_path = ''
as $$
begin
  insert into public.closed_fleets (workspace_id) values (old.workspace_id) on conflict do nothing;
  return null;
end;
$$;
revoke execute on function public.keep_closed_fleet() from service_role;

create trigger keep_closed_fleet after delete on public.fleets
  for each row execute function public.keep_closed_fleet();

alter table public.fleets enable row level security;
alter table public.servers enable row level security;
alter table public.closed_fleets enable row level security;

create policy "Members read which servers they have" on public.servers
  for select to authenticated
  using (workspace_id = any (array(select public.workspaces_where('see'))));
create policy "Only a session that is there and proved reads servers" on public.servers
  as restrictive for select to authenticated using ((select public.may_read_own()));

-- Only the functions below write here.
revoke all on public.fleets, public.servers, public.closed_fleets from anon, authenticated, service_role;
grant select (id, workspace_id, deployment_id, name, enrolled_at, retired_at) on public.servers to authenticated;
grant select on public.fleets, public.servers, public.closed_fleets to service_role;

-- Notes what a member does about a server, before it is done: what servers report is not in this database. Answers
-- whether their role allows it now; if it does not, nothing is noted.
create function public.note_server_change(
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
  if not public.member_may(actor, workspace, 'servers') then
    return false;
  end if;
  perform public.note_audit(workspace, actor, action, target, null, after, target_id);
  return true;
end;
$$;

-- Notes what a member does about alerts, before it is done: whom a workspace tells is not in this database. Answers
-- whether their role allows it now; if it does not, nothing is noted.
create function public.note_alert_change(
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
  if not public.member_may(actor, workspace, 'alerts') then
    return false;
  end if;
  perform public.note_audit(workspace, actor, action, target, before, after, target_id);
  return true;
end;
$$;

-- The last of a workspace's plans that ended, and when. No row while one runs or is on hold, or where none is known.
create function public.last_plan_end(workspace uuid) returns table (subscription_id text, ended_at timestamptz)
  language sql
  stable
  set search_path = ''
as $$
  select (array_agg(s.id order by s.ended_at desc, s.id))[1], max(s.ended_at)
  from public.customers c
  join public.subscriptions s on s.customer_id = c.id
  where c.workspace_id = workspace
    and s.plan is distinct from 'none'
    and s.status not in ('incomplete', 'incomplete_expired')
  having bool_and(s.ended_at is not null);
$$;

-- What the servers Worker is told of a workspace, which it cannot read: {slug, name, plan, ended_at, history_over}.
create function public.fleet_facts(workspace uuid, basic_prices text[]) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  select jsonb_build_object(
    'slug', w.slug,
    'name', w.name,
    'plan', public.workspace_plan(w.id, basic_prices),
    'ended_at', e.ended_at,
    'history_over', coalesce(f.history_over_of = e.subscription_id, false)
  )
  from public.workspaces w
  left join public.fleets f on f.workspace_id = w.id
  left join public.last_plan_end(w.id) e on true
  where w.id = workspace;
$$;
revoke execute on function public.fleet_facts(uuid, text[]) from service_role;

-- Notes that a workspace has an object, before its token is made. Answers fleet_facts, or null to whom their role does
-- not allow it now.
create function public.open_fleet(actor uuid, workspace uuid, basic_prices text[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if not public.member_may(actor, workspace, 'servers') then
    return null;
  end if;
  insert into public.fleets as f (workspace_id) values (workspace)
  on conflict (workspace_id) do update set due_at = least(f.due_at, excluded.due_at);
  return public.fleet_facts(workspace, basic_prices);
end;
$$;

-- What the cron does now: `open` has the fleets to ask, those that wait longest first. Each is asked once an hour, or
-- sooner where settle_fleets says that it did not answer, or where its plan changed; a closed one is forgotten again
-- every five minutes until settle_fleets says that it was. A run that is cut off loses nothing. Answers {open:
-- [{workspace, facts, deleted, members}], closed: [workspace]}: `deleted` are the ids of deployments that were deleted,
-- whose servers end with them; `members` are {person, address, connects} of every member: the address null where it is
-- not confirmed, and whether their role lets them connect servers now.
create function public.due_fleets(at_most integer, closed_at_most integer, basic_prices text[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  asked uuid[];
  opened jsonb;
  closed jsonb;
begin
  with due as (
    select f.workspace_id, f.due_at from public.fleets f where f.due_at <= now()
    order by f.due_at limit at_most for update skip locked
  ),
  claimed as (
    update public.fleets f set due_at = now() + interval '1 hour'
    from due d where f.workspace_id = d.workspace_id
    returning f.workspace_id, d.due_at
  )
  select array_agg(c.workspace_id order by c.due_at) into asked from claimed c;

  -- Ninety days after the end, and a week after the second of two mails that say so was sent: without them never.
  update public.fleets f set history_over_of = e.subscription_id
  from unnest(asked) a (id)
  cross join lateral public.last_plan_end(a.id) e
  join public.mail_outbox m on m.occasion = 'history-ends-soon:' || e.subscription_id
  where f.workspace_id = a.id
    and f.history_over_of is distinct from e.subscription_id
    and e.ended_at < now() - interval '90 days'
    and m.sent_at < now() - interval '7 days';

  select coalesce(jsonb_agg(jsonb_build_object(
    'workspace', a.id,
    'facts', public.fleet_facts(a.id, basic_prices),
    'deleted', coalesce(
      (
        select jsonb_agg(d.id) from public.deployments d
        where d.workspace_id = a.id and d.deleted_at is not null
      ),
      '[]'
    ),
    'members', coalesce(
      (
        select jsonb_agg(jsonb_build_object(
          'person', m.user_id,
          'address', case when u.email like '%@%' and u.email_confirmed_at is not null then u.email end,
          'connects', public.may_now(m.user_id, a.id, 'servers')
        ))
        from public.members m
        join auth.users u on u.id = m.user_id
        where m.workspace_id = a.id
      ),
      '[]'
    )
  ) order by a.place), '[]') into opened
  from unnest(asked) with ordinality a (id, place);

  with due as (
    select f.workspace_id from public.closed_fleets f where f.due_at <= now()
    order by f.due_at limit closed_at_most for update skip locked
  ),
  claimed as (
    update public.closed_fleets f set due_at = now() + interval '5 minutes'
    from due d where f.workspace_id = d.workspace_id
    returning f.workspace_id
  )
  select coalesce(jsonb_agg(c.workspace_id), '[]') into closed from claimed c;
  return jsonb_build_object('open', opened, 'closed', closed);
end;
$$;

-- Notes the servers that fleets answered, [{id, workspace, deployment, name, enrolled, retired}], and which closed
-- fleets were forgotten; `missed` are fleets that did not answer: the next run asks them, in this order. Each closed
-- one is forgotten once more a quarter of an hour after its workspace went: a token may have been on its way. Rows that
-- are as before are not written.
create function public.settle_fleets(
  known jsonb,
  forgotten uuid[] default '{}',
  missed uuid[] default '{}'
) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- What goes in the meantime is waited for, and is then not found.
  perform 1 from public.fleets f
  where f.workspace_id in (
    select k.workspace from jsonb_to_recordset(known) as k (workspace uuid)
  )
  order by f.workspace_id for key share;
  insert into public.servers as s (id, workspace_id, deployment_id, name, enrolled_at, retired_at)
  select k.id, k.workspace, k.deployment, left(k.name, 200), k.enrolled, k.retired
  from jsonb_to_recordset(known) as k (
    id uuid, workspace uuid, deployment uuid, name text, enrolled timestamptz, retired timestamptz
  )
  join public.fleets f on f.workspace_id = k.workspace
  on conflict (id) do update
  set name = excluded.name, deployment_id = excluded.deployment_id, retired_at = excluded.retired_at
  where s.workspace_id = excluded.workspace_id
    and (s.name, s.deployment_id, s.retired_at)
      is distinct from (excluded.name, excluded.deployment_id, excluded.retired_at);

  delete from public.closed_fleets f
  where f.workspace_id = any (forgotten) and f.closed_at <= now() - interval '15 minutes';
  update public.closed_fleets f set due_at = f.closed_at + interval '15 minutes'
  where f.workspace_id = any (forgotten);

  update public.fleets f
  set due_at = least(f.due_at, now() + interval '30 seconds' + m.place * interval '1 millisecond')
  from unnest(missed) with ordinality m (id, place)
  where f.workspace_id = m.id;
end;
$$;

-- A new or another plan reaches the servers with the next run of the cron, whoever wrote it down: so it is by triggers.
create function public.hasten_fleet() returns trigger
  language plpgsql
  -- No role of the API writes fleets.
  security definer
  set search_path = ''
as $$
declare
  found_workspace uuid;
begin
  select c.workspace_id into found_workspace from public.customers c
  where c.id = coalesce(to_jsonb(new) ->> 'customer_id', new.id);
  -- Whoever deletes a workspace waits for its customers. To wait for its fleet here could be to wait for ever.
  perform 1 from public.workspaces w where w.id = found_workspace for key share skip locked;
  if found then
    update public.fleets f set due_at = now() where f.workspace_id = found_workspace and f.due_at > now();
  end if;
  return null;
end;
$$;
revoke execute on function public.hasten_fleet() from service_role;

-- allowed: of the files that are the beginning, all are applied before anything runs
create trigger hasten_new_plan after insert on public.subscriptions
  for each row execute function public.hasten_fleet();
-- A plan that is filled in where none was written changes nothing.
-- allowed: for the same reason as the first
create trigger hasten_plan after update on public.subscriptions
  for each row when (
    (old.status, old.price_id) is distinct from (new.status, new.price_id)
    or old.plan is not null and old.plan is distinct from new.plan
  )
  execute function public.hasten_fleet();
-- allowed: for the same reason as the first
create trigger hasten_claim after update of workspace_id on public.customers
  for each row when (old.workspace_id is distinct from new.workspace_id)
  execute function public.hasten_fleet();
