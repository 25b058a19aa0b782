import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { newTeam, type Team } from "../../support/database/team.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;
beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

let team: Team;
beforeEach(async () => {
  team = await newTeam(query);
  await query("delete from public.fleets");
  await query("delete from public.closed_fleets");
});

type Due = {
  open: {
    workspace: string;
    facts: Record<string, unknown>;
    deleted: string[];
    members: { person: string; address: string | null; connects: boolean }[];
    approvers: { revision: number; passkeys: { person: string }[] };
  }[];
  closed: string[];
};

async function due(fleets = 100, closed = 100): Promise<Due> {
  const [row] = await query<{ due: Due }>("select public.due_fleets($1, $2, '{}') as due", [
    ...[fleets, closed],
  ]);
  return row?.due ?? { open: [], closed: [] };
}

/** A new fleet of a workspace, due so many minutes ago. */
const fleetOf = (workspace: string, minutes = 1) =>
  query(
    "insert into public.fleets (workspace_id, due_at) values ($1, now() - make_interval(mins => $2))",
    [workspace, minutes],
  );

async function newWorkspace(): Promise<string> {
  const [row] = await query<{ id: string }>(
    "insert into public.workspaces (name) values ('Okapi') returning id",
  );
  return row?.id ?? "none";
}

const settle = (known: object[], forgotten: string[] = []) =>
  query("select public.settle_fleets(known := $1, forgotten := $2)", [
    ...[JSON.stringify(known), forgotten],
  ]);

const closedFleets = async () =>
  (await query<{ id: string }>("select workspace_id as id from public.closed_fleets")).map(
    ({ id }) => id,
  );

const known = (workspace: string, more: object = {}) => ({
  ...{ id: accountId(900), workspace, deployment: accountId(901), name: "sfu-1" },
  ...{ enrolled: "2026-11-24T12:00:00Z", retired: null, ...more },
});

test("a workspace that is deleted, and an account in SQL directly, leave word of what is to be forgotten", async () => {
  await query("select public.create_workspace($1, $2, 'Okapi')", [team.people.ada, accountId(950)]);
  await fleetOf(team.id);
  await query("delete from public.workspaces where id = $1", [team.id]);
  expect(await closedFleets()).toEqual([team.id]);

  const [personal] = await query<{ id: string }>("select public.personal_workspace($1) as id", [
    team.people.ben,
  ]);
  await fleetOf(personal?.id ?? "none");
  await query("delete from auth.users where id = $1", [team.people.ben]);
  expect(await closedFleets()).toEqual([team.id, personal?.id]);
});

test("what is closed is due until it was forgotten a quarter of an hour after its workspace went", async () => {
  const workspace = await newWorkspace();
  await fleetOf(workspace);
  await query("delete from public.workspaces where id = $1", [workspace]);
  expect((await due()).closed).toEqual([workspace]);
  expect((await due()).closed).toEqual([]);
  await query("update public.closed_fleets set due_at = now()");
  expect((await due()).closed).toEqual([workspace]);
  await settle([], [workspace]);
  expect(await closedFleets()).toEqual([workspace]);
  await query(
    "update public.closed_fleets set closed_at = closed_at - interval '16 minutes', due_at = now()",
  );
  expect((await due()).closed).toEqual([workspace]);
  await settle([], [workspace]);
  expect(await closedFleets()).toEqual([]);
});

test("fleets are asked once an hour, those that wait longest first", async () => {
  const waiting = [];
  for (let minutes = 9; minutes > 0; minutes -= 1) {
    waiting.push({ id: await newWorkspace(), minutes });
  }
  // Their rows lie in another order.
  for (const { id, minutes } of waiting.toSorted((one, other) => one.id.localeCompare(other.id))) {
    await fleetOf(id, minutes);
  }
  const names = async (most: number) => (await due(most)).open.map(({ workspace }) => workspace);
  const inOrder = waiting.map(({ id }) => id);
  expect(await names(7)).toEqual(inOrder.slice(0, 7));
  expect(await names(7)).toEqual(inOrder.slice(7));
  expect(await names(7)).toEqual([]);
});

