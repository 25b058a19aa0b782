-- By now no call uses the key without a workspace: with it, two workspaces would share one row of the new form.
-- allowed: unsaved_changes_one_each takes its place, and the function above names that
alter table public.unsaved_changes drop constraint unsaved_changes_user_id_deployment_id_key;
-- Nobody could read or remove one without.
-- allowed: the trigger fills the column for the running version
alter table public.unsaved_changes add constraint unsaved_changes_in_a_workspace
  check (workspace_id is not null) not valid;
