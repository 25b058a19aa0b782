import { afterAll, beforeAll, expect, test } from "vitest";
import { accountId, addAccount } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { scansOf } from "../../support/database/plan-scans.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
  await addAccount(query, accountId(1));
  // An empty table is read whole because that is cheapest. Without that choice the plan says what an index can do.
  await query("set enable_seqscan = off");
}, 120_000);
afterAll(() => opened.close());

test.each([
  "workspaces",
  "members",
  "deployments",
  "deployment_versions",
  "connection_test_embeds",
  "connection_test_links",
  "connection_tests",
  "customers",
  "subscriptions",
  "unsaved_changes",
  "contact_answers",
  "model_configuration_versions",
  "api_tokens",
  "workspace_tokens",
  "invitations",
  "token_usage_events",
  "token_usage_days",
  "token_allowances",
  "audit_log",
  "servers",
])(
  "row-level security reads the rows of %s by an index, also for a query without any filter",
  async (table) => {
    const scans = await scansOf(query, accountId(1), `select count(*) from public.${table}`);
    expect(scans.map((each) => each.table)).toContain(table);
    for (const scan of scans) {
      const only = scan.table === "contact_messages" ? "user_id = " : "= ANY (";
      expect(scan.condition, JSON.stringify(scan)).toContain(only);
    }
  },
);
