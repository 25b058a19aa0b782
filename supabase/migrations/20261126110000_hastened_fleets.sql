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

-- allowed: it only says when the cron calls, which the running version does as before
create trigger hasten_new_plan after insert on public.subscriptions
  for each row execute function public.hasten_fleet();
-- A plan that is filled in where former code wrote none changes nothing.
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

revoke execute on function public.hasten_fleet() from public, anon, authenticated, service_role;

-- As before, and `members` are {person, address, connects} of every member: the address null where it is not confirmed,
-- and whether their role lets them connect servers now. Each fleet is asked once an hour, or sooner where settle_fleets
-- says that it did not answer, or where its plan changed; a closed one is forgotten again every five minutes until
-- settle_fleets says that it was. A run that is cut off loses nothing.
-- Answers {open: [{workspace, facts, deleted, members}], closed: [workspace]}: `deleted` are the ids of deployments that
-- were deleted, whose servers end with them.
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
