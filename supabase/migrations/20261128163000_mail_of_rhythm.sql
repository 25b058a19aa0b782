-- A change of a plan from the month to the year, or back, is mailed as one to another plan is: it is charged like one.
-- allowed: it is made again below, in the same transaction
drop trigger note_plan_change on public.subscriptions;

-- allowed: it fills a column as before, for more changes
create trigger note_plan_change before update on public.subscriptions
  for each row
  when (
    old.plan in ('basic', 'pro') and new.plan in ('basic', 'pro')
    and (old.plan, old.billing_interval) is distinct from (new.plan, new.billing_interval)
  )
  execute function public.note_plan_change();
