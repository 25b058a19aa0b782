import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [ada, ben, eve] = [1, 2, 3].map(accountId) as [string, string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

/** A team's workspace, which Ada owns, with a deployment. */
let team: string;
let deployment: string;

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces, public.contact_messages cascade");
  for (const person of [ada, ben, eve]) await addAccount(query, person);
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Team') returning id",
  );
  team = made?.id ?? "none";
  await join(ada, "owner");
  const [created] = await query<{ id: string }>(
    "select public.create_deployment($1, 'Server', '{}', 9, null, $2) as id",
    [ada, team],
  );
  deployment = created?.id ?? "none";
});

const join = (person: string, role: string) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    team,
    person,
    role,
  ]);

const leave = (person: string) =>
  query("delete from public.members where workspace_id = $1 and user_id = $2", [team, person]);

async function keep(
  person: string,
  domain: string,
  { target, workspace }: { target?: string; workspace?: string } = { target: deployment },
): Promise<unknown> {
  const [row] = await query<{ kept: boolean }>(
    "select public.keep_unsaved_changes($1, array['domain'], $2, $3, $4) as kept",
    [person, { domain: { was: "", now: domain } }, target ?? null, workspace ?? null],
  );
  return row?.kept;
}

const changes =
  "select changes -> 'domain' ->> 'now' as typed from public.unsaved_changes order by 1";
const typed = (rows: { typed: string }[]) => rows.map((each) => each.typed);
const seenBy = async (person: string) => typed(await readAs(query, person, changes));
const stored = async () => typed(await query(changes));

test("each workspace has its own form of a new deployment, and a save elsewhere leaves it", async () => {
  expect(await keep(ada, "own.example.com", {})).toBe(true);
  expect(await keep(ada, "team.example.com", { workspace: team })).toBe(true);
  expect(await keep(ada, "again.example.com", { workspace: team })).toBe(true);
  expect(await stored()).toEqual(["again.example.com", "own.example.com"]);
  const cleared = "select public.keep_unsaved_changes($1, array['domain'], '{}', null, $2)";
  await query(cleared, [ada, team]);
  expect(await stored()).toEqual(["own.example.com"]);
});

test("what somebody typed goes with their membership, and what they typed elsewhere stays", async () => {
  await join(ben, "operator");
  await keep(ben, "deployment.example.com");
  await keep(ben, "new.example.com", { workspace: team });
  await keep(ben, "own.example.com", {});
  await leave(ben);
  expect(await stored()).toEqual(["own.example.com"]);
});

test("a member who may no longer change deployments does not see what was saved as they typed", async () => {
  await join(ben, "operator");
  await keep(ben, "ben.example.com");
  await query("update public.members set role = 'viewer' where user_id = $1", [ben]);
  expect(await seenBy(ben)).toEqual([]);
});

test("an account whose unsaved changes are all that it has is not taken for an empty one", async () => {
  await keep(ben, "own.example.com", {});
  await query(
    `insert into auth.identities (id, user_id, provider, provider_id, identity_data)
     values (gen_random_uuid(), $1, 'google', 'google-ben', '{}')`,
    [ben],
  );
  const adopt = () =>
    query("select public.adopt_identity($1, $2, $2, 'google', now()) as answer", [eve, ben]);
  expect(await adopt()).toEqual([{ answer: "taken" }]);
  await query("delete from public.unsaved_changes");
  expect(await adopt()).toEqual([{ answer: "connected" }]);
});

const message = (person: string) => ({
  sql: `select public.keep_support_message(gen_random_uuid(), $1, 'writer@example.com', 'support',
    'A message that is long enough.', $2, 1) as answer`,
  parameters: [person, deployment],
});

test.each(["owner", "admin", "operator", "viewer", "billing"])(
  "a member with the role %s writes to support about a deployment of the team; the message stays theirs",
  async (role) => {
    await join(ben, role);
    const { sql, parameters } = message(ben);
    expect(await query(sql, parameters)).toEqual([{ answer: "kept" }]);
    const read = "select deployment_id from public.contact_messages";
    expect(await readAs(query, ben, read)).toEqual([{ deployment_id: deployment }]);
    expect(await readAs(query, ada, read)).toEqual([]);
    await leave(ben);
    expect(await readAs(query, ben, read)).toEqual([{ deployment_id: deployment }]);
  },
);

test("a former member's and a stranger's message names no deployment of the team", async () => {
  await join(ben, "operator");
  await leave(ben);
  for (const person of [ben, eve]) {
    const { sql, parameters } = message(person);
    expect(await query(sql, parameters)).toEqual([{ answer: "kept" }]);
  }
  expect(await query("select distinct deployment_id from public.contact_messages")).toEqual([
    { deployment_id: null },
  ]);
});

test("an answer is read by the author of the message, and by nobody else of the team", async () => {
  const { sql, parameters } = message(ada);
  await query(sql, parameters);
  await join(ben, "owner");
  await query(
    "select public.answer_contact_message(m.id, 'An answer.') from public.contact_messages m",
  );
  const read = "select answer from public.contact_answers";
  expect(await readAs(query, ada, read)).toEqual([{ answer: "An answer." }]);
  expect(await readAs(query, ben, read)).toEqual([]);
});
