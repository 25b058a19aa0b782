-- The workspaces of whoever asks, the personal one first. The console asks it for each page, so that who was removed is
-- gone with the next one. It also names those that want a second factor which was not given: their rows are not read
-- then, and the console says why.
create function public.my_workspaces() returns table (
  id uuid,
  slug text,
  name text,
  role text,
  -- Whether this is where that belongs which names only the person.
  personal boolean,
  -- Whether somebody else is a member.
  shared boolean,
  needs_second_factor boolean
)
  language plpgsql
  stable
  -- Whose personal workspace one is, nobody reads.
  security definer
  set search_path = ''
  rows 10
as $$
begin
  -- Anybody with a token may ask it past the policies.
  if not public.may_read_own() then
    return;
  end if;
  return query
    select w.id, w.slug, w.name, m.role, w.personal_of is not distinct from m.user_id,
      exists (
        select from public.members o
        where o.workspace_id = w.id and o.user_id <> m.user_id
      ),
      w.needs_second_factor
    from public.members m
    join public.workspaces w on w.id = m.workspace_id
    where m.user_id = (select auth.uid())
    order by w.personal_of is distinct from m.user_id, m.joined_at, w.id;
end;
$$;

revoke execute on function public.my_workspaces() from public, anon, authenticated;
grant execute on function public.my_workspaces() to authenticated;
