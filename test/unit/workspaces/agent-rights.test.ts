import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [owner, member, stranger] = [1, 2, 3].map(accountId) as [string, string, string];
const hashOf = (n: number) => String(n).padStart(64, "0");

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

/** A team's workspace, which is nobody's personal one, with one version of a configuration and a token of its owner's. */
let team: string;

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
  expect(await save(owner, 0)).toBe(1);
  await makeToken(owner, 1);
});

const join = (person: string, role: string) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    team,
    person,
    role,
  ]);

const leave = (person: string) =>
  query("delete from public.members where user_id = $1 and workspace_id = $2", [person, team]);

async function answer(sql: string, parameters: unknown[] = []): Promise<unknown> {
  const [row] = await query<{ answer: unknown }>(`select public.${sql} as answer`, parameters);
  return row?.answer;
}

const save = (person: string, expected: number, workspace: string | null = team, model = "model") =>
  answer("save_model_configuration($1, 'ada', $2, $3, '', 'nova', 'whisper', $4)", [
    person,
    expected,
    model,
    workspace,
  ]);

/** Makes the token with the hash of this number, and answers its id. */
async function makeToken(
  person: string,
  n: number,
  workspace: string | null = team,
): Promise<string> {
  const made = await answer("create_api_token($1, 'Agent', $2, 'abcd', 20, $3)", [
    person,
    hashOf(n),
    workspace,
  ]);
  expect(made).toBe(true);
  const [row] = await query<{ id: string }>(
    "select id from public.api_tokens where token_hash = $1",
    [hashOf(n)],
  );
  return row?.id ?? "none";
}

/** Which workspace an agent with this token is let into. */
const workspaceOf = (n: number, workspace: string | null = null) =>
  answer("use_api_token($1, $2)", [hashOf(n), workspace]);

/** What an agent with this token is answered when it reports that it used nothing. */
const reportWith = (n: number) => answer("report_token_usage($1, '[]', '{}')", [hashOf(n)]);

test("the removal of a member ends their tokens in this workspace, and no others", async () => {
  await join(member, "operator");
  await makeToken(member, 2);
  await makeToken(member, 3, null);
  await leave(member);
  expect(await workspaceOf(2)).toBeNull();
  expect(await reportWith(2)).toBeNull();
  expect(await workspaceOf(1)).toBe(team);
  expect(await workspaceOf(3)).toBe(member);
});

test("the removal of a workspace ends its tokens, and no others", async () => {
  await makeToken(owner, 2, null);
  await query("delete from public.workspaces where id = $1", [team]);
  expect([await workspaceOf(1), await workspaceOf(2)]).toEqual([null, owner]);
  expect(await query("select from public.model_configuration_versions")).toEqual([]);
});

test("a token lets in until its end, and not after", async () => {
  const make = (n: number, end: string) =>
    query(
      `select public.create_api_token($1, 'Agent', $2, 'abcd', 20, $3, new_end => now() + $4::interval)`,
      [owner, hashOf(n), team, end],
    );
  await make(2, "1 minute");
  await make(3, "-1 second");
  expect([await workspaceOf(2), await workspaceOf(3)]).toEqual([team, null]);
  expect(await reportWith(2)).toMatchObject({ recorded: 0 });
  expect(await reportWith(3)).toBeNull();
  expect(
    await query(
      "select last_used_at is not null as used from public.api_tokens order by token_hash",
    ),
  ).toEqual([{ used: false }, { used: true }, { used: false }]);
});

test.each([
  ["configuration", "usage"],
  ["usage", "configuration"],
])("a token for the %s alone is refused for the %s", async (scope, other) => {
  await query(
    "select public.create_api_token($1, 'Agent', $2, 'abcd', 20, $3, new_scopes => array[$4])",
    [owner, hashOf(2), team, scope],
  );
  expect([await workspaceOf(2, scope), await workspaceOf(2, other)]).toEqual([team, null]);
  expect(await reportWith(2)).toEqual(
    scope === "usage" ? expect.objectContaining({ recorded: 0 }) : null,
  );
});

