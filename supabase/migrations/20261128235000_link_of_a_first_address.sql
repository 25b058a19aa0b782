-- An account without an address, which signs in by a number or is an anonymous one, confirms its first by a link. It is
-- named by that address then, and by none before: so the page of the link failed.
create or replace function public.account_of_mailed_link(hash text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_one jsonb;
begin
  if hash is null or length(hash) < 16 then
    return null;
  end if;
  select jsonb_build_object('person', u.id, 'address', coalesce(u.email, u.email_change, u.phone),
    'purpose', case
      when u.confirmation_token = hash then 'confirmation'
      when u.recovery_token = hash then 'recovery'
      else 'email_change'
    end)
  into found_one
  from auth.users u
  where (u.confirmation_token = hash and u.confirmation_sent_at > now() - interval '1 day')
    or (u.recovery_token = hash and u.recovery_sent_at > now() - interval '1 day')
    or (u.email_change_token_new = hash and u.email_change_sent_at > now() - interval '1 day')
    or (u.email_change_token_current = hash and u.email_change_sent_at > now() - interval '1 day')
  limit 1;
  if found_one is null and to_regclass('auth.one_time_tokens') is not null then
    execute '
      select jsonb_build_object(''person'', u.id, ''address'',
        coalesce(u.email, u.email_change, u.phone), ''purpose'',
        case t.token_type::text
          when ''confirmation_token'' then ''confirmation''
          when ''recovery_token'' then ''recovery''
          else ''email_change''
        end)
      from auth.one_time_tokens t
      join auth.users u on u.id = t.user_id
      where t.token_hash = $1
        and t.token_type::text in (
          ''confirmation_token'', ''recovery_token'', ''email_change_token_new'',
          ''email_change_token_current''
        )
        and t.created_at > (now() at time zone ''utc'') - interval ''1 day''
      limit 1'
    into found_one using hash;
  end if;
  return found_one;
end;
$$;
