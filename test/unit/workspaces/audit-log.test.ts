import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountId, readAs, tryAsWorker } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { type AuditedTeam, auditedTeam } from "../../support/workspaces/audited-team.ts";

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;
let on: AuditedTeam;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());

beforeEach(async () => {
  on = await auditedTeam(query);
});

test("to join leaves a line by the new member; a second press and a wrong account leave none", async () => {
  await on.call("accept_invitation", on.cat, on.invitation, 1, 100);
  await on.call("accept_invitation", on.ben, on.invitation, 1, 100);
  await on.call("accept_invitation", on.ben, on.invitation, 1, 100);
  expect(await on.lines()).toMatchObject([
    {
      action: "member.joined",
      actor_address: "ben@example.com",
      target: "ben@example.com",
      after: { role: "operator" },
    },
  ]);
  expect(await on.lines()).toHaveLength(1);
});

test("to leave leaves a line", async () => {
  await on.call("leave_workspace", on.cat, on.team.id);
  await on.call("leave_workspace", on.cat, on.team.id);
  expect(await on.lines()).toMatchObject([
    { action: "member.left", actor_address: "cat@example.com", before: { role: "viewer" } },
  ]);
});

test("a second factor that is asked of all leaves a line, once", async () => {
  await on.team.giveSecondFactor(on.ada);
  await on.call("require_second_factor_of_all", on.ada, on.team.id, true);
  await on.call("require_second_factor_of_all", on.ada, on.team.id, true);
  expect(await on.lines()).toMatchObject([
    { action: "workspace.second-factor", before: { required: false }, after: { required: true } },
  ]);
});

test("a new workspace begins its log with the user who made it", async () => {
  await on.call("create_workspace", on.ben, accountId(700), "New");
  expect(
    await query("select action, target, actor from public.audit_log where workspace_id = $1", [
      accountId(700),
    ]),
  ).toEqual([{ action: "workspace.created", target: "New", actor: on.ben }]);
});

test("what changes nothing leaves no line, and neither does a look of the site's", async () => {
  const options = JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } });
  await on.call("save_deployment", on.ada, on.deployment, "Server", options, 1);
  await on.call("change_role", on.ada, on.team.id, on.cat, "viewer");
  await on.call("set_deployment_tick", on.ada, on.deployment, "dns", true, 1, "site");
  await on.call("set_usage_allowance", on.ada, "nobody", [], null, on.team.id);
  expect(await on.lines()).toEqual([]);
});

