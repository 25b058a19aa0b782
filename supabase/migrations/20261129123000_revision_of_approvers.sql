-- Who approves rollouts has a revision that only grows (docs/decisions/0084): of two answers that reach the servers Worker
-- in another order than they were read in, the newer one counts.

alter table public.workspaces add column approvers_revision bigint not null default 0;

create function public.raise_approvers_revision() returns trigger
  language plpgsql
  -- No role of the API writes workspaces.
  security definer
  set search_path = ''
as $$
begin
  update public.workspaces w set approvers_revision = w.approvers_revision + 1
  where w.id = coalesce(new.workspace_id, old.workspace_id);
  return null;
end;
$$;

-- allowed: it refuses nothing, and changes the new column alone
create trigger raise_revision_with_passkeys after insert or delete on public.approver_passkeys
  for each row execute function public.raise_approvers_revision();

-- A role says whether a member's passkeys approve. Members without any change nothing.
create function public.raise_approvers_revision_of_role() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.workspaces w set approvers_revision = w.approvers_revision + 1
  where w.id = new.workspace_id and exists (
    select from public.approver_passkeys p
    where p.workspace_id = new.workspace_id and p.user_id = new.user_id
  );
  return null;
end;
$$;

-- allowed: it refuses nothing, and changes the new column alone
create trigger raise_revision_with_roles after update of role on public.members
  for each row execute function public.raise_approvers_revision_of_role();

create function public.raise_approvers_revision_of_number() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.approvers_revision = old.approvers_revision + 1;
  return new;
end;
$$;

-- allowed: it refuses nothing, and changes the new column alone
create trigger raise_revision_with_number before update of approvals_needed on public.workspaces
  for each row execute function public.raise_approvers_revision_of_number();

-- As before, with the revision.
create or replace function public.approvers_of(workspace uuid) returns jsonb
  language sql
  stable
  -- It reads addresses of accounts.
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'needed', w.approvals_needed,
    'revision', w.approvers_revision,
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

-- As before, and with who approves, so that a fleet that was not reached hears of it.
create or replace function public.due_fleets(at_most integer, closed_at_most integer, basic_prices text[]) returns jsonb
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
    ),
    'approvers', public.approvers_of(a.id)
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
