-- Signing up again does not replace the password of an account that nobody has confirmed. Both end then,
-- and a mark has whoever confirms the address choose one. Other mails leave none: who asks for a sign-in
-- link needs no password. Supabase Auth keeps addresses in small letters, and has its index on them.
-- allowed: no released version calls it with one argument.
drop function public.void_unconfirmed_password(text);

create function public.void_unconfirmed_password(
  address text,
  signing_up boolean default false
) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users
  set
    encrypted_password = null,
    raw_app_meta_data = case
      when signing_up then coalesce(raw_app_meta_data, '{}') || '{"password_voided": true}'
      else raw_app_meta_data
    end
  where email = lower(address) and confirmed_at is null;
$$;

-- Removes the mark of somebody who has arrived.
create function public.forget_voided_password(person uuid) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update auth.users set raw_app_meta_data = raw_app_meta_data - 'password_voided' where id = person;
$$;

revoke execute on function public.void_unconfirmed_password(text, boolean)
  from public, anon, authenticated;
revoke execute on function public.forget_voided_password(uuid) from public, anon, authenticated;
grant execute on function public.void_unconfirmed_password(text, boolean) to service_role;
grant execute on function public.forget_voided_password(uuid) to service_role;
