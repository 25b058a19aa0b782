import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { roleRights } from "../../../app/platform/database/role-rights.ts";
import { accountId, addAccount, readAs, tryAsWorker } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { mayDo, rightNames, roles } from "../../support/workspaces/walk/role-table.ts";

const [ada, ben, eve] = [1, 2, 3].map(accountId) as [string, string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces cascade");
  for (const person of [ada, ben, eve]) await addAccount(query, person);
});

async function personalOf(person: string): Promise<string> {
  const [row] = await query<{ id: string }>("select public.personal_workspace($1) as id", [person]);
  return row?.id ?? "none";
}

const join = (workspace: string, person: string, role: string, joined = "now()") =>
  query(
    `insert into public.members (workspace_id, user_id, role, joined_at) values ($1, $2, $3, ${joined})`,
    [workspace, person, role],
  );

const membersOf = (workspace: string) =>
  query<{ user_id: string; role: string }>(
    "select user_id, role from public.members where workspace_id = $1 order by user_id",
    [workspace],
  );

const addDeployment = async (person: string, workspace: string | null = null) => {
  const [row] = await query<{ id: string; workspace_id: string }>(
    `insert into public.deployments (user_id, name, options, workspace_id)
     values ($1, 'Server', '{}', $2) returning id, workspace_id`,
    [person, workspace],
  );
  return row ?? { id: "none", workspace_id: "none" };
};

/** A personal workspace with another id than its account's, as a user has it who handed the first one over. */
async function laterPersonalOf(person: string, heir: string): Promise<string> {
  const first = await personalOf(person);
  await join(first, heir, "owner");
  await query("delete from public.members where workspace_id = $1 and user_id = $2", [
    first,
    person,
  ]);
  return personalOf(person);
}

test("an account has one personal workspace, which it owns, however often it is asked for", async () => {
  const workspace = await personalOf(ada);
  expect(await personalOf(ada)).toBe(workspace);
  expect(await membersOf(workspace)).toEqual([{ user_id: ada, role: "owner" }]);
  expect(await query("select personal_of from public.workspaces")).toEqual([{ personal_of: ada }]);
});

test("what names only a person is in their personal workspace, and follows a change of person", async () => {
  const made = await addDeployment(ada);
  expect(made.workspace_id).toBe(await personalOf(ada));
  await query("update public.deployments set user_id = $1 where id = $2", [ben, made.id]);
  expect(await query("select workspace_id from public.deployments")).toEqual([
    { workspace_id: await personalOf(ben) },
  ]);
});

test("what names its workspace stays there", async () => {
  const workspace = await personalOf(ben);
  expect((await addDeployment(ada, workspace)).workspace_id).toBe(workspace);
  await query("update public.deployments set name = 'Renamed'");
  expect(await query("select workspace_id from public.deployments")).toEqual([
    { workspace_id: workspace },
  ]);
});

test("a user who left their personal workspace gets another, with another id than their own", async () => {
  const later = await laterPersonalOf(ada, ben);
  expect(later).not.toBe(ada);
  expect(await membersOf(later)).toEqual([{ user_id: ada, role: "owner" }]);
  expect((await addDeployment(ada)).workspace_id).toBe(later);
  expect(await membersOf(ada)).toEqual([{ user_id: ben, role: "owner" }]);
});

test("a personal workspace stops being one when its person is no longer an owner of it", async () => {
  const workspace = await personalOf(ada);
  await join(workspace, ben, "owner");
  await query("update public.members set role = 'viewer' where user_id = $1", [ada]);
  expect(await query("select personal_of from public.workspaces")).toEqual([{ personal_of: null }]);
});

test.each([
  ["removed", "delete from public.members where user_id = $1"],
  ["demoted", "update public.members set role = 'admin' where user_id = $1"],
])("the last owner cannot be %s", async (_, sql) => {
  const workspace = await personalOf(ada);
  await join(workspace, ben, "admin");
  await expect(query(sql, [ada])).rejects.toThrow("A workspace keeps at least one owner.");
  expect(await membersOf(workspace)).toEqual([
    { user_id: ada, role: "owner" },
    { user_id: ben, role: "admin" },
  ]);
});

