-- A home for each account that there is, and each deployment into its owner's. Only rows are locked here, those that
-- the site writes meanwhile among them: reads go on, and a write waits for the end.

insert into public.workspaces (id, home_of)
select u.id, u.id from auth.users u
on conflict do nothing;

insert into public.members (workspace_id, user_id, role, joined_at)
select w.id, w.home_of, 'owner', w.created_at
from public.workspaces w where w.home_of is not null
on conflict do nothing;

-- allowed: the running version does not read the column
update public.deployments d set workspace_id = w.id
from public.workspaces w
where d.workspace_id is null and w.home_of = d.user_id;
