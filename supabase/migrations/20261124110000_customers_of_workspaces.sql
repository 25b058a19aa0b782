-- Whose a Stripe customer is: null for a guest's until somebody claims it. The next migration fills the column, in a
-- transaction of its own: this one locks the table.

alter table public.customers add column workspace_id uuid;
-- allowed: nothing writes the column yet but the trigger below, which names a workspace that is there
alter table public.customers add constraint customers_workspace_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade not valid;

create index customers_by_workspace on public.customers (workspace_id, created_at);
-- Of two members who buy for the first time at once, one makes the customer and the other finds it.
-- allowed: an account has one such customer already, and is alone in its personal workspace
create unique index customers_one_account_per_workspace on public.customers (workspace_id)
  where origin = 'account';

-- allowed: it fills a column that the running version does not know
create trigger fill_workspace before insert or update of user_id on public.customers
  for each row execute function public.fill_workspace();