test("when the last owner's account is deleted, the longest-standing admin becomes owner", async () => {
  const workspace = await personalOf(ada);
  await join(workspace, ben, "viewer", "now() - interval '1 year'");
  await join(workspace, eve, "admin");
  await query("delete from auth.users where id = $1", [ada]);
  expect(await membersOf(workspace)).toEqual([
    { user_id: ben, role: "viewer" },
    { user_id: eve, role: "owner" },
  ]);
  expect(await query("select personal_of from public.workspaces")).toEqual([{ personal_of: null }]);
});

test("without an admin it is the longest-standing member", async () => {
  const workspace = await personalOf(ada);
  await join(workspace, ben, "billing");
  await join(workspace, eve, "viewer", "now() - interval '1 year'");
  await query("delete from auth.users where id = $1", [ada]);
  expect(await membersOf(workspace)).toEqual([
    { user_id: ben, role: "billing" },
    { user_id: eve, role: "owner" },
  ]);
});

test("an account that is alone takes its personal workspace and what is in it along", async () => {
  await addDeployment(ada);
  await addDeployment(ben);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await query("select personal_of from public.workspaces")).toEqual([{ personal_of: ben }]);
  expect(await query("select user_id from public.deployments")).toEqual([{ user_id: ben }]);
});

const names = "select coalesce(json_agg(id order by id), '[]') as ids from public.deployments";
const seenBy = async (person: string, aal = "aal1") =>
  (await readAs<{ ids: string[] }>(query, person, names, { aal }))[0]?.ids;
const versions =
  "select coalesce(json_agg(deployment_id), '[]') as ids from public.deployment_versions";

test("a deleted deployment is nowhere to be read, by its versions neither", async () => {
  const { id } = await addDeployment(ada);
  await query(
    "insert into public.deployment_versions (deployment_id, version, options) values ($1, 1, '{}')",
    [id],
  );
  await query("update public.deployments set deleted_at = now()");
  expect(await seenBy(ada)).toEqual([]);
  expect(await readAs(query, ada, versions)).toEqual([{ ids: [] }]);
});

test("a workspace that asks for a second factor shows nothing before it was given", async () => {
  const { id } = await addDeployment(ada);
  await query("update public.workspaces set needs_second_factor = true");
  expect(await seenBy(ada)).toEqual([]);
  expect(await seenBy(ada, "aal2")).toEqual([id]);
});

test("a session that has ended reads no workspace and no member", async () => {
  await personalOf(ada);
  for (const table of ["public.workspaces", "public.members"]) {
    expect(await readAs(query, ada, `select from ${table}`)).toHaveLength(1);
  }
  await query("delete from auth.sessions where id = $1", [ada]);
  for (const table of ["public.workspaces", "public.members"]) {
    expect(await readAs(query, ada, `select from ${table}`)).toHaveLength(0);
  }
});

test("the database and the Worker have the same table of roles, which is the one of the walks", async () => {
  const stored = await query<{ action: string; roles: string[] }>(
    "select action, array_agg(role) as roles from public.role_rights() group by action",
  );
  expect(stored).toHaveLength(rightNames.length);
  expect(Object.keys(roleRights).toSorted()).toEqual(rightNames.toSorted());
  for (const right of rightNames) {
    const should = roles.filter((role) => mayDo(role, right));
    expect(roleRights[right], right).toEqual(should);
    const found = stored.find(({ action }) => action === right)?.roles ?? [];
    expect(found.toSorted(), right).toEqual(should.toSorted());
  }
  const fly = "select public.role_may('owner', 'fly') as may";
  expect(await query(fly)).toEqual([{ may: false }]);
});

test("the Worker's key changes no workspace and no member", async () => {
  const workspace = await personalOf(ada);
  expect(await tryAsWorker(query, "select user_id from public.members")).toEqual([
    { user_id: ada },
  ]);
  for (const sql of [
    `insert into public.members (workspace_id, user_id, role) values ('${workspace}', '${ben}', 'owner')`,
    "update public.members set role = 'admin'",
    "delete from public.members",
    "insert into public.workspaces default values",
    "update public.workspaces set name = 'Mine'",
    "delete from public.workspaces",
    "truncate public.members",
  ]) {
    await expect(tryAsWorker(query, sql), sql).rejects.toThrow(/permission denied/);
  }
});