test.each(["{}", "{configuration,everything}"])("no token has the scopes %s", async (scopes) => {
  const made = query("update public.api_tokens set scopes = $1", [scopes]);
  await expect(made).rejects.toThrow("api_tokens_scopes_check");
});

test("versions of one person in two workspaces are numbered apart", async () => {
  expect(await save(owner, 0, null, "own")).toBe(1);
  expect(await save(owner, 1, null, "own 2")).toBe(2);
  expect(await save(owner, 1, team, "team 2")).toBe(2);
  expect(await answer("restore_model_configuration($1, 'ada', 1)", [owner])).toBe(3);
  expect(await save(owner, 1, team)).toBeNull();
  expect(
    await query(
      `select workspace_id, version, model from public.model_configuration_versions
       order by workspace_id = $1, version`,
      [team],
    ),
  ).toEqual([
    { workspace_id: owner, version: 1, model: "own" },
    { workspace_id: owner, version: 2, model: "own 2" },
    { workspace_id: owner, version: 3, model: "own" },
    { workspace_id: team, version: 1, model: "model" },
    { workspace_id: team, version: 2, model: "team 2" },
  ]);
});

test("members save over each other's versions only when they saw them", async () => {
  await join(member, "operator");
  expect(await save(member, 1, team, "theirs")).toBe(2);
  expect(await save(owner, 1, team, "late")).toBeNull();
  expect(await save(owner, 2, team, "mine")).toBe(3);
});

test("tokens are counted by workspace: a team's are everybody's, and not one's own", async () => {
  const make = (person: string, n: number, workspace: string | null) =>
    answer("create_api_token($1, 'Agent', $2, 'abcd', 1, $3)", [person, hashOf(n), workspace]);
  await join(member, "operator");
  expect(await make(member, 2, team)).toBe(false);
  expect(await make(owner, 3, null)).toBe(true);
  expect(await make(owner, 4, null)).toBe(false);
});

test("a user who handed the personal workspace over saves in the next, and their tokens end in the first", async () => {
  const first = stranger;
  await makeToken(stranger, 2, null);
  await query("insert into public.members (workspace_id, user_id, role) values ($1, $2, 'owner')", [
    first,
    member,
  ]);
  await query("delete from public.members where workspace_id = $1 and user_id = $2", [
    first,
    stranger,
  ]);
  expect(await workspaceOf(2)).toBeNull();
  expect(await save(stranger, 0, null)).toBe(1);
  await makeToken(stranger, 3, null);
  const [personal] = await query<{ id: string }>(
    "select id from public.workspaces where personal_of = $1",
    [stranger],
  );
  expect(personal?.id).not.toBe(first);
  expect(await workspaceOf(3)).toBe(personal?.id);
  expect(
    await query("select workspace_id from public.model_configuration_versions where user_id = $1", [
      stranger,
    ]),
  ).toEqual([{ workspace_id: personal?.id }]);
});

test("what a member saved stays with the team when their account is deleted, and their tokens end", async () => {
  await join(member, "operator");
  expect(await save(member, 1, team, "theirs")).toBe(2);
  expect(await save(member, 0, null)).toBe(1);
  await makeToken(member, 2);
  await query("delete from auth.users where id = $1", [member]);
  expect(
    await query(
      "select workspace_id, user_id from public.model_configuration_versions order by version",
    ),
  ).toEqual([
    { workspace_id: team, user_id: owner },
    { workspace_id: team, user_id: null },
  ]);
  expect([await workspaceOf(1), await workspaceOf(2)]).toEqual([team, null]);
});

test("nobody reads the hash of a token", async () => {
  await expect(readAs(query, owner, "select token_hash from public.api_tokens")).rejects.toThrow(
    /permission denied/,
  );
});
