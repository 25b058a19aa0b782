-- What a person typed in the wizard and has not saved: one row for each deployment of theirs, and one, without a
-- deployment, for the form that makes a new one.
create table public.unsaved_changes (
  user_id uuid not null references auth.users (id) on delete cascade,
  deployment_id uuid references public.deployments (id) on delete cascade,
  -- By the name of a field: what was saved when it was changed, and what was typed.
  changes jsonb not null check (octet_length(changes::text) <= 65536),
  -- Set when somebody discards them, until they take that back.
  discarded boolean not null default false,
  updated_at timestamptz not null default now(),
  unique nulls not distinct (user_id, deployment_id)
);

create index unsaved_changes_by_deployment on public.unsaved_changes (deployment_id);
create index unsaved_changes_by_age on public.unsaved_changes (updated_at);

alter table public.unsaved_changes enable row level security;

create policy "People read their own unsaved changes" on public.unsaved_changes
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "Own rows are read in a live session, with the second factor where there is one"
  on public.unsaved_changes
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.unsaved_changes from anon, authenticated;
grant select on public.unsaved_changes to authenticated;
grant all on public.unsaved_changes to service_role;

-- Keeps what was typed in the fields of one form, and leaves what was typed in others. Answers whether the owner has
-- such a deployment, which is not deleted.
create function public.keep_unsaved_changes(
  owner uuid,
  fields_of_form text[],
  new_changes jsonb,
  target uuid default null
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if target is not null and not exists (
    select from public.deployments d
    where d.id = target and d.user_id = owner and d.deleted_at is null
  ) then
    return false;
  end if;
  insert into public.unsaved_changes as u (user_id, deployment_id, changes)
  values (owner, target, new_changes)
  on conflict (user_id, deployment_id) do update set
    changes = case
      when not u.discarded then (u.changes - fields_of_form) || new_changes
      when new_changes = '{}' then u.changes
      else new_changes
    end,
    discarded = u.discarded and new_changes = '{}',
    updated_at = now();
  delete from public.unsaved_changes u
  where u.user_id = owner and u.deployment_id is not distinct from target
    and u.changes = '{}';
  return true;
end;
$$;

-- Removes what nobody changed for thirty days, and what was discarded a day ago. Answers how many rows.
create function public.remove_expired_unsaved_changes(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.unsaved_changes u where u.ctid = any (array(
    select x.ctid from public.unsaved_changes x
    where x.updated_at < now() - interval '30 days'
      or (x.discarded and x.updated_at < now() - interval '1 day')
    limit at_most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end;
$$;

revoke execute on function public.keep_unsaved_changes(uuid, text[], jsonb, uuid)
  from public, anon, authenticated;
revoke execute on function public.remove_expired_unsaved_changes(integer)
  from public, anon, authenticated;
grant execute on function public.keep_unsaved_changes(uuid, text[], jsonb, uuid) to service_role;
grant execute on function public.remove_expired_unsaved_changes(integer) to service_role;