test("what Stripe reports about a plan leaves a line without a person, an amount or a card", async () => {
  await query(
    `insert into public.subscriptions (id, customer_id, status, price_id, plan, unit_amount,
       currency, billing_interval, card_last4, created_at)
     values ('sub_1', 'cus_team', 'active', 'price_1', 'pro', 10999, 'usd', 'month', '4242', now())`,
  );
  await query("update public.subscriptions set card_last4 = '1881', unit_amount = 12345");
  await query("update public.subscriptions set status = 'canceled'");
  const found = await on.lines();
  expect(found).toMatchObject([
    { action: "plan.changed", actor: null, before: null, after: { status: "active", plan: "pro" } },
    { action: "plan.changed", before: { status: "active" }, after: { status: "canceled" } },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/4242|1881|10999|12345/);
});

test("a guest's purchase that is claimed leaves a line, and one that nobody claimed none", async () => {
  const before = await query("select id from public.audit_log");
  await query(
    `insert into public.customers (id, origin, email) values ('cus_guest', 'guest', 'ben@example.com')`,
  );
  await query(
    `insert into public.subscriptions (id, customer_id, status, price_id, unit_amount, currency,
       billing_interval, created_at)
     values ('sub_2', 'cus_guest', 'active', 'price_1', 10999, 'usd', 'month', now())`,
  );
  expect(await query("select id from public.audit_log")).toEqual(before);
  expect(await on.call("claim_guest_purchases", on.ben, "ben@example.com")).toBe(1);
  expect(
    await query("select action, target, actor from public.audit_log where workspace_id = $1", [
      on.ben,
    ]),
  ).toEqual([{ action: "purchase.claimed", target: "cus_guest", actor: on.ben }]);
});

test("a sign-in is noted where others are members, and nowhere else", async () => {
  await on.call("note_sign_in", on.ada);
  expect(
    await query(
      "select workspace_id, actor_address from public.audit_log where action = 'session.began'",
    ),
  ).toEqual([{ workspace_id: on.team.id, actor_address: "ada@example.com" }]);
});

test("an arrival makes the personal workspace, and logs the sign-in of a user who owes no second factor", async () => {
  const began = () =>
    query("select workspace_id from public.audit_log where action = 'session.began'");
  await query("delete from public.workspaces where personal_of = $1", [on.ada]);
  await on.call("arrive", on.ada);
  expect(
    await query("select id from public.workspaces where personal_of = $1", [on.ada]),
  ).toHaveLength(1);
  expect(await began()).toEqual([{ workspace_id: on.team.id }]);
  await on.team.giveSecondFactor(on.ada);
  await on.call("arrive", on.ada);
  expect(await began()).toHaveLength(1);
});

test("a deleted account leaves a line in the log, a member's and then the owner's", async () => {
  await on.call("accept_invitation", on.ben, on.invitation, 1, 100);
  await on.forget();
  await query("delete from auth.users where id = $1", [on.cat]);
  expect(await on.lines()).toMatchObject([
    { action: "member.account-deleted", actor: null, target_id: on.cat },
  ]);
  await query("delete from auth.users where id = $1", [on.ada]);
  expect((await on.lines()).slice(1)).toMatchObject([
    { action: "member.account-deleted", target_id: on.ada },
    { action: "member.promoted", target: "ben@example.com", target_id: on.ben },
  ]);
});

test("lines outlive the account that they are about, and go with the workspace", async () => {
  await on.call("hand_over", on.ada, on.team.id, on.cat);
  await query("delete from auth.users where id = $1", [on.ada]);
  expect(await on.lines()).toMatchObject([{ actor: on.ada, actor_address: "ada@example.com" }, {}]);
  expect(await on.call("delete_workspace", on.cat, on.team.id, ["cus_team"])).toEqual({
    answer: "deleted",
  });
  expect(
    await query("select id from public.audit_log where workspace_id = $1", [on.team.id]),
  ).toEqual([]);
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1234:5678::9", "2001:db8:1234::/48"],
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["2001:db8:1234::/48", "2001:db8:1234::/48"],
  ["no address", ""],
  ["", ""],
])("of the network %s a line keeps %s, and never a whole address", async (sent, network) => {
  await query("select set_config('request.headers', $1, false)", [
    JSON.stringify({ "x-caller-address": sent }),
  ]);
  try {
    await on.call("rename_workspace", on.ada, on.team.id, "Acme");
  } finally {
    await query("select set_config('request.headers', '', false)");
  }
  expect(await on.lines()).toMatchObject([{ network: network }]);
});

test("what the version before sends without a network is noted without one", async () => {
  await on.call("rename_workspace", on.ada, on.team.id, "Acme");
  expect(await on.lines()).toMatchObject([{ network: "" }]);
});

test("of what may be secret, and of long texts, a line says only that it changed", async () => {
  const options = (mark: string) =>
    JSON.stringify({
      domain: `${mark}.example.com`,
      s3: { secretKey: `${mark} secret`, accessToken: `${mark} token` },
      adminPassword: `${mark} password`,
      text: `${mark} ${"long ".repeat(20)}`,
      same: 1,
    });
  await on.call("save_deployment", on.ada, on.deployment, "Server", options("first"), 1);
  await on.forget();
  await on.call("save_deployment", on.ada, on.deployment, "Server", options("second"), 2);
  const hidden = { "s3.secretKey": "…", "s3.accessToken": "…", adminPassword: "…", text: "…" };
  const [line] = await on.lines();
  expect(line?.before).toEqual({ domain: "first.example.com", ...hidden });
  expect(line?.after).toEqual({ domain: "second.example.com", ...hidden });
});

test("a token's hash, ending and value are in no line", async () => {
  await on.call("create_api_token", on.ada, "Second", "b".repeat(64), "wxyz", 9, on.team.id);
  expect(JSON.stringify(await on.lines())).not.toMatch(/bbbb|wxyz/);
});

test("a change of many fields names fifteen and counts the others; a line is never too long", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`field${String(n).padStart(3, "0")}`, "é".repeat(50)]),
  );
  expect(
    await on.call("save_deployment", on.ada, on.deployment, "Server", JSON.stringify(many), 1),
  ).toBe("saved");
  const [line] = await on.lines();
  expect(Object.keys(Object(line?.after))).toHaveLength(15);
  expect(line?.after).toMatchObject({ "…": 187 });
  await on.call(
    "note_audit",
    on.team.id,
    on.ada,
    "deployment.saved",
    "x".repeat(300),
    null,
    JSON.stringify({ a: "b".repeat(5000) }),
  );
  expect((await on.lines())[1]).toMatchObject({ target: "x".repeat(200), after: "…" });
});

