import { mailsTo } from "../auth/inbox.ts";
import { database } from "../database/database.ts";

type Subscription = {
  plan?: "basic" | "pro" | "none" | null;
  plan_since?: string;
  status?: string;
  created_at?: string;
  unit_amount?: number;
  billing_interval?: string;
  cancel_at?: string | null;
  ended_at?: string | null;
  end_reason?: string | null;
  paused_from?: string;
  paused_until?: string;
  card_brand?: string;
  card_last4?: string;
  card_expires_at?: string;
};

/** A moment so many days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1_000).toISOString();
}

/** The last day of the month after this one, as Stripe's expiry of a card is kept. */
export function endOfNextMonth(): string {
  const now = new Date();
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0));
  return end.toISOString().slice(0, 10);
}

/**
 * The reconciliation has nothing to do from now on: what a test writes is not at Stripe. `since` is when mails
 * began to be queued.
 */
export async function onlyMails(since = inDays(-365)): Promise<void> {
  const counts = { compared: 0, mended: 0, gone: 0, failed: 0 };
  const place = {
    notBefore: Date.now() + 24 * 60 * 60 * 1_000,
    list: "subscriptions",
    compared: null,
    from: "",
    settled: [],
    failures: 0,
    counts,
  };
  await database.from("reconciliation").insert({ version: 1, place }).throwOnError();
  await database.from("mail_budget").upsert({ only_row: true, since }).throwOnError();
}

let made = 0;

/** Somebody who has this subscription; a guest unless `userId` names an account. */
export async function subscriber(
  email: string,
  subscription: Subscription = {},
  userId: string | null = null,
): Promise<{ customer: string; id: string }> {
  const number = ++made;
  const customer = `cus_mail_${number}`;
  const id = `sub_mail_${number}`;
  const origin = userId ? "account" : "guest";
  await database
    .from("customers")
    .insert({ id: customer, user_id: userId, origin, email })
    .throwOnError();
  await database
    .from("subscriptions")
    .insert({
      id,
      customer_id: customer,
      status: "active",
      price_id: "price_of_a_test",
      currency: "usd",
      billing_interval: "month",
      created_at: inDays(-30),
      current_period_end: "2027-03-05T10:00:00Z",
      plan: "pro",
      ...subscription,
    })
    .throwOnError();
  return { customer, id };
}

/** Changes a subscription as a webhook would. */
export async function becomes(id: string, change: Subscription): Promise<void> {
  await database.from("subscriptions").update(change).eq("id", id).throwOnError();
}

/** Two runs one after the other, then two at once. */
export async function manyRuns(site: { runScheduled: () => Promise<unknown> }): Promise<void> {
  await site.runScheduled();
  await site.runScheduled();
  await Promise.all([site.runScheduled(), site.runScheduled()]);
}

/** The outbox, oldest first. */
export async function outbox() {
  const { data } = await database
    .from("mail_outbox")
    .select("*")
    .order("created_at")
    .order("occasion")
    .throwOnError();
  return data;
}

/** Whatever waits is due now. */
export async function letBackOffPass(): Promise<void> {
  await database
    .from("mail_outbox")
    .update({ next_attempt_at: inDays(-1) })
    .is("sent_at", null)
    .is("gave_up_at", null)
    .throwOnError();
}

/** The subjects of what somebody got, newest first. */
export async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}
