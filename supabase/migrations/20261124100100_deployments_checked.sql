-- Reads the table once, in a transaction that keeps nobody from reading or writing it.
-- allowed: every row has held to it since the migrations before
alter table public.deployments validate constraint deployments_workspace_fkey;
-- allowed: the constraint of this name before it held for every row
alter table public.deployments validate constraint deployments_user_id_fkey;
-- allowed: the migrations before filled the column of every row
alter table public.deployments validate constraint deployments_in_a_workspace;
