-- A person's customers go with their personal workspace when the account goes; a team's stay.
-- allowed: the next statement brings it back, and nobody sees the time between
alter table public.customers drop constraint customers_user_id_fkey;
-- allowed: it takes the same rows as before, and differs when an account goes
alter table public.customers add constraint customers_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete set null not valid;
