import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fill, usageDatabase } from "../../support/agents/usage-database.ts";

let postgres: PGlite;

beforeAll(async () => {
  postgres = await usageDatabase();
}, 120_000);
afterAll(() => postgres.close());

test("statistics read no more of the tables for 100,000 usage rows of other customers", {
  timeout: 120_000,
}, async () => {
  const call = "select public.token_usage_statistics('2026-10-01', '2026-10-31') as answer";
  async function statistics() {
    await postgres.exec("set role authenticated");
    const { rows: answers } = await postgres.query<{ answer: unknown }>(call);
    const explained = await postgres.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${call}`,
    );
    await postgres.exec("reset role");
    const plan = explained.rows[0]?.["QUERY PLAN"][0].Plan ?? {};
    const blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
    return { blocks, answer: answers[0]?.answer };
  }

  const alone = await statistics();
  expect(alone.answer).toMatchObject({ total: { responses: 200, total_tokens: 2_000 } });
  await postgres.exec(fill(2, 100, 100_000));
  const { rows } = await postgres.query("select count(*)::int from public.token_usage_events");
  expect(rows).toEqual([{ count: 100_200 }]);
  const amongOthers = await statistics();
  expect(amongOthers.answer).toEqual(alone.answer);
  // At most one block more for each of the customer's own 200 rows, in tables of more than a thousand.
  expect(alone.blocks).toBeGreaterThan(0);
  expect(amongOthers.blocks).toBeLessThan(alone.blocks + 200);
});
