-- How often a code was tried for one account or address, whatever browser or network asks. The subject is
-- kept as a hash: a row tells nobody who it is about.
create table public.code_tries (
  subject_hash text not null,
  kind text not null,
  tries int not null,
  -- When the last try was let through.
  since timestamptz not null,
  primary key (subject_hash, kind)
);

create index code_tries_since on public.code_tries (since);

alter table public.code_tries enable row level security;
revoke all on public.code_tries from anon, authenticated;
grant all on public.code_tries to service_role;

create function public.code_try_subject(subject text) returns text
  language sql
  immutable
  set search_path = ''
as $$ select encode(sha256(convert_to(subject, 'UTF8')), 'hex') $$;

-- Counts a try before its code is looked at, so that tries at the same moment cannot be more than `most`.
-- Answers whether this one may be made. Nobody gets more than `most` within any `window_seconds`: the count
-- starts again that long after the last try that was let through, and those that were refused do not prolong
-- it. Rows older than a day go, a few at each call.
create function public.take_code_try(
  subject text,
  try_kind text,
  most int,
  window_seconds int
) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  counted int;
begin
  delete from public.code_tries t
  using (
    select o.subject_hash, o.kind from public.code_tries o
    where o.since < now() - interval '1 day'
    order by o.since limit 50
    for update skip locked
  ) old
  where t.subject_hash = old.subject_hash and t.kind = old.kind;

  insert into public.code_tries as t (subject_hash, kind, tries, since)
  values (public.code_try_subject(subject), try_kind, 1, now())
  on conflict (subject_hash, kind) do update set
    tries = case
      when t.since <= now() - make_interval(secs => window_seconds) then 1
      else least(t.tries, most) + 1
    end,
    since = case
      when t.since <= now() - make_interval(secs => window_seconds) or t.tries < most then now()
      else t.since
    end
  returning t.tries into counted;
  return counted <= most;
end;
$$;

-- When the next try may be made after one was refused; null when it may be made now.
create function public.next_code_try(
  subject text,
  try_kind text,
  most int,
  window_seconds int
) returns timestamptz
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select t.since + make_interval(secs => window_seconds)
  from public.code_tries t
  where t.subject_hash = public.code_try_subject(subject) and t.kind = try_kind
    and t.tries >= most and t.since > now() - make_interval(secs => window_seconds);
$$;

-- A right code, or a new one, starts the count again.
create function public.forget_code_tries(subject text, try_kind text) returns void
  language sql
  security definer
  set search_path = ''
as $$
  delete from public.code_tries t
  where t.subject_hash = public.code_try_subject(subject) and t.kind = try_kind;
$$;

revoke execute on function public.code_try_subject(text) from public, anon, authenticated;
revoke execute on function public.take_code_try(text, text, int, int)
  from public, anon, authenticated;
revoke execute on function public.next_code_try(text, text, int, int)
  from public, anon, authenticated;
revoke execute on function public.forget_code_tries(text, text) from public, anon, authenticated;
grant execute on function public.code_try_subject(text) to service_role;
grant execute on function public.take_code_try(text, text, int, int) to service_role;
grant execute on function public.next_code_try(text, text, int, int) to service_role;
grant execute on function public.forget_code_tries(text, text) to service_role;
