-- Usage goes with its workspace, and no longer with an account: a person's own goes with their personal workspace.

-- allowed: each row's workspace is there, and the functions name no other
alter table public.token_usage_events
  add constraint token_usage_events_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
-- allowed: the account's rows go with its personal workspace
alter table public.token_usage_events drop constraint token_usage_events_user_id_fkey;

-- allowed: for the same reason as the first
alter table public.token_usage_counts
  add constraint token_usage_counts_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
-- allowed: for the same reason as the first
alter table public.token_usage_counts drop constraint token_usage_counts_user_id_fkey;

-- allowed: for the same reason as the first
alter table public.token_usage_days
  add constraint token_usage_days_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
-- allowed: for the same reason as the first
alter table public.token_usage_days drop constraint token_usage_days_user_id_fkey;

-- allowed: for the same reason as the first
alter table public.token_allowances
  add constraint token_allowances_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;
-- allowed: for the same reason as the first
alter table public.token_allowances drop constraint token_allowances_user_id_fkey;
