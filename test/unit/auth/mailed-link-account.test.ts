import { afterAll, beforeAll, expect, test } from "vitest";
import { accountId, addAccount } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [known, first] = [1, 2].map(accountId) as [string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

test("a link to a first address names the account by it; to another, by the present one", async () => {
  for (const person of [known, first]) await addAccount(query, person);
  await query(
    `update auth.users set email_change = 'new@example.com', email_change_sent_at = now(),
       email_change_token_new = 'the hash of a link ' || id`,
  );
  await query("update auth.users set email = null, is_anonymous = true where id = $1", [first]);
  await query("update auth.users set email = 'present@example.com' where id = $1", [known]);
  const accountOf = async (person: string) => {
    const [row] = await query<{ found: unknown }>(
      "select public.account_of_mailed_link($1) as found",
      [`the hash of a link ${person}`],
    );
    return row?.found;
  };
  const purpose = "email_change";
  expect(await accountOf(known)).toEqual({
    person: known,
    address: "present@example.com",
    purpose,
  });
  expect(await accountOf(first)).toEqual({ person: first, address: "new@example.com", purpose });
});
