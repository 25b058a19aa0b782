import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { owner, usageDatabase } from "../../support/agents/usage-database.ts";

let postgres: PGlite;

beforeAll(async () => {
  postgres = await usageDatabase();
}, 120_000);
afterAll(() => postgres.close());

test("an allowance beyond the 100 identities that used most is found by its identity", async () => {
  await postgres.exec(`
    insert into public.token_allowances
    select '${owner}', 'limited_' || n, n from generate_series(1, 150) n;
    set role authenticated;
  `);
  async function identitiesOf(...identity: string[]) {
    const { rows } = await postgres.query<{
      answer: { known: number; identities: { identity: string }[] };
    }>(
      `select public.token_usage_statistics('2026-10-01', '2026-10-31' ${identity.map((name) => `, '${name}'`)}) as answer`,
    );
    return rows[0]?.answer;
  }
  const all = await identitiesOf();
  expect(all).toMatchObject({ known: 180, identities: { length: 100 } });
  expect(all?.identities).not.toContainEqual(expect.objectContaining({ identity: "limited_99" }));
  expect(await identitiesOf("limited_99")).toMatchObject({
    known: 1,
    identities: [{ identity: "limited_99", responses: 0, total_tokens: 0, remaining: 99 }],
  });
});