test("fleets that did not answer are asked again within a minute, in the order in which they were missed", async () => {
  const missed = [];
  for (let count = 0; count < 5; count += 1) missed.push(await newWorkspace());
  const [settled, soon] = [await newWorkspace(), await newWorkspace()];
  for (const id of [...missed, settled].toSorted()) await fleetOf(id);
  await due();
  // A token is made meanwhile.
  await query(
    "insert into public.fleets (workspace_id, due_at) values ($1, now() + interval '5 seconds')",
    [soon],
  );
  await query("select public.settle_fleets('[]', '{}', $1)", [[...missed, soon]]);
  const rows = await query<{ id: string; seconds: number }>(
    `select workspace_id as id, round(extract(epoch from due_at - now()))::integer as seconds
     from public.fleets order by due_at`,
  );
  expect(rows.map(({ id }) => id)).toEqual([soon, ...missed, settled]);
  expect(rows.map(({ seconds }) => seconds)).toEqual([5, 30, 30, 30, 30, 30, 3600]);
});

test("a workspace or a deployment with a new name reaches its fleet with the next run, so that messages have it (Low)", async () => {
  const workspace = await newWorkspace();
  await fleetOf(workspace);
  const isDue = async () => (await due()).open.some((each) => each.workspace === workspace);
  expect(await isDue()).toBe(true);
  expect(await isDue()).toBe(false);
  await query("update public.workspaces set name = 'Harbour' where id = $1", [workspace]);
  expect(await isDue()).toBe(true);
  await query("update public.workspaces set name = 'Harbour' where id = $1", [workspace]);
  expect(await isDue()).toBe(false);
});

test("a fleet receives which plan runs, when the last one ended, and what was deleted", async () => {
  const workspace = await newWorkspace();
  await fleetOf(workspace);
  const dueFleets = async () => {
    await query("update public.fleets set due_at = now()");
    return (await due()).open[0];
  };
  const common = {
    slug: expect.any(String),
    name: "Okapi",
    owner: null,
    history_over: false,
    ...{ deployments: {}, paused: false },
  };
  expect(await dueFleets()).toEqual({
    ...{ workspace, deleted: [], members: [], facts: { ...common, plan: "none", ended_at: null } },
    approvers: { needed: 1, revision: 0, passkeys: [] },
  });
  await query(
    "insert into public.customers (id, workspace_id, origin) values ('cus_okapi', $1, 'account')",
    [workspace],
  );
  const buy = (id: string, plan: string, status: string, ended: string | null) =>
    query(
      `insert into public.subscriptions (id, customer_id, status, price_id, plan, currency, billing_interval, created_at, ended_at)
       values ($1, 'cus_okapi', $2, 'price', $3, 'usd', 'month', '2026-01-01', $4)`,
      [id, status, plan, ended],
    );
  await buy("sub_former", "basic", "canceled", "2026-02-01T00:00:00Z");
  expect((await dueFleets())?.facts).toMatchObject({
    ...{ plan: "none", ended_at: "2026-02-01T00:00:00+00:00" },
  });
  await buy("sub_present", "pro", "active", null);
  expect((await dueFleets())?.facts).toMatchObject({ plan: "pro", ended_at: null });
  await query("update public.subscriptions set status = 'unpaid' where id = 'sub_present'");
  expect((await dueFleets())?.facts).toMatchObject({ plan: "none", ended_at: null });
  await query("delete from public.workspaces where id = $1", [workspace]);
});

test("a plan that begins, changes or ends, and a purchase that is claimed, reach the servers with the next run", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  await fleetOf(workspace);
  await fleetOf(other);
  const dueWorkspaces = async () => (await due()).open.map((each) => each.workspace);
  expect(await dueWorkspaces()).toHaveLength(2);
  await query("insert into public.customers (id, origin) values ('cus_quoll', 'guest')");
  await query(
    `insert into public.subscriptions (id, customer_id, status, price_id, plan, currency, billing_interval, created_at)
     values ('sub_quoll', 'cus_quoll', 'active', 'price', 'basic', 'usd', 'month', '2026-01-01')`,
  );
  expect(await dueWorkspaces()).toEqual([]);
  await query("update public.customers set workspace_id = $1 where id = 'cus_quoll'", [workspace]);
  expect(await dueWorkspaces()).toEqual([workspace]);
  for (const changed of ["plan = 'pro'", "status = 'canceled'", "price_id = 'another'"]) {
    await query(`update public.subscriptions set ${changed} where id = 'sub_quoll'`);
    expect(await dueWorkspaces(), changed).toEqual([workspace]);
  }
  await query(
    `insert into public.subscriptions (id, customer_id, status, price_id, plan, currency, billing_interval, created_at)
     values ('sub_new', 'cus_quoll', 'active', 'price', 'basic', 'usd', 'month', '2026-01-01')`,
  );
  expect(await dueWorkspaces()).toEqual([workspace]);
  await query("update public.subscriptions set card_last4 = '4242' where id = 'sub_new'");
  expect(await dueWorkspaces()).toEqual([]);
  await query("delete from public.workspaces where id = $1", [workspace]);
});

