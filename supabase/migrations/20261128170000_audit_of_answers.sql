-- What people do by a link in a message, or at PagerDuty. The servers Worker learns of it first, and cannot write here.

-- Its id there: it is noted once, however often it is sent. Null for every other line.
alter table public.audit_log add column answer uuid;

-- allowed: the column is new, and null in every row of before and of the code that runs
create unique index audit_log_answers on public.audit_log (answer) where answer is not null;

-- Notes such acts at the time at which they were done: [{id, at, action, target, server, person, who, until}].
create function public.note_answers(workspace uuid, answers jsonb) returns void
  language sql
  -- No role of the API writes the log.
  security definer
  set search_path = ''
as $$
  insert into public.audit_log
    (workspace_id, at, actor, actor_address, action, target, target_id, after, answer)
  select
    note_answers.workspace, a.at, a.person, left(a.who, 320), a.action, left(coalesce(a.target, ''), 200), a.server,
    case when a.until is not null then jsonb_build_object('until', a.until) end, a.id
  from jsonb_to_recordset(answers) as a (
    id uuid, at timestamptz, action text, target text, server uuid, person uuid, who text, until text
  )
  order by a.at
  on conflict (answer) where answer is not null do nothing;
$$;
