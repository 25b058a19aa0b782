-- What the servers Worker is sent of a workspace, and now by whom it is owned: servers of one owner are judged together
-- where many fall silent at once (docs/decisions/0055). Of several owners it is the one of longest standing.
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
    'plan', public.workspace_plan(w.id, basic_prices),
    'ended_at', e.ended_at,
    'history_over', coalesce(f.history_over_of = e.subscription_id, false)
  )
  from public.workspaces w
  left join public.fleets f on f.workspace_id = w.id
  left join public.last_plan_end(w.id) e on true
  where w.id = workspace;
$$;