test("a fleet has the names of its workspace and deployments, and where their machines are, with the next run (M5)", async () => {
  const workspace = await newWorkspace();
  await fleetOf(workspace);
  const [{ id } = { id: "none" }] = await query<{ id: string }>(
    `insert into public.deployments (workspace_id, name, options)
     values ($1, 'Production', '{"provider": "hetzner", "size": "small"}') returning id`,
    [workspace],
  );
  const facts = async () => (await due()).open.map((each) => each.facts);
  expect(await facts()).toMatchObject([
    { deployments: { [id]: { name: "Production", provider: "hetzner" } } },
  ]);
  expect(await facts()).toEqual([]);
  await query("update public.workspaces set name = 'FleetCo' where id = $1", [workspace]);
  expect(await facts()).toMatchObject([{ name: "FleetCo" }]);
  await query("update public.deployments set name = 'Live' where id = $1", [id]);
  expect(await facts()).toMatchObject([{ deployments: { [id]: { name: "Live" } } }]);
  await query("delete from public.workspaces where id = $1", [workspace]);
});

test("a fleet receives who may connect servers now", async () => {
  const { ada, ben, cat } = team.people;
  await team.join(ben, "operator");
  await team.join(cat, "viewer");
  await fleetOf(team.id);
  const connecting = async () => {
    await query("update public.fleets set due_at = now()");
    const members = (await due()).open[0]?.members ?? [];
    return members.flatMap(({ person, connects }) => (connects ? [person] : [])).sort();
  };
  expect(await connecting()).toEqual([ada, ben].sort());
  await query(
    "update public.members set role = 'viewer' where user_id = $1 and workspace_id = $2",
    [ben, team.id],
  );
  expect(await connecting()).toEqual([ada]);
  await team.needSecondFactor();
  expect(await connecting()).toEqual([]);
});

test("a fleet receives who the members are, with the addresses that they confirmed", async () => {
  const { ada, ben } = team.people;
  await team.join(ben, "admin");
  await fleetOf(team.id);
  const members = async () => {
    await query("update public.fleets set due_at = now()");
    const recipients = (await due()).open[0]?.members ?? [];
    return Object.fromEntries(recipients.map(({ person, address }) => [person, address]));
  };
  expect(await members()).toEqual({ [ada]: "ada@example.com", [ben]: "ben@example.com" });
  await query("update auth.users set email = 'new@example.com' where id = $1", [ada]);
  await query("update auth.users set email_confirmed_at = null where id = $1", [ben]);
  expect(await members()).toEqual({ [ada]: "new@example.com", [ben]: null });
  await query("delete from auth.users where id = $1", [ben]);
  expect(await members()).toEqual({ [ada]: "new@example.com" });
});

test("servers are noted once, change with what the fleet answers, and never leave their workspace", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  await fleetOf(workspace);
  await fleetOf(other);
  await settle([known(workspace)]);
  const [written] = await query<{ xmin: string }>("select xmin::text from public.servers");
  await settle([known(workspace)]);
  expect(await query("select xmin::text from public.servers")).toEqual([written]);
  await settle([known(workspace, { retired: "2026-11-25T00:00:00Z" })]);
  await settle([known(other, { name: "stolen" })]);
  const rows = await query(
    "select workspace_id, name, retired_at is null as runs from public.servers",
  );
  expect(rows).toEqual([{ workspace_id: workspace, name: "sfu-1", runs: false }]);
  await query("delete from public.workspaces where id = $1", [workspace]);
  await settle([known(workspace)]);
  expect(await query("select from public.servers")).toEqual([]);
});