test("what somebody did by a link is noted once, at the time at which they did it", async () => {
  const answer = {
    ...{ id: crypto.randomUUID(), at: "2026-11-25T03:12:00Z", action: "incident.snoozed" },
    ...{ target: "sfu-1", who: "somebody by Slack, #ops", until: "2026-11-25T09:00:00.000Z" },
  };
  const lines = JSON.stringify([answer]);
  for (let times = 0; times < 2; times += 1) await on.call("note_answers", on.team.id, lines);
  const [line, ...more] = await on.lines();
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    ...{ action: "incident.snoozed", target: "sfu-1", actor_address: "somebody by Slack, #ops" },
    after: { until: answer.until },
  });
  const [{ at } = { at: "" }] = await query<{ at: string }>(
    "select at from public.audit_log where action = 'incident.snoozed'",
  );
  expect(new Date(at)).toEqual(new Date(answer.at));
});

test("nobody changes, removes or makes up a line: no person, not the Worker, not the database's owner", async () => {
  const writes = [
    "update public.audit_log set action = 'nothing.happened'",
    "delete from public.audit_log",
    `insert into public.audit_log (workspace_id, action) values ('${on.team.id}', 'made.up')`,
    "truncate public.audit_log",
  ];
  for (const sql of writes) {
    await expect(tryAsWorker(query, sql), sql).rejects.toThrow(/permission denied/);
    await expect(readAs(query, on.ada, sql), sql).rejects.toThrow(/permission denied/);
  }
  await expect(
    readAs(query, on.ada, `select public.note_audit('${on.team.id}', '${on.ada}', 'made.up')`),
  ).rejects.toThrow(/permission denied/);
  for (const sql of writes.slice(0, 2)) {
    await expect(query(sql), sql).rejects.toThrow(
      "A line of the audit log stays as it is for a year.",
    );
  }
});

test("a line goes after a year, some at each call", async () => {
  await query("alter table public.audit_log disable trigger keep_audit_log");
  await query(
    "update public.audit_log set at = now() - interval '366 days' where action = 'deployment.created'",
  );
  await query(
    "update public.audit_log set at = now() - interval '364 days' where action = 'deployment.deleted'",
  );
  await query("alter table public.audit_log enable trigger keep_audit_log");
  const left = () => query("select action from public.audit_log where action like 'deployment.%'");
  expect(await tryAsWorker(query, "select public.remove_expired_audit(1) as removed")).toEqual([
    { removed: 1 },
  ]);
  expect(await on.call("remove_expired_audit", 100)).toBe(2);
  expect(await left()).toEqual([{ action: "deployment.deleted" }]);
});
