-- The next migration renames the column that says whose usage it is. A page that waits for it meanwhile would fail, had
-- it named the column. So until then the policies alone say whose rows these are: they know a column whatever its name.
create or replace function public.token_usage_statistics(
  first_day date,
  last_day date,
  only_identity text default null
) returns jsonb
  language sql
  stable
  set search_path = ''
as $$
  with per_day as (
    select d.day,
      sum(d.responses) as responses,
      sum(d.total_tokens) as total_tokens,
      sum(d.input_tokens) as input_tokens,
      sum(d.input_text_tokens) as input_text_tokens,
      sum(d.input_audio_tokens) as input_audio_tokens,
      sum(d.cached_tokens) as cached_tokens,
      sum(d.output_tokens) as output_tokens,
      sum(d.output_text_tokens) as output_text_tokens,
      sum(d.output_audio_tokens) as output_audio_tokens
    from public.token_usage_days d
    where d.day between first_day and last_day
      and (only_identity is null or d.identity = only_identity)
    group by d.day
  ),
  per_identity as (
    select coalesce(u.identity, a.identity) as identity, coalesce(u.responses, 0) as responses,
      coalesce(u.total_tokens, 0) as total_tokens, a.remaining
    from (
      select d.identity, sum(d.responses) as responses, sum(d.total_tokens) as total_tokens
      from public.token_usage_days d
      where d.day between first_day and last_day
        and (only_identity is null or d.identity = only_identity)
      group by d.identity
    ) u
    full join (
      select * from public.token_allowances t
      where only_identity is null or t.identity = only_identity
    ) a on a.identity = u.identity
  )
  select jsonb_build_object(
    'total', (
      select jsonb_build_object(
        'responses', coalesce(sum(c.responses), 0),
        'total_tokens', coalesce(sum(c.total_tokens), 0),
        'input_tokens', coalesce(sum(c.input_tokens), 0),
        'input_text_tokens', coalesce(sum(c.input_text_tokens), 0),
        'input_audio_tokens', coalesce(sum(c.input_audio_tokens), 0),
        'cached_tokens', coalesce(sum(c.cached_tokens), 0),
        'output_tokens', coalesce(sum(c.output_tokens), 0),
        'output_text_tokens', coalesce(sum(c.output_text_tokens), 0),
        'output_audio_tokens', coalesce(sum(c.output_audio_tokens), 0)
      )
      from per_day c
    ),
    'days', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'day', s.day, 'responses', s.responses, 'total_tokens', s.total_tokens,
          'input_tokens', s.input_tokens, 'output_tokens', s.output_tokens
        ) order by s.day
      )
      from per_day s
    ), '[]'),
    'identities', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.total_tokens desc, p.identity)
      from (
        select * from per_identity i order by i.total_tokens desc, i.identity limit 100
      ) p
    ), '[]'),
    'known', (select count(*) from per_identity)
  );
$$;
