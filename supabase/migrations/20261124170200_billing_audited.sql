-- What Stripe reports about the plans of a workspace is noted in its audit log, whoever wrote it: so it is by triggers.
-- Amounts and cards are in no line.
create function public.audit_plan() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_workspace uuid;
  former jsonb;
begin
  select c.workspace_id into found_workspace from public.customers c where c.id = new.customer_id;
  -- One that is being deleted takes its log along. To wait for it here could be to wait for ever: whoever deletes it
  -- waits for its customers.
  perform 1 from public.workspaces w where w.id = found_workspace for key share skip locked;
  if not found then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    former := jsonb_build_object(
      'status', old.status, 'plan', old.plan, 'interval', old.billing_interval, 'ends', old.cancel_at
    );
  end if;
  perform public.note_audit(
    found_workspace, null, 'plan.changed', new.id, former,
    jsonb_build_object(
      'status', new.status, 'plan', new.plan, 'interval', new.billing_interval, 'ends', new.cancel_at
    )
  );
  return null;
end;
$$;

-- allowed: it only writes into a table that the running version does not know
create trigger audit_new_plan after insert on public.subscriptions
  for each row execute function public.audit_plan();
-- allowed: for the same reason as the first
create trigger audit_plan after update on public.subscriptions
  for each row when (
    (old.status, old.plan, old.billing_interval, old.cancel_at)
      is distinct from (new.status, new.plan, new.billing_interval, new.cancel_at)
  )
  execute function public.audit_plan();

create function public.audit_claim() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform public.note_audit(new.workspace_id, new.user_id, 'purchase.claimed', new.id);
  return null;
end;
$$;

-- allowed: for the same reason as the first
create trigger audit_claim after update of workspace_id on public.customers
  for each row when (old.workspace_id is null and new.workspace_id is not null)
  execute function public.audit_claim();

revoke execute on function public.audit_plan(), public.audit_claim()
  from public, anon, authenticated, service_role;
