-- Whose deployments these are. The next migration fills it. Each is a transaction of its own: the one before locks
-- auth.users, this one locks the table, and an account that is deleted meanwhile needs both.
alter table public.deployments add column workspace_id uuid;
-- allowed: nothing writes the column yet but the trigger below, which names a workspace that is there
alter table public.deployments add constraint deployments_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
create index deployments_by_workspace on public.deployments (workspace_id, updated_at desc, id desc);
-- allowed: it fills a column that the running version does not know
create trigger fill_workspace before insert or update of user_id on public.deployments
  for each row execute function public.fill_workspace();
