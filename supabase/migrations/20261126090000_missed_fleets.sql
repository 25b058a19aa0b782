-- As before, and `open` has those that wait longest first. Each fleet is asked once an hour, or sooner where settle_fleets
-- says that it did not answer; a closed one is forgotten again every five minutes until settle_fleets says that it was.
-- A run that is cut off loses nothing.
-- Answers {open: [{workspace, facts, deleted, members}], closed: [workspace]}: `deleted` are the ids of deployments that
-- were deleted, whose servers end with them; `members` are {person, address} of every member, the address null where it
-- is not confirmed.
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
          'address', case when u.email like '%@%' and u.email_confirmed_at is not null then u.email end
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

-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.settle_fleets(jsonb, uuid[]);

-- As before, and `missed` are fleets that did not answer: the next run asks them, in this order. Notes the servers that
-- fleets answered, [{id, workspace, deployment, name, enrolled, retired}], and which closed fleets were forgotten. Each
-- is forgotten once more a quarter of an hour after its workspace went: a token may have been on its way. Rows that are
-- as before are not written.
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

revoke execute on function public.settle_fleets(jsonb, uuid[], uuid[])
  from public, anon, authenticated, service_role;
grant execute on function public.settle_fleets(jsonb, uuid[], uuid[]) to service_role;
