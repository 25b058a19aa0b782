import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountPlan, planNames, planQuotas } from "~/content/plans";
import { planOfRow } from "~/features/billing/prices/prices";
import { entitlementOf } from "~/features/deployments/plan/plan-limits";
import { siteQuotas } from "~/platform/database/quotas";
import { openDatabase } from "../../support/database/open-database.ts";

let lite: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  lite = await openDatabase();
}, 120_000);
afterAll(() => lite.close());

async function rowOf(sql: string, parameters: unknown[] = []) {
  const { rows } = await lite.database.query<Record<string, unknown>>(sql, parameters);
  return rows[0] ?? {};
}

/** As TypeScript writes a name that SQL writes with underscores. */
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
const inOurWords = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]));

test.each(Object.keys(planQuotas) as AccountPlan[])(
  "the database holds an account with the plan %s to the figures that people read",
  async (plan) => {
    const { deployments: _, members: __, servers: ___, ...inDatabase } = planQuotas[plan];
    const row = await rowOf("select * from public.plan_quota($1)", [plan]);
    expect(inOurWords(row)).toEqual(inDatabase);
  },
);

test("what is the same for every plan is the same in the database and on the pages", async () => {
  expect(inOurWords(await rowOf("select * from public.site_quota()"))).toEqual(siteQuotas);
});

/** Without a plan: as former code wrote it, so that the price decides. */
const subscriptions: { status: string; price: string; plan?: string }[][] = [
  [],
  [{ status: "active", price: "former", plan: "basic" }],
  [{ status: "past_due", price: "former", plan: "pro" }],
  [{ status: "active", price: "foreign", plan: "none" }],
  [
    { status: "active", price: "foreign", plan: "none" },
    { status: "active", price: "former", plan: "basic" },
  ],
  [
    { status: "active", price: "former", plan: "basic" },
    { status: "trialing", price: "monthly" },
    { status: "active", price: "basic", plan: "pro" },
  ],
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

const configured = {
  STRIPE_PRICE_BASIC: "basic",
  STRIPE_PRICE_PRO: "pro",
  STRIPE_PRICE_MONTHLY: "monthly",
  STRIPE_PRICE_YEARLY: "yearly",
  STRIPE_PRICE_BASIC_YEARLY: "basicYearly",
  STRIPE_PRICE_PRO_MONTHLY: "proMonthly",
};

test.each(subscriptions.map((each, nth) => [JSON.stringify(each), each, nth] as const))(
  "with subscriptions %s the database sees the plan that the console shows",
  async (_, held, nth) => {
    const owner = `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;
    await lite.database.query("insert into auth.users (id) values ($1)", [owner]);
    await lite.database.query(
      "insert into public.customers (id, user_id, origin) values ($1, $2, 'account')",
      [`cus_${nth}`, owner],
    );
    for (const [each, { status, price, plan }] of held.entries()) {
      await lite.database.query(
        `insert into public.subscriptions
           (id, customer_id, status, price_id, plan, unit_amount, currency, billing_interval, created_at)
         values ($1, $2, $3, $4, $5, 1, 'usd', 'month', now())`,
        [`sub_${nth}_${each}`, `cus_${nth}`, status, price, plan ?? null],
      );
    }
    const entitlement = entitlementOf(
      held.flatMap(({ status, price, plan: storedPlan = null }) => {
        const plan = planOfRow(configured, { plan: storedPlan, price_id: price });
        return plan === "none" ? [] : [{ status, plan: planNames[plan] }];
      }),
    );
    const planName = entitlement.kind === "entitled" ? entitlement.plan.toLowerCase() : "none";
    const { plan } = await rowOf("select public.account_plan($1, $2) as plan", [
      owner,
      ["basic", "monthly"],
    ]);
    expect(plan).toBe(planName);

    await lite.database.query("update public.customers set missing_since = now() where id = $1", [
      `cus_${nth}`,
    ]);
    const unknown = await rowOf("select public.account_plan($1, '{}') as plan", [owner]);
    expect(unknown).toEqual({ plan: "none" });
  },
);
