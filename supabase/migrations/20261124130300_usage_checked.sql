-- Reads the tables once, in a transaction that keeps nobody from reading or writing them.
-- allowed: every row has held to it since the migrations before
alter table public.token_usage_events validate constraint token_usage_events_workspace_fkey;
-- allowed: for the same reason as the first
alter table public.token_usage_counts validate constraint token_usage_counts_workspace_fkey;
-- allowed: for the same reason as the first
alter table public.token_usage_days validate constraint token_usage_days_workspace_fkey;
-- allowed: for the same reason as the first
alter table public.token_allowances validate constraint token_allowances_workspace_fkey;
