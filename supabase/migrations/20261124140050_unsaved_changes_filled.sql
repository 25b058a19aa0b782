-- What is not saved belongs to the workspace of its deployment, or else to the personal one. Only rows are locked here.

-- Deleting an account takes it before its rows: so does this.
-- allowed: it changes nothing, and whoever deletes such an account waits for a moment
select from auth.users u
where u.id in (select c.user_id from public.unsaved_changes c)
order by u.id for key share;

-- allowed: the running version does not read the column
update public.unsaved_changes c set workspace_id = coalesce(
  (
    select d.workspace_id from public.deployments d
    join public.members m on m.workspace_id = d.workspace_id and m.user_id = c.user_id
    where d.id = c.deployment_id
  ),
  public.personal_workspace(c.user_id)
)
where c.workspace_id is null;
