-- A machine that was connected as it was belongs to no deployment (docs/decisions/0081).
alter table public.servers alter column deployment_id drop not null;
