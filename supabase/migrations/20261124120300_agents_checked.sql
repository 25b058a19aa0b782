-- Reads the tables once, in a transaction that keeps nobody from reading or writing them.
-- allowed: every row has held to it since the migrations before
alter table public.model_configuration_versions
  validate constraint model_configuration_versions_workspace_fkey;
-- allowed: for the same reason as the first
alter table public.api_tokens validate constraint api_tokens_member_fkey;
-- allowed: the constraint of this name before it held for every row
alter table public.model_configuration_versions
  validate constraint model_configuration_versions_user_id_fkey;
