-- Within which workspace somebody typed what they have not saved. It goes when their membership does: it holds what was
-- saved as they typed. The next migration fills the column.
alter table public.unsaved_changes add column workspace_id uuid;
-- allowed: nothing writes the column yet but the trigger below, which names a workspace of the person
alter table public.unsaved_changes add constraint unsaved_changes_member_fkey
  foreign key (user_id, workspace_id) references public.members (user_id, workspace_id)
  on delete cascade not valid;
-- allowed: of two rows that it forbids the constraint before it forbids one, too
create unique index unsaved_changes_one_each
  on public.unsaved_changes (user_id, workspace_id, deployment_id) nulls not distinct;
-- allowed: it fills a column that the running version does not know
create trigger fill_workspace before insert or update of user_id on public.unsaved_changes
  for each row execute function public.fill_workspace();
