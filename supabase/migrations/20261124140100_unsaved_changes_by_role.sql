-- Whoever may no longer change deployments does not see what they typed either: it holds what was saved then.
-- allowed: each account owns a personal workspace with all that it typed, so everybody reads what they read before
alter policy "People read their own unsaved changes" on public.unsaved_changes
  using (
    user_id = (select auth.uid())
    and workspace_id = any (array(select public.workspaces_where('describe')))
  );

-- Keeps what was typed in the fields of one form, and leaves what was typed in others: of a deployment, or of the form
-- that makes a new one in a workspace, without one in the personal workspace of whoever acts. Answers whether they may
-- change it, and it is not deleted.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.keep_unsaved_changes(uuid, text[], jsonb, uuid);

create function public.keep_unsaved_changes(
  owner uuid,
  fields_of_form text[],
  new_changes jsonb,
  target uuid default null,
  workspace uuid default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid;
begin
  if target is null then
    found_workspace := coalesce(workspace, public.personal_workspace(owner));
    if not public.member_may(owner, found_workspace, 'describe') then
      return false;
    end if;
  else
    found_workspace := public.deployment_workspace(owner, target, 'describe');
    if not exists (
      select from public.deployments d
      where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
    ) then
      return false;
    end if;
  end if;
  insert into public.unsaved_changes as u (user_id, workspace_id, deployment_id, changes)
  values (owner, found_workspace, target, new_changes)
  on conflict (user_id, workspace_id, deployment_id) do update set
    changes = case
      when not u.discarded then (u.changes - fields_of_form) || new_changes
      when new_changes = '{}' then u.changes
      else new_changes
    end,
    discarded = u.discarded and new_changes = '{}',
    updated_at = now();
  delete from public.unsaved_changes u
  where u.user_id = owner and u.workspace_id = found_workspace
    and u.deployment_id is not distinct from target and u.changes = '{}';
  return true;
end;
$$;

revoke execute on function public.keep_unsaved_changes(uuid, text[], jsonb, uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.keep_unsaved_changes(uuid, text[], jsonb, uuid, uuid)
  to service_role;
