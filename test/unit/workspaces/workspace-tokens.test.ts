import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { scopes } from "~/features/api/scopes";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [owner, stranger] = [accountId(1), accountId(2)];
const [team, elsewhere] = [accountId(11), accountId(12)];
const hashOf = (n: number) => String(n).padStart(64, "0");

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces cascade");
  for (const person of [owner, stranger]) await addAccount(query, person);
  for (const [workspace, person] of [
    [team, owner],
    [elsewhere, stranger],
  ]) {
    await query("insert into public.workspaces (id, name) values ($1, 'Team')", [workspace]);
    await query(
      "insert into public.members (user_id, workspace_id, role) values ($1, $2, 'owner')",
      [person, workspace],
    );
  }
});

async function answer(sql: string, parameters: unknown[] = []): Promise<unknown> {
  const [row] = await query<{ answer: unknown }>(`select public.${sql} as answer`, parameters);
  return row?.answer;
}

/** Makes the token with the hash of this number, and answers its id. */
async function makeToken(n: number, of: readonly string[] = scopes, allowed = 20): Promise<string> {
  const made = await answer(
    "create_workspace_token($1, $2, 'CI', $3, 'abcd', $4, now() + interval '90 days', $5)",
    [owner, team, hashOf(n), of, allowed],
  );
  expect(made).toBe(true);
  const [row] = await query<{ id: string }>(
    "select id from public.workspace_tokens where token_hash = $1",
    [hashOf(n)],
  );
  return row?.id ?? "none";
}

const use = (n: number, allowed = 120) =>
  answer("use_workspace_token($1, $2)", [hashOf(n), allowed]) as Promise<Record<
    string,
    unknown
  > | null>;

test("a token is let in as its workspace's with its scopes, and the day of its last use is kept", async () => {
  const id = await makeToken(1, ["servers:read"]);
  expect(await use(1)).toMatchObject({
    ...{ id, workspace: team, name: "CI", scopes: ["servers:read"], left: 119, is_over: false },
  });
  const [row] = await query<{ is_today: boolean }>(
    "select last_used_on = (now() at time zone 'UTC')::date as is_today from public.workspace_tokens",
  );
  expect(row?.is_today).toBe(true);
  expect(await use(2)).toBeNull();
});

test("calls of one minute are counted down to nothing, and the next minute begins anew", async () => {
  await makeToken(1);
  const { resets } = (await use(1, 2)) ?? {};
  expect(resets).toBeGreaterThanOrEqual(1);
  expect(resets).toBeLessThanOrEqual(60);
  await query(
    "update public.workspace_tokens set calls = 2, minute = date_trunc('minute', now() + interval '1 hour')",
  );
  expect(await use(1, 2)).toMatchObject({ left: 1, is_over: false });
  await query("begin");
  await query("update public.workspace_tokens set calls = 2, minute = date_trunc('minute', now())");
  expect(await use(1, 2)).toMatchObject({ left: 0, is_over: true });
  await query("rollback");
});

test("a token that has ended, was revoked or lost its workspace is nobody's", async () => {
  const id = await makeToken(1);
  await makeToken(2);
  await query("update public.workspace_tokens set ends_at = now() where token_hash = $1", [
    hashOf(2),
  ]);
  expect(await use(2)).toBeNull();
  expect(await answer("revoke_workspace_token($1, $2, $3)", [stranger, elsewhere, id])).toBe(false);
  expect(await answer("revoke_workspace_token($1, $2, $3)", [owner, team, id])).toBe(true);
  expect(await use(1)).toBeNull();
  await makeToken(3);
  await query("delete from public.workspaces where id = $1", [team]);
  expect(await use(3)).toBeNull();
});

test("a token goes on without the member and the account that made it, and says that they are gone", async () => {
  await makeToken(1);
  await query("insert into public.members (user_id, workspace_id, role) values ($1, $2, 'owner')", [
    stranger,
    team,
  ]);
  const makers = () =>
    readAs<{ address: string; is_member: boolean }>(
      query,
      stranger,
      `select address, is_member from public.workspace_token_makers('${team}')`,
    );
  expect(await makers()).toMatchObject([{ is_member: true }]);
  await query("delete from public.members where user_id = $1", [owner]);
  expect(await use(1)).toMatchObject({ workspace: team });
  expect(await makers()).toMatchObject([{ is_member: false }]);
  await query("delete from auth.users where id = $1", [owner]);
  expect(await use(1)).toMatchObject({ workspace: team });
  expect(await makers()).toEqual([{ address: "", is_member: false }]);
});

