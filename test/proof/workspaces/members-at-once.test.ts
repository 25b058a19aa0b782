import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { accountId } from "../../support/database/as-person.ts";
import { runAtOnce } from "../../support/database/at-once.ts";
import { startDebianPostgres } from "../../support/database/debian-postgres.ts";

const [ada, ben, cat, eve] = [1, 2, 3, 4].map(accountId) as [string, string, string, string];
const team = accountId(900);
const other = accountId(800);

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let first: PostgresClient;
let second: PostgresClient;
beforeAll(async () => {
  postgres = await startDebianPostgres();
  first = await postgres.connect();
  second = await postgres.connect();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** A team that Ada and Eve own. Ben and Cat have accounts; who has joined or is invited, a test says. */
beforeEach(async () => {
  await first.query("truncate auth.users, public.workspaces, public.invitation_counts cascade");
  for (const [id, name] of [
    [ada, "ada"],
    [ben, "ben"],
    [cat, "cat"],
    [eve, "eve"],
  ]) {
    await first.query(
      "insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())",
      [id, `${name}@example.com`],
    );
  }
  await first.query("select public.create_workspace($1, $2, 'Team')", [ada, team]);
  await join(eve, "owner");
});

const join = (person: string, role: string, workspace = team) =>
  first.query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    workspace,
    person,
    role,
  ]);

/** A call of the Worker's. */
function call(name: string, ...parameters: unknown[]): [sql: string, parameters: unknown[]] {
  const places = parameters.map((_, index) => `$${index + 1}`);
  return [`select public.${name}(${places}) as answer`, parameters];
}

/** Runs both at once; answers the result of the second. */
const atOnce = (...statements: Parameters<typeof runAtOnce>[1]) =>
  runAtOnce([first, second], statements);
const answering = (answer: string) => [{ answer }];

