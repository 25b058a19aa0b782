import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId, addAccount } from "../../support/database/as-person.ts";
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
  await create(owner);
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
  const deletion = await create(stranger, null);
  await query("select public.delete_deployment($1, $2)", [stranger, deletion]);
  for (let made = 0; made < 21; made++) {
    const id = await create(owner);
    await query("select public.delete_deployment($1, $2)", [owner, id]);
  }
  expect(
    await query("select name from public.deleted_deployments($1, $2)", [owner, team]),
  ).toHaveLength(20);
  expect(await query("select id from public.deleted_deployments($1)", [stranger])).toEqual([
    { id: deletion },
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
