import { afterAll, beforeAll, expect, test } from "vitest";
import { inMemory, openLite } from "../../../fakes/supabase/database/lite.ts";
import { accountId, addAccount } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { scansOf } from "../../support/database/plan-scans.ts";

let lite: Awaited<ReturnType<typeof openLite>>;
const query: Query = async <Row>(sql: string, parameters: unknown[] = []) =>
  (await lite.database.query<Row>(sql, parameters)).rows;

beforeAll(async () => {
  lite = await openLite(inMemory, { auth: { enabled: true } });
  await addAccount(query, accountId(1));
  // An empty table is read whole because that is cheapest. Without that choice the plan says what an index can do.
  await query("set enable_seqscan = off");
}, 120_000);
afterAll(() => lite.connection.close());

test.each(["workspaces", "members", "deployments", "deployment_versions"])(
  "row-level security reads the rows of %s by an index, also for a query without any filter",
  async (table) => {
    const scans = await scansOf(query, accountId(1), `select * from public.${table}`);
    expect(scans.map((each) => each.table)).toContain(table);
    for (const scan of scans) expect(scan.condition, JSON.stringify(scan)).toContain("= ANY (");
  },
);
