import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import {
  processOf,
  startDebianPostgres,
  untilItWaits,
} from "../../support/database/debian-postgres.ts";

const [ada, ben, eve] = [1, 2, 3].map(accountId) as [string, string, string];

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let first: pg.Client;
let second: pg.Client;
beforeAll(async () => {
  postgres = await startDebianPostgres();
  first = await postgres.connect();
  second = await postgres.connect();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await first.query("truncate auth.users, public.workspaces cascade");
  await first.query("insert into auth.users (id) values ($1), ($2), ($3)", [ada, ben, eve]);
});

/** Ada's home with both as its owners. */
async function sharedHome(): Promise<string> {
  await first.query("select public.home_workspace($1)", [ada]);
  await first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $1, 'owner'), ($1, $2, 'owner') on conflict do nothing",
    [ada, ben],
  );
  return ada;
}

/** Both in transactions of their own; the second begins before the first ends, and waits for it. */
async function atOnce(one: [string, unknown[]], other: [string, unknown[]]) {
  const process = await processOf(second);
  await first.query("begin");
  await first.query(...one);
  const answer = second.query(...other).then(
    ({ rows }) => rows,
    (error: Error) => error.message,
  );
  try {
    await untilItWaits(first, process);
  } finally {
    await first.query("commit");
  }
  return answer;
}

test("two that ask for a home at once get the same one", async () => {
  const ask = "select public.home_workspace($1) as home";
  expect(await atOnce([ask, [ada]], [ask, [ada]])).toEqual([{ home: ada }]);
  const { rows } = await first.query("select home_of from public.workspaces");
  expect(rows).toEqual([{ home_of: ada }]);
});

test("of two owners who are removed at once the second stays", async () => {
  await sharedHome();
  const remove = "delete from public.members where user_id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toBe(
    "A workspace keeps at least one owner.",
  );
  const { rows } = await first.query("select user_id, role from public.members");
  expect(rows).toEqual([{ user_id: ben, role: "owner" }]);
});

test("of an owner who is demoted and one who is removed at once the second stays", async () => {
  await sharedHome();
  expect(
    await atOnce(
      ["update public.members set role = 'viewer' where user_id = $1", [ada]],
      ["delete from public.members where user_id = $1", [ben]],
    ),
  ).toBe("A workspace keeps at least one owner.");
  const { rows } = await first.query("select user_id from public.members where role = 'owner'");
  expect(rows).toEqual([{ user_id: ben }]);
});

test("when both owners' accounts are deleted at once, who is left becomes owner", async () => {
  const home = await sharedHome();
  await first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'viewer')",
    [home, eve],
  );
  const remove = "delete from auth.users where id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toEqual([]);
  const { rows } = await first.query("select user_id, role from public.members");
  expect(rows).toEqual([{ user_id: eve, role: "owner" }]);
});

test("when both accounts of a workspace are deleted at once, it goes with them", async () => {
  await sharedHome();
  const remove = "delete from auth.users where id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toEqual([]);
  const { rows } = await first.query("select id from public.workspaces");
  expect(rows).toEqual([]);
});

const save = "select public.save_deployment($1, $2, 'Renamed', '{}', 1) as answer";
const demote = "update public.members set role = 'viewer' where user_id = $1 and workspace_id = $2";

/** A deployment in Ada's home, where Ben may change it. */
async function sharedDeployment(): Promise<{ home: string; deployment: string }> {
  const home = await sharedHome();
  const { rows } = await first.query<{ id: string }>(
    "select public.create_deployment($1, 'Server', '{}', 10) as id",
    [ada],
  );
  return { home, deployment: rows[0]?.id ?? "none" };
}

test("what somebody saves while they are demoted is refused once they are", async () => {
  const { home, deployment } = await sharedDeployment();
  expect(await atOnce([demote, [ben, home]], [save, [ben, deployment]])).toEqual([
    { answer: "missing" },
  ]);
  const { rows } = await first.query("select name from public.deployments");
  expect(rows).toEqual([{ name: "Server" }]);
});

test("a demotion waits for what its member is saving", async () => {
  const { home, deployment } = await sharedDeployment();
  expect(await atOnce([save, [ben, deployment]], [demote, [ben, home]])).toEqual([]);
  const { rows } = await first.query(
    "select d.name, m.role from public.deployments d, public.members m where m.user_id = $1",
    [ben],
  );
  expect(rows).toEqual([{ name: "Renamed", role: "viewer" }]);
});

test("of two members who make the last deployment at once one does", async () => {
  const { home } = await sharedDeployment();
  const make = "select public.create_deployment($1, 'Server', '{}', 2, null, $2) is null as full";
  expect(await atOnce([make, [ada, home]], [make, [ben, home]])).toEqual([{ full: true }]);
});
