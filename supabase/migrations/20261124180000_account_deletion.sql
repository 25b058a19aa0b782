-- What the deletion of an account must not take from others. A workspace goes with the account of its only member, and
-- its plan ends; where others work, too, it stays with them.

-- The workspaces that a person alone owns and others work in: who is to own them is decided before the account goes.
create function public.workspaces_in_the_way(person uuid) returns table (slug text, name text)
  language sql
  stable
  set search_path = ''
as $$
  select w.slug, w.name from public.members m
  join public.workspaces w on w.id = m.workspace_id
  where m.user_id = person and m.role = 'owner'
    and exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    and not exists (
      select from public.members n
      where n.workspace_id = m.workspace_id and n.role = 'owner' and n.user_id <> person
    )
  order by w.name, w.slug;
$$;

-- The Stripe customers that go with an account: of workspaces where the person is the only member, and those that
-- belong to no workspace yet.
create function public.customers_of_account(person uuid) returns setof text
  language sql
  stable
  set search_path = ''
as $$
  select c.id from public.members m
  join public.customers c on c.workspace_id = m.workspace_id
  where m.user_id = person and not exists (
    select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
  )
  union
  select c.id from public.customers c where c.user_id = person and c.workspace_id is null;
$$;

-- Begins the deletion: no mail about the end of the plans is sent in the meantime. Answers {customers}, whose plans the
-- caller ends first; or {in_the_way}, the names of workspaces to be decided about, and then changes nothing.
create function public.begin_account_deletion(person uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  names text[] := array(select w.name from public.workspaces_in_the_way(person) w);
  ids text[];
begin
  if cardinality(names) > 0 then
    return jsonb_build_object('in_the_way', names);
  end if;
  ids := array(select public.customers_of_account(person));
  update public.customers c set deletion_asked_at = now() where c.id = any (ids);
  return jsonb_build_object('customers', ids);
end;
$$;

-- As before, and never what belongs to others, too. Raises where a workspace is in the way: somebody may have joined
-- since the deletion began.
create or replace function public.remove_personal_records(person uuid, verified_email text)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  ids text[] := array(select public.customers_of_account(person));
begin
  if exists (select from public.workspaces_in_the_way(person)) then
    raise exception 'Others work in a workspace of which this account is the only owner.';
  end if;
  -- A report from Stripe that is being written is waited for, and one that comes later finds the id
  -- among the closed. In one order, so that two deletions cannot wait for each other.
  perform pg_advisory_xact_lock(hashtextextended(c.id, 0))
  from (select x.id from public.customers x where x.id = any (ids) order by x.id) c;
  delete from public.customers c where c.id = any (ids);
  delete from public.contact_messages where lower(email) = lower(verified_email);
end;
$$;

revoke execute on function
  public.workspaces_in_the_way(uuid),
  public.customers_of_account(uuid),
  public.begin_account_deletion(uuid)
  from public, anon, authenticated;
grant execute on function
  public.workspaces_in_the_way(uuid),
  public.customers_of_account(uuid),
  public.begin_account_deletion(uuid)
  to service_role;
