import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { exportStatistics } from "../../../app/features/agents/usage/statistics.server.ts";
import type { Database } from "../../../app/platform/database/types.ts";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const owner = accountId(1);

test("an allowance beyond the 100 identities that used most is found by its identity", async () => {
  const { query, close } = await openDatabase();
  await addAccount(query, owner);
  await query(
    `insert into public.token_usage_days
     select public.personal_workspace($1), '2026-10-01', 'user_' || n, 1, 10, 4, 3, 1, 0, 6, 3, 3
     from generate_series(1, 30) n`,
    [owner],
  );
  await query(
    `insert into public.token_allowances
     select public.personal_workspace($1), 'limited_' || n, n from generate_series(1, 150) n`,
    [owner],
  );
  async function identitiesOf(identity: string | null) {
    type Answer = { known: number; identities: { identity: string }[] };
    const [row] = await readAs<{ answer: Answer }>(
      query,
      owner,
      "select public.token_usage_statistics('2026-10-01', '2026-10-31', $1) as answer",
      { parameters: [identity] },
    );
    return row?.answer;
  }
  const all = await identitiesOf(null);
  expect(all).toMatchObject({ known: 180, identities: { length: 100 } });
  expect(all?.identities).not.toContainEqual(expect.objectContaining({ identity: "limited_99" }));
  expect(await identitiesOf("limited_99")).toMatchObject({
    known: 1,
    identities: [{ identity: "limited_99", responses: 0, total_tokens: 0, remaining: 99 }],
  });
  await close();
});

test("the export asks for the days of its workspace alone", async () => {
  const requests: URL[] = [];
  const database = createClient<Database>("https://database.example.com", "key", {
    global: {
      fetch: async (input) => {
        const url = new URL(String(input));
        requests.push(url);
        return Response.json([]);
      },
    },
  });
  const range = { from: "2026-10-01", to: "2026-10-31", identity: "" };
  expect(await exportStatistics(database, { id: owner }, range)).toEqual({
    csv: expect.stringMatching(/^day,identity,.*\r\n$/),
  });
  expect(requests.map(({ searchParams }) => searchParams.get("workspace_id"))).toEqual([
    `eq.${owner}`,
  ]);
});
