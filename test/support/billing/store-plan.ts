import { userIdOf } from "../database/database.ts";
import { runSql } from "../site/control-fakes.ts";

/** Gives the personal workspace of an account a plan, past Stripe, in place of the one that was stored before. */
export async function storePlan(
  email: string,
  plan: "basic" | "pro",
  { status = "active", endedAt = null }: { status?: string; endedAt?: string | null } = {},
): Promise<void> {
  const customer = `cus_stored_${email.replaceAll(/\W/g, "_")}`;
  await runSql(
    `insert into public.customers (id, workspace_id, origin, email)
     values ($1, public.personal_workspace($2), 'account', $3) on conflict do nothing`,
    [customer, await userIdOf(email), email],
  );
  await runSql(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, plan, unit_amount, currency, billing_interval, created_at, ended_at)
     values ('sub_' || $1, $1, $2, 'price_stored', $3, 10999, 'usd', 'month', now(), $4)
     on conflict (id) do update
     set plan = excluded.plan, status = excluded.status, ended_at = excluded.ended_at`,
    [customer, status, plan, endedAt],
  );
}
