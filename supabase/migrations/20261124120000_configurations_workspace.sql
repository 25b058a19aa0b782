-- Whose a model configuration is. A later migration fills the column, in a transaction of its own: this one locks the
-- table, and the next one that of the tokens.

alter table public.model_configuration_versions add column workspace_id uuid;
-- allowed: nothing writes the column yet but the trigger below, which names a workspace that is there
alter table public.model_configuration_versions
  add constraint model_configuration_versions_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
-- The key of the table once every row has a workspace. One person's versions in two workspaces are numbered apart.
-- allowed: in one personal workspace the numbers are as unique as for its person
create unique index model_configuration_versions_by_workspace
  on public.model_configuration_versions (workspace_id, version);
-- For the removal of an account, which the key of before found by the person.
create index model_configuration_versions_by_person on public.model_configuration_versions (user_id);
-- allowed: it fills a column that the running version does not know
create trigger fill_workspace before insert or update of user_id on public.model_configuration_versions
  for each row execute function public.fill_workspace();