test("what was reported is over ninety days after the end, and only after two mails a week apart", async () => {
  const workspace = await newWorkspace();
  await fleetOf(workspace);
  await settle([known(workspace)]);
  await query(
    `insert into public.customers (id, workspace_id, origin, email)
     values ('cus_over', $1, 'account', 'okapi@example.com')`,
    [workspace],
  );
  const ended = (days: number) =>
    query(
      `insert into public.subscriptions (id, customer_id, status, price_id, plan, currency, billing_interval, created_at, ended_at)
       values ('sub_over', 'cus_over', 'canceled', 'price', 'pro', 'usd', 'month', '2026-01-01', now() - make_interval(days => $1))
       on conflict (id) do update set ended_at = excluded.ended_at`,
      [days],
    );
  const mails = async () => {
    const rows = await query<{ occasion: string }>(
      "select occasion from public.mail_occasions() where kind = 'history-ends' order by 1",
    );
    return rows.map(({ occasion }) => occasion);
  };
  const isOver = async () => {
    await query("update public.fleets set due_at = now()");
    return (await due()).open[0]?.facts.history_over;
  };
  /** In how many days the mails that are due say that it ends. */
  const ends = async () => {
    const rows = await query<{ days: number }>(
      `select round(extract(epoch from (data->>'ends')::timestamptz - now()) / 86400)::integer as days
       from public.mail_occasions() where kind = 'history-ends' order by 1`,
    );
    return rows.map(({ days }) => days);
  };
  const gaveUp = (occasion: string) =>
    query(
      `insert into public.mail_outbox (occasion, customer_id, kind, gave_up_at)
       values ($1, 'cus_over', 'history-ends', now() - interval '30 days')`,
      [occasion],
    );
  const sent = (occasion: string, days: number) =>
    query(
      `insert into public.mail_outbox (occasion, customer_id, kind, sent_at)
       values ($1, 'cus_over', 'history-ends', now() - make_interval(days => $2))`,
      [occasion, days],
    );
  await ended(59);
  expect(await mails()).toEqual([]);
  await ended(61);
  expect(await mails()).toEqual(["history-ends:sub_over"]);
  expect(await ends()).toEqual([29]);
  await ended(100);
  expect(await ends()).toEqual([7]);
  expect(await mails()).toEqual(["history-ends:sub_over"]);
  expect(await isOver()).toBe(false);
  await gaveUp("history-ends:sub_over");
  expect(await mails()).toEqual(["history-ends:sub_over"]);
  await query("delete from public.mail_outbox");
  await sent("history-ends:sub_over", 8);
  expect(await mails()).toEqual(["history-ends-soon:sub_over", "history-ends:sub_over"]);
  expect(await isOver()).toBe(false);
  await gaveUp("history-ends-soon:sub_over");
  expect(await isOver()).toBe(false);
  await query("delete from public.mail_outbox where occasion like 'history-ends-soon:%'");
  await sent("history-ends-soon:sub_over", 6);
  expect(await isOver()).toBe(false);
  await query("delete from public.mail_outbox where occasion like 'history-ends-soon:%'");
  await sent("history-ends-soon:sub_over", 8);
  expect(await isOver()).toBe(true);
  await query("delete from public.mail_outbox");
  expect(await isOver()).toBe(true);
  await query(
    "update public.subscriptions set status = 'active', ended_at = null where id = 'sub_over'",
  );
  expect(await isOver()).toBe(false);
  await query("delete from public.workspaces where id = $1", [workspace]);
});

test("each change of who approves raises the revision that fleets are sent with them", async () => {
  await fleetOf(team.id);
  const { ada, ben } = team.people;
  await team.join(ben, "owner");
  const revisions: number[] = [];
  const note = async () => {
    await query("update public.fleets set due_at = now() - interval '1 minute'");
    const { approvers } = (await due()).open[0] ?? {};
    revisions.push(approvers?.revision ?? -1);
    return approvers?.passkeys.map(({ person }) => person);
  };
  expect(await note()).toEqual([]);
  const added = await query<{ added: string }>(
    "select public.add_approver_passkey($1, $2, 'Key', 'b', $3, repeat('b', 32), 5) as added",
    [ada, team.id, `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${"b".repeat(86)}==`],
  );
  expect(added).toEqual([{ added: "added" }]);
  expect(await note()).toEqual([ada]);
  await query("select public.set_approvals_needed($1, $2, 2)", [ada, team.id]);
  await note();
  await query(
    "update public.members set role = 'viewer' where user_id = $1 and workspace_id = $2",
    [ada, team.id],
  );
  expect(await note()).toEqual([]);
  await query("delete from public.members where user_id = $1 and workspace_id = $2", [
    ada,
    team.id,
  ]);
  await note();
  expect(revisions).toEqual([0, 1, 2, 3, 4]);
});
