import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { accountId } from "../../support/database/as-person.ts";
import { runAtOnce } from "../../support/database/at-once.ts";
import { startDebianPostgres } from "../../support/database/debian-postgres.ts";

const [ada, ben, eve] = [1, 2, 3].map(accountId) as [string, string, string];

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let first: PostgresClient;
let second: PostgresClient;
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

/** Ada's personal workspace with both as its owners. */
async function sharedWorkspace(): Promise<string> {
  await first.query("select public.personal_workspace($1)", [ada]);
  await first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $1, 'owner'), ($1, $2, 'owner') on conflict do nothing",
    [ada, ben],
  );
  return ada;
}

const join = (person: string, workspace: string) =>
  first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'operator')",
    [workspace, person],
  );

const atOnce = (...statements: Parameters<typeof runAtOnce>[1]) =>
  runAtOnce([first, second], statements);

test("two that ask for a personal workspace at once get the same one", async () => {
  const ask = "select public.personal_workspace($1) as workspace";
  expect(await atOnce([ask, [ada]], [ask, [ada]])).toEqual([{ workspace: ada }]);
  const { rows } = await first.query("select personal_of from public.workspaces");
  expect(rows).toEqual([{ personal_of: ada }]);
});

test("of two owners who are removed at once the second stays", async () => {
  await sharedWorkspace();
  const remove = "delete from public.members where user_id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toBe(
    "A workspace keeps at least one owner.",
  );
  const { rows } = await first.query("select user_id, role from public.members");
  expect(rows).toEqual([{ user_id: ben, role: "owner" }]);
});

test("of an owner who is demoted and one who is removed at once the second stays", async () => {
  await sharedWorkspace();
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
  const workspace = await sharedWorkspace();
  await first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'viewer')",
    [workspace, eve],
  );
  const remove = "delete from auth.users where id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toEqual([]);
  const { rows } = await first.query("select user_id, role from public.members");
  expect(rows).toEqual([{ user_id: eve, role: "owner" }]);
});

test("when both accounts of a workspace are deleted at once, it goes with them", async () => {
  await sharedWorkspace();
  const remove = "delete from auth.users where id = $1";
  expect(await atOnce([remove, [ada]], [remove, [ben]])).toEqual([]);
  const { rows } = await first.query("select id from public.workspaces");
  expect(rows).toEqual([]);
});

const save = "select public.save_deployment($1, $2, 'Renamed', '{}', 1) as answer";
const demote = "update public.members set role = 'viewer' where user_id = $1 and workspace_id = $2";

/** A deployment in Ada's personal workspace, where Ben may change it. */
async function sharedDeployment(): Promise<{ workspace: string; deployment: string }> {
  const workspace = await sharedWorkspace();
  const { rows } = await first.query<{ id: string }>(
    "select public.create_deployment($1, 'Server', '{}', 10) as id",
    [ada],
  );
  return { workspace, deployment: rows[0]?.id ?? "none" };
}

test("what somebody saves while they are demoted is refused once they are", async () => {
  const { workspace, deployment } = await sharedDeployment();
  expect(await atOnce([demote, [ben, workspace]], [save, [ben, deployment]])).toEqual([
    { answer: "missing" },
  ]);
  const { rows } = await first.query("select name from public.deployments");
  expect(rows).toEqual([{ name: "Server" }]);
});

test("a demotion waits for what its member is saving", async () => {
  const { workspace, deployment } = await sharedDeployment();
  expect(await atOnce([save, [ben, deployment]], [demote, [ben, workspace]])).toEqual([]);
  const { rows } = await first.query(
    "select d.name, m.role from public.deployments d, public.members m where m.user_id = $1",
    [ben],
  );
  expect(rows).toEqual([{ name: "Renamed", role: "viewer" }]);
});

const makeToken =
  "select public.create_api_token($1, 'Agent', repeat('a', 64), 'abcd', 10, $2) as made";
const removeMember = "delete from public.members where user_id = $1 and workspace_id = $2";

