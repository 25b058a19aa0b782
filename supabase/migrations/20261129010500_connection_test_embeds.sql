-- Connection tests in the customers' own pages: which origins may frame one, and which webhook gets its results. Members
-- read the rows of their workspaces; only the Worker (service_role) writes, through the functions below.

create table public.connection_test_embeds (
  -- It stands in the customers' pages, so it is no secret: whoever reads one may add results, and read nothing but the
  -- server's name.
  id uuid primary key default gen_random_uuid(),
  deployment_id uuid not null references public.deployments (id) on delete cascade,
  label text not null check (char_length(label) between 1 and 80),
  -- As browsers write them; the Worker checks each before it puts it into a policy.
  origins text[] not null check (cardinality(origins) between 1 and 10),
  -- A webhook of the workspace's alerts, which lives in the fleet's object.
  channel uuid,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);

create index connection_test_embeds_by_deployment
  on public.connection_test_embeds (deployment_id, created_at desc);

-- Null where a test ran by a link or in the console.
-- allowed: the former code leaves it null, which refers to nothing, and the table that it refers to is new.
alter table public.connection_tests
  add column embed_id uuid references public.connection_test_embeds (id) on delete cascade;

create index connection_tests_by_embed on public.connection_tests (embed_id, ran_at desc);

alter table public.connection_test_embeds enable row level security;

create policy "Members read the embedded tests of their deployments" on public.connection_test_embeds
  for select to authenticated
  using (
    deployment_id = any (array(
      select d.id from public.deployments d
      where d.workspace_id = any (array(select public.workspaces_where('see')))
    ))
  );

create policy "Only a session that is there and proved reads embedded tests"
  on public.connection_test_embeds
  as restrictive for select to authenticated using ((select public.may_read_own()));

revoke all on public.connection_test_embeds from anon, authenticated;
grant select on public.connection_test_embeds to authenticated;
grant all on public.connection_test_embeds to service_role;

-- Allows pages of these origins to frame the test. Answers its id; null where there is no such deployment that they may
-- change, or where five of it are open.
create function public.make_connection_test_embed(
  actor uuid,
  target uuid,
  new_label text,
  new_origins text[],
  new_channel uuid
) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(actor, target, 'servers');
  deployment text;
  made uuid;
begin
  select d.name into deployment from public.deployments d
  where d.id = target and d.workspace_id = found_workspace and d.deleted_at is null
  for update;
  if not found or (
    select count(*) from public.connection_test_embeds e
    where e.deployment_id = target and e.ended_at is null
  ) >= 5 then
    return null;
  end if;
  insert into public.connection_test_embeds (deployment_id, label, origins, channel)
  values (target, new_label, new_origins, new_channel)
  returning id into made;
  perform public.note_audit(
    found_workspace, actor, 'deployment.test-embedded', deployment, null,
    jsonb_build_object('place', new_label, 'origins', to_jsonb(new_origins)), target
  );
  return made;
end;
$$;

-- Ends an embedded test. Answers whether there was an open one that they may end.
create function public.end_connection_test_embed(actor uuid, target uuid, embed uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  found_workspace uuid := public.deployment_workspace(actor, target, 'servers');
  place text;
begin
  update public.connection_test_embeds e set ended_at = now()
  from public.deployments d
  where e.id = embed and e.deployment_id = target and e.ended_at is null
    and d.id = target and d.workspace_id = found_workspace
  returning e.label into place;
  if not found then
    return false;
  end if;
  perform public.note_audit(
    found_workspace, actor, 'deployment.test-embed-ended',
    (select d.name from public.deployments d where d.id = target), null,
    jsonb_build_object('place', place), target
  );
  return true;
end;
$$;

-- What the framed page needs; no row for one that was never made, or whose deployment is deleted.
create function public.connection_test_embed(embed uuid) returns table (
  is_open boolean,
  label text,
  origins text[],
  channel uuid,
  deployment_id uuid,
  deployment text,
  workspace_id uuid,
  options jsonb,
  server_ipv4 text,
  server_ipv6 text
)
  language sql
  stable
  set search_path = ''
as $$
  select e.ended_at is null, e.label, e.origins, e.channel, d.id, d.name, d.workspace_id, d.options,
    d.server_ipv4, d.server_ipv6
  from public.connection_test_embeds e
  join public.deployments d on d.id = e.deployment_id
  where e.id = embed and d.deleted_at is null;
$$;

-- Keeps what a framed test found: five hundred in 24 hours, and of these the newest thousand. Answers 'kept', 'gone' or
-- 'full'.
create function public.keep_embedded_connection_test(embed uuid, found_result jsonb) returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_embed public.connection_test_embeds;
begin
  -- Results of one page wait for each other, so that two cannot both be the last.
  select e.* into found_embed from public.connection_test_embeds e
  join public.deployments d on d.id = e.deployment_id
  where e.id = embed and e.ended_at is null and d.deleted_at is null
  for no key update of e;
  if not found then
    return 'gone';
  end if;
  if (
    select count(*) from public.connection_tests t
    where t.embed_id = embed and t.ran_at > now() - interval '24 hours'
  ) >= 500 then
    return 'full';
  end if;
  insert into public.connection_tests (deployment_id, embed_id, result)
  values (found_embed.deployment_id, embed, found_result);
  delete from public.connection_tests t where t.id in (
    select x.id from public.connection_tests x
    where x.embed_id = embed
    order by x.ran_at desc, x.id offset 1000
  );
  return 'kept';
end;
$$;

-- The same as before, but results of framed tests are not counted to those of members.
create or replace function public.keep_connection_test(actor uuid, target uuid, found_result jsonb)
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
    where x.deployment_id = target and x.link_id is null and x.embed_id is null
    order by x.ran_at desc, x.id offset 50
  );
  return true;
end;
$$;

-- The same as before, and framed tests that ended 90 days ago.
create or replace function public.remove_expired_connection_tests(at_most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  tests integer;
  links integer;
  embeds integer;
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
  delete from public.connection_test_embeds e where e.ctid = any (array(
    select x.ctid from public.connection_test_embeds x
    where x.ended_at < now() - interval '90 days'
    limit at_most for update skip locked
  ));
  get diagnostics embeds = row_count;
  return tests + links + embeds;
end;
$$;
