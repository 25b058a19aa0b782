import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId, addAccount, tryAsWorker } from "../../support/database/as-person.ts";
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

/** A team's workspace, which is nobody's personal workspace, with a deployment and a deleted one. */
let team: string;
let deployment: string;
let deleted: string;

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces cascade");
  for (const person of [owner, member, stranger]) {
    await addAccount(query, person);
    await query("select public.personal_workspace($1)", [person]);
  }
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  team = made?.id ?? "none";
  await join(owner, "owner");
  deployment = await create(owner);
  deleted = await create(owner);
  await query("update public.deployments set name = 'Deleted' where id = $1", [deleted]);
  await query("select public.delete_deployment($1, $2)", [owner, deleted]);
});

const join = (person: string, role: string) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    team,
    person,
    role,
  ]);

async function create(person: string, workspace: string | null = team): Promise<string> {
  const [row] = await query<{ id: string }>(
    "select public.create_deployment($1, 'Server', '{}', 100, null, $2) as id",
    [person, workspace],
  );
  return row?.id ?? "none";
}

/** Each call of the Worker's: what it answers to whoever may, and to everybody else. */
const calls: readonly { name: string; sql(person: string): string; may: unknown; not: unknown }[] =
  [
    {
      name: "save_deployment",
      sql: (person) => `save_deployment('${person}', '${deployment}', 'New', '{"a": 1}', 1)`,
      may: "saved",
      not: "missing",
    },
    {
      name: "note_deployment_version",
      sql: (person) => `note_deployment_version('${person}', '${deployment}', 1, 'A note')`,
      may: true,
      not: false,
    },
    {
      name: "apply_deployment_version",
      sql: (person) => `apply_deployment_version('${person}', '${deployment}', 1)`,
      may: true,
      not: false,
    },
    {
      name: "set_deployment_tick",
      sql: (person) => `set_deployment_tick('${person}', '${deployment}', 'dns', true, 1, 'hand')`,
      may: true,
      not: false,
    },
    {
      name: "set_server_address",
      sql: (person) => `set_server_address('${person}', '${deployment}', '192.0.2.1', '', 1)`,
      may: true,
      not: false,
    },
    {
      name: "set_deployment_progress",
      sql: (person) => `set_deployment_progress('${person}', '${deployment}', 'dns', true)`,
      may: true,
      not: false,
    },
    {
      name: "delete_deployment",
      sql: (person) => `delete_deployment('${person}', '${deployment}')`,
      may: true,
      not: false,
    },
    {
      name: "restore_deployment",
      sql: (person) => `restore_deployment('${person}', '${deleted}', 100)`,
      may: "restored",
      not: "missing",
    },
    {
      name: "deleted_deployments",
      sql: (person) => `deleted_deployments('${person}', '${team}')`,
      may: "Deleted",
      not: undefined,
    },
  ];

const answerSql = (sql: string) =>
  sql.startsWith("deleted_deployments")
    ? `select name as answer from public.${sql}`
    : `select public.${sql} as answer`;

/** What the Worker's key is answered. Nothing of it is kept. */
async function answerOf(sql: string): Promise<unknown> {
  return (await tryAsWorker<{ answer: unknown }>(query, answerSql(sql)))[0]?.answer;
}

/** What is answered to somebody who may not, once it was seen that nothing changed. */
async function refusalOf(sql: string): Promise<unknown> {
  const state = () =>
    query(`select (select jsonb_agg(d order by d.id) from public.deployments d) as deployments,
      (select jsonb_agg(v order by v.deployment_id) from public.deployment_versions v) as versions`);
  const before = await state();
  const [row] = await query<{ answer: unknown }>(answerSql(sql));
  expect(await state()).toEqual(before);
  return row?.answer;
}

describe.each(calls)("$name", ({ sql, may, not }) => {
  test.each(["owner", "admin", "operator"])(
    "does it for a member with the role %s",
    async (role) => {
      await join(member, role);
      expect(await answerOf(sql(member))).toEqual(may);
    },
  );

  test.each(["viewer", "billing"])("does nothing for a member with the role %s", async (role) => {
    await join(member, role);
    expect(await refusalOf(sql(member))).toEqual(not);
  });

  test("does nothing for a former member, who made it, nor for a stranger", async () => {
    await join(member, "owner");
    await query("delete from public.members where user_id = $1 and workspace_id = $2", [
      owner,
      team,
    ]);
    expect(await refusalOf(sql(owner))).toEqual(not);
    expect(await refusalOf(sql(stranger))).toEqual(not);
  });

  test("wants the second factor of a member where the workspace does", async () => {
    await query("update public.workspaces set needs_second_factor = true where id = $1", [team]);
    expect(await refusalOf(sql(owner))).toEqual(not);
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, status, secret)
       values (gen_random_uuid(), $1, 'App', 'verified', 'x')`,
      [owner],
    );
    expect(await answerOf(sql(owner))).toEqual(may);
  });
});

test.each([
  ["a viewer", "viewer"],
  ["whoever pays", "billing"],
  ["a stranger", undefined],
])("%s makes no deployment, and is not told that there is no room", async (_, role) => {
  if (role) await join(member, role);
  await expect(create(member)).rejects.toThrow("This member may not make deployments.");
  expect(await query("select count(*)::int as made from public.deployments")).toEqual([
    { made: 2 },
  ]);
});

test.each(["owner", "admin", "operator"])("a member with the role %s makes one", async (role) => {
  await join(member, role);
  const id = await create(member);
  expect(
    await query("select workspace_id, user_id from public.deployments where id = $1", [id]),
  ).toEqual([{ workspace_id: team, user_id: member }]);
});

test("deployments are counted by workspace: a team's are not one's own", async () => {
  const make = async (workspace: string | null) => {
    const [row] = await query<{ id: string | null }>(
      "select public.create_deployment($1, 'Server', '{}', 1, null, $2) as id",
      [owner, workspace],
    );
    return row?.id ?? null;
  };
  expect(await make(team)).toBeNull();
  expect(await make(null)).not.toBeNull();
  expect(await make(null)).toBeNull();
  await join(member, "operator");
  const [row] = await query("select public.restore_deployment($1, $2, 1) as answer", [
    member,
    deleted,
  ]);
  expect(row).toEqual({ answer: "full" });
});

test("of one workspace's deleted deployments the newest twenty are kept, and others' stay", async () => {
  const own = await create(stranger, null);
  await query("select public.delete_deployment($1, $2)", [stranger, own]);
  for (let made = 0; made < 21; made++) {
    const id = await create(owner);
    await query("select public.delete_deployment($1, $2)", [owner, id]);
  }
  expect(
    await query("select name from public.deleted_deployments($1, $2)", [owner, team]),
  ).toHaveLength(20);
  expect(await query("select id from public.deleted_deployments($1)", [stranger])).toEqual([
    { id: own },
  ]);
});

test("a member's deployments stay with the team when their account is deleted", async () => {
  await join(member, "operator");
  const made = await create(member);
  await create(member, null);
  await query("delete from auth.users where id = $1", [member]);
  expect(await query("select user_id from public.deployments where id = $1", [made])).toEqual([
    { user_id: null },
  ]);
  expect(
    await query("select id from public.deployments where workspace_id is distinct from $1", [team]),
  ).toEqual([]);
});
