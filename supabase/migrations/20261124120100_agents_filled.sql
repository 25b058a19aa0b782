-- Each configuration and each token into its person's personal workspace. As for deployments, only rows are locked
-- here.

-- Accounts that are newer than the first personal workspaces, and that have made no deployment since.
-- allowed: it only adds rows, of which the running version reads none
select public.personal_workspace(p.user_id)
from (
  select v.user_id from public.model_configuration_versions v where v.workspace_id is null
  union
  select t.user_id from public.api_tokens t where t.workspace_id is null
) p;

-- allowed: the running version does not read the column
update public.model_configuration_versions v set workspace_id = w.id
from public.workspaces w
where v.workspace_id is null and w.personal_of = v.user_id;

-- allowed: the running version does not read the column
update public.api_tokens t set workspace_id = w.id
from public.workspaces w
where t.workspace_id is null and w.personal_of = t.user_id;
