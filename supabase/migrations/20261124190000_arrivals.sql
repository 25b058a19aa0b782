-- What a sign-in does in the database, in one call.

-- As before, but it waits for no workspace that is being deleted: that takes its log along.
create or replace function public.note_sign_in(person uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.note_audit(s.id, person, 'session.began')
  from (
    select w.id from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.user_id = person and exists (
      select from public.members n where n.workspace_id = m.workspace_id and n.user_id <> person
    )
    for key share of w skip locked
  ) s;
end;
$$;

-- Gives whoever signed in their personal workspace, and notes the sign-in, unless a second factor is still due: where
-- that is given, it is noted. What cannot be noted keeps nobody out.
create function public.arrive(person uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.personal_workspace(person);
  if public.has_second_factor(person) then
    return;
  end if;
  begin
    perform public.note_sign_in(person);
  exception
    when others then
      raise warning 'A sign-in was not noted: %', sqlerrm;
  end;
end;
$$;

revoke execute on function public.arrive(uuid) from public, anon, authenticated;
grant execute on function public.arrive(uuid) to service_role;
