import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { planQuotas } from "../../../app/content/plans.ts";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [owner, member, stranger] = [1, 2, 3].map(accountId) as [string, string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

/** A team's workspace, which is nobody's personal one. Its owner has a token there, and one in their own. */
let team: string;

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces, public.customers cascade");
  for (const person of [owner, member, stranger]) {
    await addAccount(query, person);
    await query("select public.personal_workspace($1)", [person]);
  }
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  team = made?.id ?? "none";
  await join(owner, "owner");
  await makeToken("team", team);
  await makeToken("own", owner);
});

const join = (person: string, role: string, workspace = team) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    workspace,
    person,
    role,
  ]);

const leave = (person: string, workspace = team) =>
  query("delete from public.members where user_id = $1 and workspace_id = $2", [person, workspace]);

const hashOf = (name: string) => Buffer.from(name).toString("hex").padStart(64, "0");

const makeToken = (name: string, workspace: string) =>
  query(
    "insert into public.api_tokens (user_id, workspace_id, name, token_hash, ending) values ($1, $2, 'Agent', $3, 'abcd')",
    [owner, workspace, hashOf(name)],
  );

async function answer(sql: string, parameters: unknown[] = []): Promise<unknown> {
  const [row] = await query<{ answer: unknown }>(`select public.${sql} as answer`, parameters);
  return row?.answer;
}

const details = { text_tokens: 0, audio_tokens: 5, cached_tokens: 0 };
const tenTokens = {
  total_tokens: 10,
  input_tokens: 5,
  input_token_details: details,
  output_tokens: 5,
  output_token_details: details,
};

/** What an agent is answered that reports 10 tokens of Ada's. */
const report = (token: string, event: string) =>
  answer("report_token_usage($1, $2, '{price_basic}')", [
    hashOf(token),
    JSON.stringify([
      { event_id: event, identity: "ada", happened_at: new Date(), usage: tenTokens },
    ]),
  ]);

const allow = (person: string, workspace: string | null, identity = "ada") =>
  answer("set_usage_allowance($1, $2, '{price_basic}', 100, $3)", [person, identity, workspace]);

/** As if a workspace had a plan. */
async function givePlan(workspace: string, price: string): Promise<void> {
  await query(
    "insert into public.customers (id, workspace_id, origin) values ($1, $2, 'account')",
    [`cus_${workspace}`, workspace],
  );
  await query(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
     values ($1, $2, 'active', $3, 1, 'usd', 'month', now())`,
    [`sub_${workspace}`, `cus_${workspace}`, price],
  );
}

const statistics = `public.token_usage_statistics(current_date - 1, current_date + 1, null, $1)
  -> 'total' ->> 'total_tokens'`;

/** How many tokens of a workspace a person reads. */
async function tokensFor(person: string, workspace: string | null) {
  const [row] = await readAs<{ tokens: number }>(
    query,
    person,
    `select (${statistics})::int as tokens`,
    { parameters: [workspace] },
  );
  return row?.tokens;
}

test("an allowance is taken from its workspace, and from no other", async () => {
  expect([await allow(owner, team), await allow(owner, null)]).toEqual([true, true]);
  await answer("set_usage_allowance($1, 'ada', '{}', null, $2)", [owner, team]);
  expect(await query("select workspace_id from public.token_allowances")).toEqual([
    { workspace_id: owner },
  ]);
});

test("without a workspace statistics are those of the personal one, and with it of no other", async () => {
  await report("team", "one");
  await report("team", "two");
  await report("own", "one");
  expect(await tokensFor(owner, null)).toBe(10);
  expect(await tokensFor(owner, team)).toBe(20);
  expect(await tokensFor(owner, stranger)).toBe(0);
});

test("the personal workspace is answered to its owner, where there is one and a session", async () => {
  const personalOf = async (person: string) =>
    (await readAs(query, person, "select public.own_workspace() as own"))[0];
  await join(owner, "owner", stranger);
  await leave(stranger, stranger);
  await query("delete from auth.sessions where user_id = $1", [member]);
  expect(await personalOf(owner)).toEqual({ own: owner });
  expect(await personalOf(stranger)).toEqual({ own: null });
  expect(await personalOf(member)).toEqual({ own: null });
});

test("an event counts once in each workspace", async () => {
  const once = { recorded: 1, duplicates: 0 };
  expect(await report("team", "event")).toMatchObject(once);
  expect(await report("own", "event")).toMatchObject(once);
  expect(await report("team", "event")).toMatchObject({ recorded: 0, duplicates: 1 });
});

test("a report spends the allowance of its workspace, and of no other", async () => {
  await allow(owner, team);
  await allow(owner, null);
  expect(await report("team", "event")).toMatchObject({
    allowances: [{ identity: "ada", remaining: 90 }],
  });
  expect(
    await query("select remaining::int from public.token_allowances where workspace_id = $1", [
      owner,
    ]),
  ).toEqual([{ remaining: 100 }]);
});

test("a workspace's events have the quota of its own plan, whichever member's token it is", async () => {
  await givePlan(team, "price_basic");
  await givePlan(owner, "price_pro");
  const { basic } = planQuotas;
  await report("team", "first");
  await query("update public.token_usage_counts set events = $1 where workspace_id = $2", [
    basic.usageEventsADay,
    team,
  ]);
  expect(await report("team", "second")).toEqual({
    refused: "daily_events",
    plan: "basic",
    quota: basic.usageEventsADay,
  });
  expect(await report("own", "second")).toMatchObject({ recorded: 1 });
});

test("a workspace's allowances have the quota of its own plan, whichever member gives them", async () => {
  await givePlan(owner, "price_pro");
  await query(
    `insert into public.token_allowances (workspace_id, identity, remaining)
     select w.id, 'identity ' || n, 1 from public.workspaces w, generate_series(1, $1) n`,
    [planQuotas.none.tokenAllowances],
  );
  expect([await allow(owner, team), await allow(owner, null)]).toEqual([false, true]);
});

test("a user who handed their personal workspace over gives allowances in the next one", async () => {
  await join(member, "owner", stranger);
  await leave(stranger, stranger);
  expect(await allow(stranger, null)).toBe(true);
  await answer("set_token_allowance($1, 'ben', 5)", [stranger]);
  const [personal] = await query<{ id: string }>(
    "select id from public.workspaces where personal_of = $1",
    [stranger],
  );
  expect(personal?.id).not.toBe(stranger);
  expect(
    await query("select workspace_id, identity from public.token_allowances order by identity"),
  ).toEqual([
    { workspace_id: personal?.id, identity: "ada" },
    { workspace_id: personal?.id, identity: "ben" },
  ]);
});

test("usage goes with its workspace, and stays with the team when an account is deleted", async () => {
  await join(member, "owner");
  await report("team", "event");
  await report("own", "event");
  await allow(owner, team);
  await allow(owner, null);
  const tables = ["events", "counts", "days"].map((name) => `token_usage_${name}`);
  const workspaces = async () => {
    const rows = [...tables, "token_allowances"].map((table) =>
      query<{ workspace_id: string }>(`select workspace_id from public.${table}`),
    );
    return (await Promise.all(rows)).flat().map(({ workspace_id }) => workspace_id);
  };
  expect((await workspaces()).toSorted()).toEqual(
    [...Array(4).fill(owner), ...Array(4).fill(team)].toSorted(),
  );
  await query("delete from auth.users where id = $1", [owner]);
  expect(await workspaces()).toEqual(Array(4).fill(team));
  await query("delete from public.workspaces where id = $1", [team]);
  expect(await workspaces()).toEqual([]);
});
