-- Workspaces are made, named and deleted by these functions alone.

-- Whoever makes one owns it. Answers 'made', or 'missing' (no such account), 'name', 'too many workspaces' (a person is
-- a member of at most 100), 'too many owned'.
create function public.create_workspace(actor uuid, new_id uuid, new_name text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- Two at once are counted one after the other.
  perform 1 from auth.users u where u.id = actor for no key update;
  if not found then
    return 'missing';
  end if;
  if char_length(btrim(new_name)) not between 1 and 80 then
    return 'name';
  end if;
  if (select count(*) from public.members m where m.user_id = actor) >= 100 then
    return 'too many workspaces';
  end if;
  if public.owns_too_many(actor) then
    return 'too many owned';
  end if;
  insert into public.workspaces (id, name) values (new_id, btrim(new_name));
  insert into public.members (workspace_id, user_id, role) values (new_id, actor, 'owner');
  perform public.note_audit(
    new_id, actor, 'workspace.created', btrim(new_name), target_id => new_id
  );
  return 'made';
end;
$$;

-- Answers 'renamed', or 'missing', 'not allowed', 'name'. The slug stays: addresses go on leading there.
create function public.rename_workspace(actor uuid, workspace uuid, new_name text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'settings');
  former text;
begin
  if refusal is not null then
    return refusal;
  end if;
  if char_length(btrim(new_name)) not between 1 and 80 then
    return 'name';
  end if;
  select w.name into former from public.workspaces w where w.id = workspace;
  update public.workspaces w set name = btrim(new_name) where w.id = workspace;
  perform public.note_audit(
    workspace, actor, 'workspace.renamed', btrim(new_name),
    jsonb_build_object('name', former), jsonb_build_object('name', btrim(new_name)), workspace
  );
  return 'renamed';
end;
$$;

-- Whether members see the workspace only after a second factor. Answers 'changed', or 'missing', 'not allowed',
-- 'second factor': whoever has none would shut themselves out.
create function public.require_second_factor_of_all(actor uuid, workspace uuid, wanted boolean)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'settings');
begin
  if refusal is not null then
    return refusal;
  end if;
  if wanted and not public.has_second_factor(actor) then
    return 'second factor';
  end if;
  update public.workspaces w set needs_second_factor = wanted
  where w.id = workspace and w.needs_second_factor <> wanted;
  if found then
    perform public.note_audit(
      workspace, actor, 'workspace.second-factor', '',
      jsonb_build_object('required', not wanted), jsonb_build_object('required', wanted), workspace
    );
  end if;
  return 'changed';
end;
$$;

revoke execute on function
  public.create_workspace(uuid, uuid, text),
  public.rename_workspace(uuid, uuid, text),
  public.require_second_factor_of_all(uuid, uuid, boolean)
  from public, anon, authenticated;
grant execute on function
  public.create_workspace(uuid, uuid, text),
  public.rename_workspace(uuid, uuid, text),
  public.require_second_factor_of_all(uuid, uuid, boolean)
  to service_role;

-- Deletes a workspace with all that it has, where nothing is charged for it any more: `ended` names the Stripe customers
-- whose plans the caller has ended. Answers {answer: 'deleted'}, or 'missing', 'not allowed', or 'end first' with the
-- customers that are left: no mail is sent to them about it.
create function public.delete_workspace(actor uuid, workspace uuid, ended text[] default '{}')
  returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text;
  left_over text[];
begin
  -- Their memberships go, too: all of them are locked before the workspace.
  refusal := public.begin_change(actor, workspace, 'own', case
    when public.may_now(actor, workspace, 'own')
    then array(select m.user_id from public.members m where m.workspace_id = workspace)
    else '{}'
  end);
  if refusal is not null then
    return jsonb_build_object('answer', refusal);
  end if;
  -- A report from Stripe that is being written is waited for, and one that comes later finds the id among the closed.
  perform pg_advisory_xact_lock(hashtextextended(c.id, 0))
  from (select d.id from public.customers d where d.workspace_id = workspace order by d.id) c;
  with kept as (
    update public.customers c set deletion_asked_at = now()
    where c.workspace_id = workspace and c.id <> all (ended)
    returning c.id
  )
  select array_agg(k.id order by k.id) into left_over from kept k;
  if left_over is not null then
    return jsonb_build_object('answer', 'end first', 'customers', left_over);
  end if;
  delete from public.workspaces w where w.id = workspace;
  return jsonb_build_object('answer', 'deleted');
end;
$$;

revoke execute on function public.delete_workspace(uuid, uuid, text[]) from public, anon, authenticated;
grant execute on function public.delete_workspace(uuid, uuid, text[]) to service_role;
