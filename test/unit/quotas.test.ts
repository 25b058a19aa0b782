import { afterAll, beforeAll, expect, test } from "vitest";
import { standingOf } from "~/deployments/plan-limits";
import { planQuotas, type RunningPlan, siteQuotas } from "~/quotas/quotas";
import { inMemory, openLite } from "../../local/supabase/lite.ts";

let lite: Awaited<ReturnType<typeof openLite>>;
beforeAll(async () => {
  lite = await openLite(inMemory, { auth: { enabled: true } });
}, 120_000);
afterAll(() => lite.connection.close());

async function rowOf(sql: string, parameters: unknown[] = []) {
  const { rows } = await lite.database.query<Record<string, unknown>>(sql, parameters);
  return rows[0] ?? {};
}

/** As TypeScript writes a name that SQL writes with underscores. */
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
const inOurWords = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]));

test.each(Object.keys(planQuotas) as RunningPlan[])(
  "the database holds an account with the plan %s to the figures that people read",
  async (plan) => {
    const { deployments: _, ...inDatabase } = planQuotas[plan];
    const row = await rowOf("select * from public.plan_quota($1)", [plan]);
    expect(inOurWords(row)).toEqual(inDatabase);
  },
);

test("what is the same for every plan is the same in the database and on the pages", async () => {
  expect(inOurWords(await rowOf("select * from public.site_quota()"))).toEqual(siteQuotas);
});

const subscriptions: { status: string; price: string }[][] = [
  [],
  [{ status: "active", price: "basic" }],
  [{ status: "trialing", price: "monthly" }],
  [{ status: "past_due", price: "pro" }],
  [{ status: "active", price: "made by hand" }],
  [{ status: "unpaid", price: "pro" }],
  [{ status: "paused", price: "basic" }],
  [{ status: "canceled", price: "pro" }],
  [{ status: "incomplete", price: "pro" }],
  [
    { status: "active", price: "basic" },
    { status: "active", price: "pro" },
  ],
  [
    { status: "active", price: "basic" },
    { status: "canceled", price: "pro" },
  ],
  [
    { status: "active", price: "basic" },
    { status: "active", price: "monthly" },
  ],
];

test.each(subscriptions.map((each, nth) => [JSON.stringify(each), each, nth] as const))(
  "with subscriptions %s the database sees the plan that the console shows",
  async (_, held, nth) => {
    const owner = `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;
    await lite.database.query("insert into auth.users (id) values ($1)", [owner]);
    await lite.database.query(
      "insert into public.customers (id, user_id, origin) values ($1, $2, 'account')",
      [`cus_${nth}`, owner],
    );
    for (const [each, { status, price }] of held.entries()) {
      await lite.database.query(
        `insert into public.subscriptions
           (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
         values ($1, $2, $3, $4, 1, 'usd', 'month', now())`,
        [`sub_${nth}_${each}`, `cus_${nth}`, status, price],
      );
    }
    const names: Record<string, string> = { basic: "Basic", monthly: "Basic", pro: "Pro" };
    const standing = standingOf(
      held.map(({ status, price }) => ({ status, plan: names[price] ?? "Custom" })),
    );
    const shown = standing.kind === "running" ? standing.plan.toLowerCase() : "none";
    const { plan } = await rowOf("select public.account_plan($1, $2) as plan", [
      owner,
      ["basic", "monthly"],
    ]);
    expect(plan).toBe(shown);
  },
);
