-- Trials: workspaces of anonymous users of Supabase Auth, for a day (docs/decisions/0069). Whoever has `is_anonymous` in
-- auth.users may do in the database what a trial allows, also where the auth server was asked past the site.

create table public.trials (
  user_id uuid primary key references auth.users (id) on delete cascade,
  workspace_id uuid not null unique references public.workspaces (id) on delete cascade,
  ends_at timestamptz not null default now() + interval '24 hours',
  -- The deployments that it began with: who signs up keeps those alone that they changed or described themselves.
  seeded uuid[] not null default '{}'
);

alter table public.trials enable row level security;
-- Only the functions below write and read here.
revoke all on public.trials from anon, authenticated, service_role;

-- Whether an account is an anonymous one.
create function public.is_anonymous(person uuid) returns boolean
  language sql
  stable
  -- No role of the API may read auth.users.
  security definer
  set search_path = ''
as $$
  select coalesce((select u.is_anonymous from auth.users u where u.id = person), false);
$$;

-- When the trial of whoever asks ends; null for everybody else.
create function public.my_trial() returns timestamptz
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select t.ends_at from public.trials t
  where (select public.may_read_own()) and t.user_id = (select auth.uid());
$$;
grant execute on function public.my_trial() to authenticated;

-- Whether a person may do something in a workspace, as it is now. Where a workspace wants a second factor, reads ask
-- for one that was given (workspaces_where), and changes for one that is set up: the Worker has asked for it before. An
-- anonymous account describes deployments and acts on incidents, whatever its role.
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
  );
$$;

-- Begins the trial of an anonymous account with these deployments, [{name, options}]. A second call answers the same
-- trial. {workspace, ends_at, deployments: [id]}; null for any other account.
create function public.begin_trial(person uuid, seeds jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_workspace uuid;
  made uuid;
  ids uuid[] := '{}';
  seed record;
begin
  -- Two posts of one browser wait for each other.
  perform 1 from auth.users u where u.id = person and u.is_anonymous for no key update;
  if not found then
    return null;
  end if;
  if not exists (select from public.trials t where t.user_id = person) then
    found_workspace := public.personal_workspace(person);
    for seed in
      select s.name, s.options from jsonb_to_recordset(seeds) as s (name text, options jsonb)
    loop
      insert into public.deployments (user_id, workspace_id, name, options)
      values (person, found_workspace, seed.name, seed.options)
      returning id into made;
      insert into public.deployment_versions (deployment_id, version, options)
      values (made, 1, seed.options);
      ids := ids || made;
    end loop;
    insert into public.trials (user_id, workspace_id, seeded) values (person, found_workspace, ids);
    -- The object ends by itself. It is noted here so that it is also forgotten with its workspace.
    insert into public.fleets (workspace_id, due_at)
    values (found_workspace, now() + interval '2 days') on conflict do nothing;
  end if;
  return (
    select jsonb_build_object(
      'workspace', t.workspace_id, 'ends_at', t.ends_at, 'deployments', to_jsonb(t.seeded)
    )
    from public.trials t where t.user_id = person
  );
end;
$$;

-- Gives what somebody described in a trial to the account with which they then signed in, in its personal workspace: the
-- deployments that they made or changed, and what they typed and did not save. The trial ends. How many deployments;
-- null where the one is no trial, or the other no account.
create function public.move_trial(trial uuid, person uuid) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_trial public.trials;
  target uuid;
  moved uuid[];
begin
  perform 1 from auth.users u where u.id in (trial, person) order by u.id for no key update;
  select * into found_trial from public.trials t where t.user_id = trial;
  if not found or not public.is_anonymous(trial) or public.is_anonymous(person)
    or not exists (select from auth.users u where u.id = person)
  then
    return null;
  end if;
  target := public.personal_workspace(person);
  with chosen as (
    update public.deployments d set user_id = person, workspace_id = target
    where d.workspace_id = found_trial.workspace_id and d.deleted_at is null
      and (d.version > 1 or d.id <> all (found_trial.seeded))
    returning d.id
  )
  select coalesce(array_agg(c.id), '{}') into moved from chosen c;
  update public.unsaved_changes u set user_id = person, workspace_id = target
  where u.user_id = trial
    and (
      u.deployment_id = any (moved)
      or u.deployment_id is null and not exists (
        select from public.unsaved_changes o
        where o.user_id = person and o.workspace_id = target and o.deployment_id is null
      )
    );
  delete from auth.users u where u.id = trial and u.is_anonymous;
  return cardinality(moved);
end;
$$;

-- Deletes anonymous accounts whose day is over, with all that is theirs. Answers how many; the rest of a great number at
-- the next call.
create function public.remove_ended_trials(at_most integer) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from auth.users u where u.id in (
    select e.id from auth.users e
    left join public.trials t on t.user_id = e.id
    where e.is_anonymous and coalesce(t.ends_at, e.created_at + interval '24 hours') <= now()
    limit at_most
  );
  get diagnostics removed = row_count;
  return removed;
end;
$$;

-- The plans of a workspace; a trial has one of its own, which nobody bought.
create or replace function public.plans_of(workspace uuid) returns table (
  id text,
  status text,
  plan text,
  price_id text,
  current_period_end timestamptz,
  cancel_at timestamptz,
  created_at timestamptz
)
  language sql
  stable
  -- Not every member may read the tables.
  security definer
  set search_path = ''
as $$
  select s.id, s.status, s.plan, s.price_id, s.current_period_end, s.cancel_at, s.created_at
  from public.customers c
  join public.subscriptions s on s.customer_id = c.id
  where (select public.may_read_own())
    and c.workspace_id = workspace
    and workspace = any (array(select public.workspaces_where('see')))
    and c.missing_since is null
    and s.plan is distinct from 'none'
  union all
  select 'trial', 'trialing', 'pro', 'trial', t.ends_at, t.ends_at, t.ends_at - interval '24 hours'
  from public.trials t
  where (select public.may_read_own())
    and t.workspace_id = workspace and t.user_id = (select auth.uid()) and t.ends_at > now()
  order by 7 desc, 1;
$$;