async function roles(workspace = team): Promise<Record<string, string>> {
  const { rows } = await first.query<{ name: string; role: string }>(
    `select split_part(u.email, '@', 1) as name, m.role from public.members m
     join auth.users u on u.id = m.user_id where m.workspace_id = $1`,
    [workspace],
  );
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

const invitation = accountId(901);
const invite = (id = invitation, address = "ben@example.com", workspace = team) =>
  call("invite", ada, workspace, id, address, "admin", 100);
const accept = (person = ben, id = invitation, allowed = 100) =>
  call("accept_invitation", person, id, 1, allowed);
const withdraw = call("withdraw_invitation", ada, team, invitation);

test("a sign-in waits for no workspace that is being deleted", async () => {
  await second.query("set lock_timeout = '5s'");
  await first.query("begin");
  await first.query(...call("delete_workspace", ada, team));
  await second.query(...call("note_sign_in", eve));
  await first.query("commit");
  await second.query("reset lock_timeout");
  const { rows } = await first.query("select action from public.audit_log");
  expect(rows).toEqual([]);
});

test("an invitation that is withdrawn while its guest accepts it lets nobody in", async () => {
  await first.query(...invite());
  expect(await atOnce(withdraw, accept())).toEqual(answering("gone"));
  expect(await roles()).toEqual({ ada: "owner", eve: "owner" });
});

test("the withdrawal of an invitation that is being accepted answers that its guest has joined", async () => {
  await first.query(...invite());
  expect(await atOnce(accept(), withdraw)).toEqual(answering("taken"));
  expect(await roles()).toEqual({ ada: "owner", ben: "admin", eve: "owner" });
});

test("of two who invite one address at once, the second reads that it is invited", async () => {
  const byEve = call("invite", eve, team, accountId(902), "ben@example.com", "viewer", 100);
  expect(await atOnce(invite(), byEve)).toEqual(answering("invited before"));
  const { rows } = await first.query("select role from public.invitations");
  expect(rows).toEqual([{ role: "admin" }]);
});

test("an invitation that is accepted twice at once makes one membership", async () => {
  await first.query(...invite());
  expect(await atOnce(accept(), accept())).toEqual(answering("accepted"));
  expect(await roles()).toEqual({ ada: "owner", ben: "admin", eve: "owner" });
});

test("of two who accept the last place at once, one gets it", async () => {
  await first.query(...invite());
  await first.query(...invite(accountId(902), "cat@example.com"));
  expect(await atOnce(accept(ben, invitation, 3), accept(cat, accountId(902), 3))).toEqual(
    answering("full"),
  );
  expect(await roles()).toEqual({ ada: "owner", ben: "admin", eve: "owner" });
});

test("nobody comes over a hundred workspaces by accepting two invitations at once", async () => {
  await first.query(
    `with made as (insert into public.workspaces (name) select 'Other' from generate_series(1, 99) returning id),
     owned as (insert into public.members (workspace_id, user_id, role) select id, $1, 'owner' from made)
     insert into public.members (workspace_id, user_id, role) select id, $2, 'viewer' from made`,
    [cat, ben],
  );
  await first.query(...call("create_workspace", ada, other, "Other"));
  await first.query(...invite());
  await first.query(...invite(accountId(902), "ben@example.com", other));
  expect(await atOnce(accept(), accept(ben, accountId(902)))).toEqual(
    answering("too many workspaces"),
  );
  expect(await roles(other)).toEqual({ ada: "owner" });
});

test("nobody comes over ten owned workspaces by making two at once", async () => {
  for (let made = 1; made < 9; made++) {
    await first.query(...call("create_workspace", ada, accountId(700 + made), "Mine"));
  }
  const make = (id: number) => call("create_workspace", ada, accountId(id), "Mine");
  expect(await atOnce(make(711), make(712))).toEqual(answering("too many owned"));
});

test("a member who is demoted while a guest accepts their invitation has invited nobody", async () => {
  await first.query(...invite());
  const demote = call("change_role", eve, team, ada, "operator");
  expect(await atOnce(demote, accept())).toEqual(answering("gone"));
  expect(await roles()).toEqual({ ada: "operator", eve: "owner" });
});

test("a demotion waits for the guest who accepts what was rightly sent", async () => {
  await first.query(...invite());
  const demote = call("change_role", eve, team, ada, "operator");
  expect(await atOnce(accept(), demote)).toEqual(answering("changed"));
  expect(await roles()).toEqual({ ada: "operator", ben: "admin", eve: "owner" });
});

test("of the last two owners who leave at once the second stays", async () => {
  await join(ben, "admin");
  const leave = (person: string) => call("leave_workspace", person, team);
  expect(await atOnce(leave(ada), leave(eve))).toEqual(answering("last owner"));
  expect(await roles()).toEqual({ ben: "admin", eve: "owner" });
});

test("of two owners who demote each other at once one stays", async () => {
  const demote = (actor: string, person: string) =>
    call("change_role", actor, team, person, "viewer");
  expect(await atOnce(demote(ada, eve), demote(eve, ada))).toEqual(answering("not allowed"));
  expect(await roles()).toEqual({ ada: "owner", eve: "viewer" });
});

test("of two owners who demote themselves at once one stays", async () => {
  const demote = (person: string) => call("change_role", person, team, person, "viewer");
  expect(await atOnce(demote(ada), demote(eve))).toEqual(answering("last owner"));
  expect(await roles()).toEqual({ ada: "viewer", eve: "owner" });
});

test("an owner who is demoted while they hand over hands over nothing", async () => {
  await join(ben, "viewer");
  const demote = call("change_role", eve, team, ada, "viewer");
  expect(await atOnce(demote, call("hand_over", ada, team, ben))).toEqual(answering("not allowed"));
  expect(await roles()).toEqual({ ada: "viewer", ben: "viewer", eve: "owner" });
});

test("what is handed over while its owner is demoted has its new owner", async () => {
  await join(ben, "viewer");
  const demote = call("change_role", eve, team, ada, "viewer");
  expect(await atOnce(call("hand_over", ada, team, ben), demote)).toEqual(answering("changed"));
  expect(await roles()).toEqual({ ada: "viewer", ben: "owner", eve: "owner" });
});

/** What Ben saves of a deployment of the team's. */
async function saving(): Promise<ReturnType<typeof call>> {
  await join(ben, "operator");
  const { rows } = await first.query<{ answer: string }>(
    ...call("create_deployment", ada, "Server", {}, 10, null, team),
  );
  return call("save_deployment", ben, rows[0]?.answer, "Renamed", {}, 1);
}

const names = async () => (await first.query("select name from public.deployments")).rows;
const remove = call("remove_member", ada, team, ben);

test("what somebody saves while they are removed is refused once they are", async () => {
  const save = await saving();
  expect(await atOnce(remove, save)).toEqual(answering("missing"));
  expect(await names()).toEqual([{ name: "Server" }]);
});

test("a removal waits for what its member is saving", async () => {
  const save = await saving();
  expect(await atOnce(save, remove)).toEqual(answering("removed"));
  expect(await names()).toEqual([{ name: "Renamed" }]);
  expect(await roles()).toEqual({ ada: "owner", eve: "owner" });
});

test("somebody who is removed while their membership goes otherwise waits for that, and it not for them", async () => {
  await join(ben, "operator");
  const lockIt: [string, unknown[]] = [
    "select from public.members where user_id = $1 and workspace_id = $2 for update",
    [ben, team],
  ];
  const goes: [string, unknown[]] = [
    "delete from public.members where user_id = $1 and workspace_id = $2",
    [ben, team],
  ];
  expect(await atOnce(lockIt, remove, goes)).toEqual(answering("not a member"));
});

test("what somebody types while they are removed is kept nowhere", async () => {
  await join(ben, "operator");
  const keep = call("keep_unsaved_changes", ben, ["domain"], { domain: {} }, null, team);
  expect(await atOnce(remove, keep)).toEqual([{ answer: false }]);
  const { rows } = await first.query("select user_id from public.unsaved_changes");
  expect(rows).toEqual([]);
});

test("a workspace that is deleted while a member saves goes with what was saved", async () => {
  const save = await saving();
  const deleted = call("delete_workspace", ada, team);
  expect(await atOnce(save, deleted)).toEqual([{ answer: { answer: "deleted" } }]);
  expect(await names()).toEqual([]);
});

test("what a member saves while the workspace is deleted is gone with it", async () => {
  const save = await saving();
  expect(await atOnce(call("delete_workspace", ada, team), save)).toEqual(answering("missing"));
});

test("Stripe's report about a plan and the deletion of its workspace do not wait for each other for ever", async () => {
  await first.query(
    "insert into public.customers (id, workspace_id, origin, email) values ('cus_team', $1, 'account', 'ada@example.com')",
    [team],
  );
  const report: [string, unknown[]] = [
    "update public.customers set email = 'new@example.com' where id = 'cus_team'",
    [],
  ];
  const plan: [string, unknown[]] = [
    `insert into public.subscriptions (id, customer_id, status, price_id, unit_amount, currency,
       billing_interval, created_at)
     values ('sub_1', 'cus_team', 'active', 'price_1', 10999, 'usd', 'month', now())`,
    [],
  ];
  const deleted: [string, unknown[]] = ["delete from public.workspaces where id = $1", [team]];
  expect(await atOnce(report, deleted, plan)).toEqual([]);
  const { rows } = await first.query("select id from public.subscriptions");
  expect(rows).toEqual([]);
});

test("of the last other owner who leaves and an account that is deleted at once, no plan goes unended", async () => {
  await first.query(
    "insert into public.customers (id, workspace_id, origin, email) values ('cus_team', $1, 'account', 'ada@example.com')",
    [team],
  );
  const leave = call("leave_workspace", eve, team);
  const remove = call("remove_personal_records", ada, "ada@example.com", []);
  expect(await atOnce(leave, remove)).toBe("A plan that goes with this account was not ended.");
  expect(await roles()).toEqual({ ada: "owner" });
  await join(eve, "owner");
  expect(await atOnce(remove, leave)).toEqual(answering("last owner"));
  await first.query("delete from auth.users where id = $1", [ada]);
  expect(await roles()).toEqual({ eve: "owner" });
  const { rows } = await first.query("select id from public.customers");
  expect(rows).toEqual([{ id: "cus_team" }]);
});

test("an account that is deleted while it accepts an invitation leaves no member behind", async () => {
  await first.query(...invite());
  const deleteAccount: [string, unknown[]] = ["delete from auth.users where id = $1", [ben]];
  expect(await atOnce(accept(), deleteAccount)).toEqual([]);
  expect(await roles()).toEqual({ ada: "owner", eve: "owner" });
  await first.query(
    "insert into auth.users (id, email, email_confirmed_at) values ($1, 'ben@example.com', now())",
    [ben],
  );
  await first.query(...invite(accountId(903)));
  expect(await atOnce(deleteAccount, accept(ben, accountId(903)))).toEqual(
    answering("other address"),
  );
  expect(await roles()).toEqual({ ada: "owner", eve: "owner" });
});

test("the accounts of inviter and guest are deleted while the guest accepts, and nobody waits for ever", async () => {
  await first.query(...invite());
  const deleteAccount: [string, unknown[]] = ["delete from auth.users where id = $1", [ada]];
  expect(await atOnce(accept(), deleteAccount)).toEqual([]);
  expect(await roles()).toEqual({ ben: "admin", eve: "owner" });
});
