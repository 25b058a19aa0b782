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

-- The workspaces that a person is a member of, `alone` where nobody else is. Locked, in the order of begin_change: until
-- the transaction ends nobody joins them or leaves.
create function public.lock_workspaces_of(person uuid) returns table (id uuid, alone boolean)
  language plpgsql
  set search_path = ''
as $$
begin
  perform 1 from auth.users u where u.id = person for no key update;
  perform 1 from public.members m where m.user_id = person order by m.workspace_id for update;
  perform 1 from public.workspaces w
  where w.id in (select m.workspace_id from public.members m where m.user_id = person)
  order by w.id for no key update;
  return query
    select m.workspace_id, not exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    from public.members m where m.user_id = person;
end;
$$;

-- Begins the deletion: no mail about the end of the plans is sent in the meantime, and the open invitations to workspaces
-- that go are withdrawn, before a plan is ended. Whoever accepted before is seen, and then that workspace stays. Answers
-- {customers}, whose plans the caller ends first; or {in_the_way}, the names of workspaces to be decided about, and then
-- changes nothing.
create function public.begin_account_deletion(person uuid) returns jsonb
  language plpgsql
  -- No role of the API writes invitations.
  security definer
  set search_path = ''
as $$
declare
  going uuid[] := array(select w.id from public.lock_workspaces_of(person) w where w.alone);
  names text[] := array(select w.name from public.workspaces_in_the_way(person) w);
  ids text[];
  gone record;
begin
  if cardinality(names) > 0 then
    return jsonb_build_object('in_the_way', names);
  end if;
  for gone in
    delete from public.invitations i where i.accepted_by is null and i.workspace_id = any (going)
    returning i.id, i.workspace_id, i.address
  loop
    perform public.note_audit(
      gone.workspace_id, person, 'invitation.withdrawn', gone.address, target_id => gone.id
    );
  end loop;
  ids := array(select public.customers_of_account(person));
  update public.customers c set deletion_asked_at = now() where c.id = any (ids);
  return jsonb_build_object('customers', ids);
end;
$$;

-- As before, and never what belongs to others, too: workspaces where others work are left, so that the account's end
-- takes none of them along. `ended` names the Stripe customers whose plans the caller has ended; without it they are
-- those that name the account, which the version before this one ends. Raises "object_not_in_prerequisite_state" and
-- removes nothing where the deletion must begin again: somebody has joined since then, or the last other member left.
-- allowed: the same transaction makes it again, and the running version's call fits the new one
drop function public.remove_personal_records(uuid, text);

create function public.remove_personal_records(
  person uuid,
  verified_email text,
  ended text[] default null
) returns void
  language plpgsql
  -- No role of the API writes members.
  security definer
  set search_path = ''
as $$
declare
  shared uuid[] := array(select w.id from public.lock_workspaces_of(person) w where not w.alone);
  ids text[] := array(select public.customers_of_account(person));
begin
  if exists (select from public.workspaces_in_the_way(person)) then
    raise exception 'Others work in a workspace of which this account is the only owner.'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  if exists (
    select from public.customers c
    where c.id = any (ids) and case
      when ended is null then c.user_id is distinct from person
      else c.id <> all (ended)
    end
  ) then
    raise exception 'A plan that goes with this account was not ended.'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  delete from public.members m where m.user_id = person and m.workspace_id = any (shared);
  perform public.note_audit(s.id, null, 'member.account-deleted', target_id => person)
  from unnest(shared) as s (id);
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
  public.lock_workspaces_of(uuid),
  public.begin_account_deletion(uuid),
  public.remove_personal_records(uuid, text, text[])
  from public, anon, authenticated, service_role;
grant execute on function
  public.workspaces_in_the_way(uuid),
  public.customers_of_account(uuid),
  public.begin_account_deletion(uuid),
  public.remove_personal_records(uuid, text, text[])
  to service_role;