/** What each scope alone lets a token change, by the right that the functions ask for. */
const rightsOf: Readonly<Record<string, readonly string[]>> = {
  "deployments:write": ["describe"],
  "servers:write": ["alerts", "rollout"],
  "alerts:write": ["alerts"],
};

test.each(scopes)(
  "a token with %s may change what that scope says and nothing else",
  async (scope) => {
    const id = await makeToken(1, [scope]);
    const [rights] = await query<{ all: string[] }>(
      "select array_agg(distinct r.action) as all from public.role_rights() r",
    );
    const allowed: string[] = [];
    for (const right of rights?.all ?? []) {
      expect(await answer("member_may($1, $2, $3)", [id, elsewhere, right])).toBe(false);
      if (await answer("member_may($1, $2, $3)", [id, team, right])) allowed.push(right);
    }
    expect(allowed).toEqual(rightsOf[scope] ?? []);
  },
);

test("a deployment that a token makes is the workspace's, by no account, and the log names the token", async () => {
  const id = await makeToken(1);
  const made = await answer("create_deployment($1, 'Server', '{}', 9, 'Token CI', $2)", [id, team]);
  expect(
    await query("select user_id, workspace_id from public.deployments where id = $1", [made]),
  ).toEqual([{ user_id: null, workspace_id: team }]);
  const [line] = await query<{ actor: string; actor_address: string }>(
    "select actor, actor_address from public.audit_log where action = 'deployment.created'",
  );
  expect(line).toEqual({ actor: id, actor_address: "Token CI …abcd" });
  const into = answer("create_deployment($1, 'Server', '{}', 9, null, $2)", [id, elsewhere]);
  await expect(into).rejects.toThrow("may not make deployments");
  const nowhere = answer("create_deployment($1, 'Server', '{}', 9)", [id]);
  await expect(nowhere).rejects.toThrow("may not make deployments");
});

test("a workspace has as many tokens as allowed, a token a year at most, and no scope that is unknown", async () => {
  await makeToken(1, ["servers:read"], 2);
  await makeToken(2, ["servers:read"], 2);
  const make = (end: string, scope: string, allowed: number) =>
    answer(
      "create_workspace_token($1, $2, 'CI', $3, 'abcd', array[$4], now() + $5::interval, $6)",
      [owner, team, hashOf(3), scope, end, allowed],
    );
  expect(await make("1 day", "servers:read", 2)).toBe(false);
  await expect(make("367 days", "servers:read", 9)).rejects.toThrow("workspace_tokens_check");
  await expect(make("1 day", "servers:all", 9)).rejects.toThrow("scopes_check");
});

const begin = (token: string, key: string, body = 1, allowed = 100) =>
  answer("begin_api_request($1, $2, $3, $4)", [token, key, hashOf(body), allowed]);

test("a change is begun once by its key, answered the same for a day, and another change is told apart", async () => {
  const [id, other] = [await makeToken(1), await makeToken(2)];
  expect(await begin(id, "a")).toEqual({ state: "new" });
  expect(await begin(id, "a")).toEqual({ state: "running" });
  expect(await begin(other, "a")).toEqual({ state: "new" });
  await answer("settle_api_request($1, 'a', $2)", [id, JSON.stringify({ status: 201 })]);
  expect(await begin(id, "a")).toEqual({ state: "done", answer: { status: 201 } });
  expect(await begin(id, "a", 2)).toEqual({ state: "other" });
  await query("update public.api_requests set began_at = now() - interval '25 hours'");
  expect(await begin(id, "a", 2)).toEqual({ state: "new" });
});

test("a change that failed may be sent again at once, and one that was cut off after a minute", async () => {
  const id = await makeToken(1);
  await begin(id, "a");
  await answer("settle_api_request($1, 'a')", [id]);
  expect(await begin(id, "a")).toEqual({ state: "new" });
  await query("update public.api_requests set began_at = now() - interval '2 minutes'");
  expect(await begin(id, "a")).toEqual({ state: "new" });
});

test("changes of a day are bounded for all tokens of a workspace, and what is a day old is removed", async () => {
  const [id, other] = [await makeToken(1), await makeToken(2)];
  await begin(id, "a", 1, 2);
  await begin(other, "b", 1, 2);
  expect(await begin(id, "c", 1, 2)).toEqual({ state: "full" });
  await query(
    "update public.api_requests set began_at = now() - interval '25 hours' where key = 'a'",
  );
  expect(await begin(id, "c", 1, 2)).toEqual({ state: "new" });
  expect(await answer("remove_expired_api_requests(100)")).toBe(1);
});
