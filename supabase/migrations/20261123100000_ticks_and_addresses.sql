-- Which steps towards a running server are done, and where that server is.

-- Each step is {"version", "at", "how"}: a tick is made for one version of the choices, so that a later change can
-- open the step again. `progress` knows the time alone. Only the Worker from before this migration reads it.
-- allowed: the checks are of columns that are new, so no row breaks them
alter table public.deployments
  add column ticks jsonb not null default '{}' check (octet_length(ticks::text) <= 2048),
  add column server_ipv4 text check (server_ipv4 ~ '^[0-9.]{7,15}$'),
  add column server_ipv6 text check (server_ipv6 ~ '^[0-9a-f:]{2,39}$'),
  add column server_version integer check (server_version > 0);

-- The version that was current when a step was marked as done.
-- allowed: only a column that is added above is written, which the running version does not read
update public.deployments d
set ticks = (
  select jsonb_object_agg(p.step, jsonb_build_object(
    'version', coalesce((
      select max(v.version) from public.deployment_versions v
      where v.deployment_id = d.id and v.saved_at <= (p.at #>> '{}')::timestamptz
    ), 1),
    'at', p.at,
    'how', 'hand'
  ))
  from jsonb_each(d.progress) p(step, at)
)
where d.progress <> '{}';

-- The column deleted_at, which both functions look at, comes with the next migration.

-- Marks a step as done for a version, or as not done. `how` is 'hand' where the person said so, and 'site' where we saw
-- it. Answers whether there is such a row.
create function public.set_deployment_tick(
  owner uuid,
  target uuid,
  step text,
  done boolean,
  of_version integer,
  how text
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update public.deployments d
  set ticks = case
    when done then d.ticks || jsonb_build_object(
      step, jsonb_build_object('version', of_version, 'at', now(), 'how', how)
    )
    else d.ticks - step
  end
  where d.id = target and d.user_id = owner and d.deleted_at is null and of_version <= d.version
    and how in ('hand', 'site')
    and step in ('files', 'machine', 'dns', 'answer', 'doctor', 'connect');
  return found;
end;
$$;

-- Keeps the addresses of the server that was made from a version, which is what the step 'machine' asks for; '' is none. What was
-- seen of another server no longer counts. Answers whether there is such a row.
create function public.set_server_address(
  owner uuid,
  target uuid,
  new_ipv4 text,
  new_ipv6 text,
  of_version integer
) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update public.deployments d
  set server_ipv4 = nullif(new_ipv4, ''),
    server_ipv6 = nullif(new_ipv6, ''),
    server_version = of_version,
    ticks = case
      when coalesce(d.server_ipv4, '') <> new_ipv4 or coalesce(d.server_ipv6, '') <> new_ipv6
      then d.ticks - 'dns' - 'answer' - 'doctor'
      else d.ticks
    end || jsonb_build_object(
      'machine', jsonb_build_object('version', of_version, 'at', now(), 'how', 'site')
    )
  where d.id = target and d.user_id = owner and d.deleted_at is null and of_version <= d.version;
  return found;
end;
$$;

revoke execute on function
  public.set_deployment_tick(uuid, uuid, text, boolean, integer, text),
  public.set_server_address(uuid, uuid, text, text, integer)
  from public, anon, authenticated;
grant execute on function
  public.set_deployment_tick(uuid, uuid, text, boolean, integer, text),
  public.set_server_address(uuid, uuid, text, text, integer)
  to service_role;