test("no token is left of a member who makes one while they are removed", async () => {
  const personal = await sharedWorkspace();
  expect(await atOnce([makeToken, [ben, personal]], [removeMember, [ben, personal]])).toEqual([]);
  expect((await first.query("select from public.api_tokens")).rows).toEqual([]);
  await join(ben, personal);
  expect(await atOnce([removeMember, [ben, personal]], [makeToken, [ben, personal]])).toBe(
    "This member may not do this.",
  );
});

test("of two members who save over the same version of the model configuration at once one does", async () => {
  const personal = await sharedWorkspace();
  const saveOver = `select public.save_model_configuration($1, 'saver', 0, $3, '', 'nova', 'whisper', $2) as version`;
  expect(
    await atOnce([saveOver, [ada, personal, "hers"]], [saveOver, [ben, personal, "his"]]),
  ).toEqual([{ version: null }]);
  const { rows } = await first.query("select model from public.model_configuration_versions");
  expect(rows).toEqual([{ model: "hers" }]);
});

test("of two members who make the last deployment at once one does", async () => {
  const { workspace } = await sharedDeployment();
  const makeLast =
    "select public.create_deployment($1, 'Server', '{}', 2, null, $2) is null as full";
  expect(await atOnce([makeLast, [ada, workspace]], [makeLast, [ben, workspace]])).toEqual([
    { full: true },
  ]);
});

const mayDescribe = "select public.member_may($1, $2, 'describe')";
const make = "select public.create_deployment($1, 'Server', '{}', 10, null, $2)";
const deleteAccount = "delete from auth.users where id = $1";

test("an account that is deleted waits for the deployment that it makes, and takes it along", async () => {
  await first.query("select public.personal_workspace($1)", [ada]);
  expect(
    await atOnce([mayDescribe, [ada, ada]], [deleteAccount, [ada]], [make, [ada, ada]]),
  ).toEqual([]);
  const { rows } = await first.query(
    "select id from public.workspaces union all select id from public.deployments",
  );
  expect(rows).toEqual([]);
});

test("while a member makes a deployment the last owner's account goes, and the member becomes owner", async () => {
  await first.query("select public.personal_workspace($1)", [ada]);
  await first.query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'admin')",
    [ada, ben],
  );
  expect(
    await atOnce([mayDescribe, [ben, ada]], [deleteAccount, [ada]], [make, [ben, ada]]),
  ).toEqual([]);
  const { rows } = await first.query(
    `select m.user_id, m.role, d.name from public.members m
     join public.deployments d on d.workspace_id = m.workspace_id`,
  );
  expect(rows).toEqual([{ user_id: ben, role: "owner", name: "Server" }]);
});

test("a claim of a guest's purchase holds no customer while it waits for the account's deletion", async () => {
  await first.query("truncate public.customers cascade");
  await first.query("select public.personal_workspace($1)", [ada]);
  await first.query(
    "insert into public.customers (id, origin, email) values ('cus_guest', 'guest', 'ada@example.com')",
  );
  expect(
    await atOnce(
      [deleteAccount, [ada]],
      ["select public.claim_guest_purchases($1, 'ada@example.com')", [ada]],
      ["select id from public.customers for update", []],
    ),
  ).toMatch(/violates foreign key constraint/);
  const { rows } = await first.query("select id, workspace_id from public.customers");
  expect(rows).toEqual([{ id: "cus_guest", workspace_id: null }]);
});

test("of two members who make the customer of their workspace at once one does", async () => {
  const workspace = await sharedWorkspace();
  const insert =
    "insert into public.customers (id, workspace_id, origin) values ($1, $2, 'account')";
  expect(await atOnce([insert, ["cus_one", workspace]], [insert, ["cus_two", workspace]])).toMatch(
    /duplicate key value violates unique constraint/,
  );
  const { rows } = await first.query("select id, user_id from public.customers");
  expect(rows).toEqual([{ id: "cus_one", user_id: ada }]);
});
