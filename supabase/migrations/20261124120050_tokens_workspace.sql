-- Whose an agent's token is, what it is for, and until when.

alter table public.api_tokens add column workspace_id uuid;
-- Without an end a token is good until it is revoked.
-- allowed: a row that names no scopes has both
alter table public.api_tokens
  add column scopes text[] not null default '{configuration,usage}'
    check (cardinality(scopes) > 0 and scopes <@ '{configuration,usage}'),
  add column ends_at timestamptz;
create index api_tokens_by_workspace on public.api_tokens (workspace_id, created_at);
grant select (workspace_id, scopes, ends_at) on public.api_tokens to authenticated;
-- allowed: it fills a column that the running version does not know
create trigger fill_workspace before insert or update of user_id on public.api_tokens
  for each row execute function public.fill_workspace();
-- A token belongs to a person in a workspace, and ends with the membership.
-- allowed: the trigger names the person's personal workspace, which they own
alter table public.api_tokens add constraint api_tokens_member_fkey
  foreign key (user_id, workspace_id) references public.members (user_id, workspace_id)
  on delete cascade not valid;
