-- What the servers Worker is sent of a workspace, and now what its deployments are called and where their machines are:
-- messages say it of a server.
create or replace function public.fleet_facts(workspace uuid, basic_prices text[]) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  select jsonb_build_object(
    'slug', w.slug,
    'name', w.name,
    'owner', (
      select m.user_id from public.members m
      where m.workspace_id = w.id and m.role = 'owner'
      order by m.joined_at, m.user_id limit 1
    ),
    'deployments', (
      select coalesce(jsonb_object_agg(d.id, jsonb_strip_nulls(jsonb_build_object(
        'name', d.name,
        'provider', d.options ->> 'provider',
        'system', d.options ->> 'system'
      ))), '{}')
      from public.deployments d
      where d.workspace_id = w.id and d.deleted_at is null
    ),
    'plan', public.workspace_plan(w.id, basic_prices),
    'ended_at', e.ended_at,
    'paused', exists (
      select from public.customers c
      join public.subscriptions s on s.customer_id = c.id
      where c.workspace_id = w.id and s.status = 'paused' and s.paused_until is not null and c.missing_since is null
    ) and public.workspace_plan(w.id, basic_prices) = 'none',
    'history_over', coalesce(f.history_over_of = e.subscription_id, false)
  )
  from public.workspaces w
  left join public.fleets f on f.workspace_id = w.id
  left join public.last_plan_end(w.id) e on true
  where w.id = workspace;
$$;

-- Messages have the name of a workspace and of a deployment with the next run, and not within the hour.
create function public.hasten_fleet_of_name() returns trigger
  language plpgsql
  -- No role of the API writes fleets.
  security definer
  set search_path = ''
as $$
declare
  named uuid := coalesce((to_jsonb(new) ->> 'workspace_id')::uuid, new.id);
begin
  -- Whoever deletes a workspace waits for what is in it. To wait for its fleet here could be to wait for ever.
  perform 1 from public.workspaces w where w.id = named for key share skip locked;
  if found then
    update public.fleets f set due_at = now() where f.workspace_id = named and f.due_at > now();
  end if;
  return null;
end;
$$;
revoke execute on function public.hasten_fleet_of_name() from service_role;

-- allowed: they write only what the next run reads
create trigger hasten_fleet after update of name, slug on public.workspaces
  for each row when (old.name is distinct from new.name or old.slug is distinct from new.slug)
  execute function public.hasten_fleet_of_name();
-- allowed: for the same reason as the first
create trigger hasten_fleet after update of name, options on public.deployments
  for each row when (old.name is distinct from new.name or old.options is distinct from new.options)
  execute function public.hasten_fleet_of_name();
