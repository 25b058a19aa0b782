-- A personal workspace for each account that there is, and each deployment into its owner's. Only rows are locked here:
-- reads go on. A change of a deployment waits for the end, and so does whoever deletes an account or connects a way to
-- sign in.

insert into public.workspaces (id, personal_of)
select u.id, u.id from (select id from auth.users for key share) u
on conflict do nothing;

insert into public.members (workspace_id, user_id, role, joined_at)
select w.id, w.personal_of, 'owner', w.created_at
from public.workspaces w where w.personal_of is not null
on conflict do nothing;

-- allowed: the running version does not read the column
update public.deployments d set workspace_id = w.id
from public.workspaces w
where d.workspace_id is null and w.personal_of = d.user_id;
