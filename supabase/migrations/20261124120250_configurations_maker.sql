-- Who saved a version. What they alone had goes with their personal workspace when the account goes; a team's stays.
alter table public.model_configuration_versions alter column user_id drop not null;
-- allowed: the next statement brings it back, and nobody sees the time between
alter table public.model_configuration_versions
  drop constraint model_configuration_versions_user_id_fkey;
-- allowed: it takes the same rows as before, and differs when an account goes
alter table public.model_configuration_versions
  add constraint model_configuration_versions_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete set null not valid;
