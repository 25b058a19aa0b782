-- Each customer into the personal workspace of its account. Only rows are locked here, those that the site writes
-- meanwhile among them: reads go on, and a write waits for the end.

-- The accounts first: of one that is deleted meanwhile either nothing is moved, or its deletion waits for the end.
-- allowed: it reads ids, and the running version may go on reading them
select u.id from auth.users u
where exists (select from public.customers c where c.user_id = u.id and c.workspace_id is null)
order by u.id
for key share;

-- An account that came since the personal workspaces were made may have none.
-- allowed: the column follows from the trigger, and the running version does not read it
update public.customers c set workspace_id = public.personal_workspace(c.user_id)
where c.workspace_id is null and c.user_id is not null;
