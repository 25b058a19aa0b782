-- As before. The workspaces that go with the account are locked, and nobody can be joining them any more: their open
-- invitations are withdrawn before a plan is ended. Whoever accepted before is seen, and then that workspace stays.
create or replace function public.begin_account_deletion(person uuid) returns jsonb
  language plpgsql
  -- No role of the API writes invitations.
  security definer
  set search_path = ''
as $$
declare
  names text[];
  ids text[];
  gone record;
begin
  -- In the order of begin_change.
  perform 1 from auth.users u where u.id = person for no key update;
  perform 1 from public.members m where m.user_id = person order by m.workspace_id for update;
  perform 1 from public.workspaces w
  where w.id in (
    select m.workspace_id from public.members m
    where m.user_id = person and not exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
  )
  order by w.id for no key update;
  names := array(select w.name from public.workspaces_in_the_way(person) w);
  if cardinality(names) > 0 then
    return jsonb_build_object('in_the_way', names);
  end if;
  for gone in
    delete from public.invitations i
    where i.accepted_by is null and i.workspace_id in (
      select m.workspace_id from public.members m
      where m.user_id = person and not exists (
        select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
      )
    )
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
