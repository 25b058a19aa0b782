import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { newTeam } from "../../support/database/team.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;
let team: Awaited<ReturnType<typeof newTeam>>;
let ada: string;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

beforeEach(async () => {
  team = await newTeam(query);
  ({ ada } = team.people);
});

const note = async (workspace: string, target: string, actor = ada) => {
  const [row] = await query<{ noted: boolean }>(
    "select public.note_webhook_change($1, $2, 'webhook.added', $3) as noted",
    [actor, workspace, target],
  );
  return row?.noted;
};

type Due = { workspace: string; events: { id: number; action: string; target: string }[] }[];
async function due(): Promise<Due> {
  const [row] = await query<{ due: Due }>("select public.due_webhook_events(50, 3) as due");
  return (row?.due ?? []).filter(({ workspace }) => workspace === team.id);
}

/** As if the last call was so long ago. */
const later = (seconds: number) =>
  query(
    "update public.webhook_workspaces set called_at = called_at - make_interval(secs => $1) where workspace_id = $2",
    [seconds, team.id],
  );

const settle = (ids: readonly number[]) =>
  query("select public.settle_webhook_events($1::bigint[])", [`{${ids.join(",")}}`]);

const rename = (name: string) => team.call("rename_workspace", ada, team.id, name);

test("nothing waits for webhooks of a workspace that never had one", async () => {
  await rename("Before");
  expect(await due()).toEqual([]);
  expect(
    await query("select from public.webhook_events where workspace_id = $1", [team.id]),
  ).toEqual([]);
});

test("from its first webhook on each line waits, oldest first, until it is settled", async () => {
  await rename("Before");
  expect(await note(team.id, "hooks.example.com")).toBe(true);
  for (const name of ["One", "Two", "Three"]) await rename(name);
  const [first] = await due();
  expect(first?.events).toMatchObject([
    { action: "webhook.added", target: "hooks.example.com" },
    { action: "workspace.renamed", target: "One" },
    { action: "workspace.renamed", target: "Two" },
  ]);
  expect(await due()).toEqual([]);
  await later(31);
  expect((await due())[0]?.events).toEqual(first?.events);
  await settle((first?.events ?? []).map(({ id }) => id));
  await later(31);
  expect((await due())[0]?.events).toMatchObject([{ target: "Three" }]);
});

test("without lines a workspace is called for once an hour", async () => {
  await note(team.id, "hooks.example.com");
  const [first] = await due();
  await settle((first?.events ?? []).map(({ id }) => id));
  await later(3_590);
  expect(await due()).toEqual([]);
  await later(20);
  expect(await due()).toEqual([{ workspace: team.id, events: [] }]);
});

test("a change that is rolled back leaves no event behind", async () => {
  await note(team.id, "hooks.example.com");
  const undone = query(`do $$ begin
    perform public.rename_workspace('${ada}', '${team.id}', 'Never');
    raise exception 'undone';
  end $$`);
  await expect(undone).rejects.toThrow("undone");
  expect((await due())[0]?.events.map(({ target }) => target)).toEqual(["hooks.example.com"]);
});

test("a token with webhooks:write notes a change of its workspace's webhooks, and others note none", async () => {
  const tokens = [accountId(801), accountId(802)] as const;
  for (const [at, scope] of ["webhooks:write", "webhooks:read"].entries()) {
    await query(
      `insert into public.workspace_tokens (id, workspace_id, name, token_hash, ending, scopes, made_by, ends_at)
       values ($1, $2, 'CI', repeat($3, 64), 'abcd', $4, $5, now() + interval '1 day')`,
      [tokens[at], team.id, String(at), `{${scope}}`, ada],
    );
  }
  expect(await note(team.id, "by a token", tokens[0])).toBe(true);
  expect(await note(team.id, "by a token that reads", tokens[1])).toBe(false);
  // His personal workspace.
  expect(await note(team.people.ben, "by a token of elsewhere", tokens[0])).toBe(false);
});

test("the object of webhooks is forgotten when its workspace is deleted", async () => {
  await note(team.id, "hooks.example.com");
  await query("delete from public.workspaces where id = $1", [team.id]);
  expect(
    await query("select from public.closed_fleets where workspace_id = $1", [team.id]),
  ).toHaveLength(1);
  expect(await due()).toEqual([]);
});
