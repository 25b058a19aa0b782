-- A provider of single sign-on that has ended here stays noted until an operator has taken it away at the auth server.

-- allowed: the column is new, and nothing that runs writes it
alter table public.sso_connections
  add column ended_provider text check (ended_provider ~ '^sso:[0-9a-f-]{36}$');

-- As before; what 'end' ends is noted.
create or replace function public.change_sso(actor uuid, workspace uuid, act text, value text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  refusal text := public.begin_change(actor, workspace, 'own');
  connection public.sso_connections;
  wanted text := lower(btrim(value));
  gone record;
begin
  if refusal is not null then
    return refusal;
  end if;
  select * into connection from public.sso_connections c where c.workspace_id = workspace;
  if not found then
    return 'no sso';
  end if;
  case act
    when 'add' then
      if (select count(*) from public.sso_domains d where d.workspace_id = workspace) >= 10 then
        return 'sso many';
      end if;
      insert into public.sso_domains (workspace_id, domain) values (workspace, wanted)
      on conflict do nothing;
    when 'verify' then
      update public.sso_domains d set verified_at = now()
      where d.workspace_id = workspace and d.domain = wanted;
    when 'remove' then
      delete from public.sso_domains d where d.workspace_id = workspace and d.domain = wanted;
    when 'metadata' then
      -- What is registered at the auth server is changed there.
      if connection.provider is not null then
        return 'sso later';
      end if;
      update public.sso_connections c set metadata_url = btrim(value) where c.workspace_id = workspace;
    when 'require' then
      if connection.provider is null then
        return 'sso later';
      end if;
      update public.sso_connections c set is_required = true where c.workspace_id = workspace;
      for gone in
        delete from public.members m using auth.users u
        where m.workspace_id = workspace and u.id = m.user_id and m.role <> 'owner'
          and public.sso_workspace(connection.provider, u.email) = workspace
          and not public.came_by_sso(m.user_id, connection.provider)
        returning m.user_id, m.role
      loop
        perform public.note_audit(
          workspace, actor, 'member.removed', public.address_of(gone.user_id),
          jsonb_build_object('role', gone.role), null, gone.user_id
        );
      end loop;
    when 'free' then
      update public.sso_connections c set is_required = false where c.workspace_id = workspace;
    when 'end' then
      for gone in
        delete from public.members m
        where m.workspace_id = workspace and m.role <> 'owner'
          and public.came_by_sso(m.user_id, connection.provider)
        returning m.user_id, m.role
      loop
        perform public.note_audit(
          workspace, actor, 'member.removed', public.address_of(gone.user_id),
          jsonb_build_object('role', gone.role), null, gone.user_id
        );
      end loop;
      update public.sso_connections c
      set provider = null, is_required = false,
        ended_provider = coalesce(connection.provider, c.ended_provider)
      where c.workspace_id = workspace;
  end case;
  perform public.note_audit(
    workspace, actor, 'workspace.sso', wanted, null, jsonb_build_object('act', act), workspace
  );
  return 'changed';
exception
  when check_violation then
    return case act when 'metadata' then 'sso metadata' else 'sso domain' end;
  when unique_violation then
    return 'sso taken';
end;
$$;
