-- Who made a deployment. Theirs alone goes with their personal workspace when the account goes; a team's stays.
alter table public.deployments alter column user_id drop not null;
-- allowed: the next statement brings it back, and nobody sees the time between
alter table public.deployments drop constraint deployments_user_id_fkey;
-- allowed: it takes the same rows as before, and differs when an account goes
alter table public.deployments add constraint deployments_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete set null not valid;
-- Nobody could read or delete one without.
-- allowed: the trigger fills the column for the running version
alter table public.deployments add constraint deployments_in_a_workspace
  check (workspace_id is not null) not valid;
