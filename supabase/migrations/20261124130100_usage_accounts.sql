-- A personal workspace for each account that has usage or allowances and none yet. Only rows are locked here.
-- allowed: it only adds rows, of which the running version reads none
select public.personal_workspace(u.id)
from (
  select x.id from auth.users x
  where x.id in (
      select c.workspace_id from public.token_usage_counts c
      union
      select a.workspace_id from public.token_allowances a
    )
    and not exists (select from public.workspaces w where w.id = x.id)
  for key share
) u;
