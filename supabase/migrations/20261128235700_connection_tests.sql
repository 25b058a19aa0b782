-- Connection tests: links by which somebody without an account tests a network, and what tests found. Members read the
-- rows of their workspaces; only the Worker (service_role) writes, through the functions below.

create table public.connection_test_links (
  id uuid primary key default gen_random_uuid(),
  deployment_id uuid not null references public.deployments (id) on delete cascade,
  -- SHA-256 of what the link ends with. Whoever has the link may add results, and read nothing but the server's name.
  secret_hash text not null unique check (secret_hash ~ '^[0-9a-f]{64}$'),
  -- Which network it is for, in the words of whoever made it.
  label text not null check (char_length(label) between 1 and 80),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  ended_at timestamptz
);

create index connection_test_links_by_deployment
  on public.connection_test_links (deployment_id, created_at desc);
create index connection_test_links_by_end on public.connection_test_links (expires_at);

-- A result has words of lists and numbers, as the Worker checked them: no free text, and no address of anybody.
create table public.connection_tests (
  id uuid primary key default gen_random_uuid(),
  deployment_id uuid not null references public.deployments (id) on delete cascade,
  -- Null where a member ran it in the console.
  link_id uuid references public.connection_test_links (id) on delete cascade,
  ran_at timestamptz not null default now(),
  result jsonb not null check (octet_length(result::text) <= 2048)
);

create index connection_tests_by_deployment on public.connection_tests (deployment_id, ran_at desc);
create index connection_tests_by_link on public.connection_tests (link_id);
create index connection_tests_by_age on public.connection_tests (ran_at);

alter table public.connection_test_links enable row level security;
alter table public.connection_tests enable row level security;

create policy "Members read the links to tests of their deployments" on public.connection_test_links
  for select to authenticated
  using (
    deployment_id = any (array(
      select d.id from public.deployments d
      where d.workspace_id = any (array(select public.workspaces_where('see')))
    ))
  );
create policy "Members read the tests of their deployments" on public.connection_tests
  for select to authenticated
  using (
    deployment_id = any (array(
      select d.id from public.deployments d
      where d.workspace_id = any (array(select public.workspaces_where('see')))
    ))
  );

create policy "Only a session that is there and proved reads links to tests"
  on public.connection_test_links
  as restrictive for select to authenticated using ((select public.may_read_own()));
create policy "Only a session that is there and proved reads tests" on public.connection_tests
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.connection_test_links, public.connection_tests from anon, authenticated;
grant select (id, deployment_id, label, created_at, expires_at, ended_at)
  on public.connection_test_links to authenticated;
grant select on public.connection_tests to authenticated;
grant all on public.connection_test_links, public.connection_tests to service_role;

-- Makes a link for a day. Answers when it ends; null where there is no such deployment that they may change, or where
-- twenty links of it are open.
create function public.make_connection_test_link(
  actor uuid,
  target uuid,
  new_hash text,
  new_label text
) returns timestamptz
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(actor, target, 'servers');
  deployment text;
  ends timestamptz;
begin
  select d.name into deployment from public.deployments d
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  for update;
  if not found or (
    select count(*) from public.connection_test_links l
    where l.deployment_id = target and l.ended_at is null and l.expires_at > now()
  ) >= 20 then
    return null;
  end if;
  insert into public.connection_test_links (deployment_id, secret_hash, label)
  values (target, new_hash, new_label)
  returning expires_at into ends;
  perform public.note_audit(
    found_workspace, actor, 'deployment.test-linked', deployment, null,
    jsonb_build_object('network', new_label), target
  );
  return ends;
end;
$$;

-- Ends a link before its time. Answers whether there was an open one that they may end.
create function public.end_connection_test_link(actor uuid, target uuid, link uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(actor, target, 'servers');
  network text;
begin
  update public.connection_test_links l set ended_at = now()
  from public.deployments d
  where l.id = link and l.deployment_id = target and l.ended_at is null and l.expires_at > now()
    and d.id = target and d.workspace_id = found_workspace
  returning l.label into network;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_workspace, actor, 'deployment.test-link-ended',
    (select d.name from public.deployments d where d.id = target), null,
    jsonb_build_object('network', network), target
  );
  return true;
end;
$$;

-- What the page of a link needs; no row for one that was never made, or whose deployment is deleted.
create function public.connection_test_link(hash text) returns table (
  is_open boolean,
  options jsonb,
  server_ipv4 text,
  server_ipv6 text
)
  language sql
  stable
  set search_path = ''
as $$
  select l.ended_at is null and l.expires_at > now(), d.options, d.server_ipv4, d.server_ipv6
  from public.connection_test_links l
  join public.deployments d on d.id = l.deployment_id
  where l.secret_hash = hash and d.deleted_at is null;
$$;

-- Keeps what a test by a link found, fifty for each link. Answers 'kept', 'gone' or 'full'.
create function public.keep_linked_connection_test(hash text, found_result jsonb) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_link public.connection_test_links;
begin
  -- Results of one link wait for each other, so that two cannot both be the last.
  select l.* into found_link from public.connection_test_links l
  join public.deployments d on d.id = l.deployment_id
  where l.secret_hash = hash and l.ended_at is null and l.expires_at > now()
    and d.deleted_at is null
  for no key update of l;
  if not found then
    return 'gone';
  end if;
  if (select count(*) from public.connection_tests t where t.link_id = found_link.id) >= 50 then
    return 'full';
  end if;
  insert into public.connection_tests (deployment_id, link_id, result)
  values (found_link.deployment_id, found_link.id, found_result);
  return 'kept';
end;
$$;

-- Keeps what a member's own test found; of these the newest fifty of a deployment. Answers whether there is such a
-- deployment that they may see.
create function public.keep_connection_test(actor uuid, target uuid, found_result jsonb)
  returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(actor, target, 'see');
begin
  perform 1 from public.deployments d
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  for no key update;
  if not found then
    return false;
  end if;
  insert into public.connection_tests (deployment_id, result) values (target, found_result);
  delete from public.connection_tests t where t.id in (
    select x.id from public.connection_tests x
    where x.deployment_id = target and x.link_id is null
    order by x.ran_at desc, x.id offset 50
  );
  return true;
end;
$$;

-- Removes results and links after 90 days. Answers how many; the rest of a great number at the next call.
create function public.remove_expired_connection_tests(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  tests integer;
  links integer;
begin
  delete from public.connection_tests t where t.ctid = any (array(
    select x.ctid from public.connection_tests x
    where x.ran_at < now() - interval '90 days'
    limit at_most for update skip locked
  ));
  get diagnostics tests = row_count;
  delete from public.connection_test_links l where l.ctid = any (array(
    select x.ctid from public.connection_test_links x
    where x.expires_at < now() - interval '90 days'
    limit at_most for update skip locked
  ));
  get diagnostics links = row_count;
  return tests + links;
end;
$$;
