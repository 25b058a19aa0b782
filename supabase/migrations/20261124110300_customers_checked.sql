-- Reads the table once, in a transaction that keeps nobody from reading or writing it.
-- allowed: every row has held to it since the migrations before
alter table public.customers validate constraint customers_workspace_fkey;
-- allowed: the constraint of this name before it held for every row
alter table public.customers validate constraint customers_user_id_fkey;
