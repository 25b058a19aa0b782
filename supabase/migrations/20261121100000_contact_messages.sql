-- What people write on /contact. Only the Worker (service_role) writes here, and nobody reads it
-- through the API but service_role: support reads the mail, or the table in Supabase's dashboard.
create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 254),
  topic text not null check (topic in ('sales', 'support', 'other')),
  message text not null check (char_length(message) between 10 and 5000),
  created_at timestamptz not null default now()
);

create index contact_messages_by_time on public.contact_messages (created_at desc);

alter table public.contact_messages enable row level security;

revoke all on public.contact_messages from anon, authenticated;
grant all on public.contact_messages to service_role;
