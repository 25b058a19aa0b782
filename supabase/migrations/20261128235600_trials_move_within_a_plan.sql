-- A trial's deployments move as before, the latest first, and never into more than the largest plan has: else whoever goes
-- through one trial after the other fills an account without end.
create or replace function public.move_trial(trial uuid, person uuid) returns integer
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
  -- One move after the other into the same workspace: they are counted.
  perform 1 from public.workspaces w where w.id = target for no key update;
  with chosen as (
    update public.deployments d set user_id = person, workspace_id = target
    where d.id in (
      select o.id from public.deployments o
      where o.workspace_id = found_trial.workspace_id and o.deleted_at is null
        and (o.version > 1 or o.id <> all (found_trial.seeded))
      order by o.updated_at desc, o.id
      -- As many as the largest plan has, which is a trial's: planQuotas in app/content/plans.ts.
      limit greatest(0, 20 - (
        select count(*) from public.deployments t
        where t.workspace_id = target and t.deleted_at is null
      ))
    )
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
