import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId, readAs, tryAsWorker } from "../../support/database/as-person.ts";
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
let ada: string;
let ben: string;
let cat: string;
let deployment: string;
let deleted: string;
let token: string;
const invitation = accountId(901);

async function call(name: string, ...parameters: unknown[]): Promise<unknown> {
  const places = parameters.map((_, index) => `$${index + 1}`);
  const [row] = await query<{ answer: unknown }>(
    `select public.${name}(${places}) as answer`,
    parameters,
  );
  return row?.answer;
}

interface Line {
  actor_address: string;
  action: string;
  target: string;
  target_id: string | null;
  network: string;
  before: unknown;
  after: unknown;
}

/** The lines of the team that came since `beforeEach`. */
const lines = () =>
  query<Line>("select * from public.audit_log where workspace_id = $1 and id > $2 order by id", [
    team.id,
    last,
  ]);
let last: number;
const forget = async () => {
  const [row] = await query<{ id: number }>(
    "select coalesce(max(id), 0)::int as id from public.audit_log",
  );
  last = row?.id ?? 0;
};

beforeEach(async () => {
  team = await newTeam(query);
  ({ ada, ben, cat } = team.people);
  await team.join(cat, "viewer");
  const options = JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } });
  const create = () => call("create_deployment", ada, "Server", options, 9, null, team.id);
  deployment = String(await create());
  deleted = String(await create());
  await call("delete_deployment", ada, deleted);
  await call("create_api_token", ada, "Agent", "a".repeat(64), "abcd", 9, team.id);
  const [made] = await query<{ id: string }>("select id from public.api_tokens");
  token = made?.id ?? "none";
  await call("save_model_configuration", ada, "ada@example.com", 0, "m", "", "nova", "w", team.id);
  await call("set_usage_allowance", ada, "dora", [], 5, team.id);
  await call("invite", ada, team.id, invitation, "ben@example.com", "operator", 100);
  await query(
    `insert into public.customers (id, workspace_id, origin, email) values ('cus_team', $1, 'account', 'ada@example.com')`,
    [team.id],
  );
  await forget();
});

const configuration = (actor: string, model = "new") =>
  call(
    "save_model_configuration",
    actor,
    "x@example.com",
    1,
    model,
    "Say hello.",
    "nova",
    "w",
    team.id,
  );

/** What somebody does, and the line about it. `actor` is Ada unless the line says otherwise. */
const acts: readonly {
  act: string;
  run(actor: string): Promise<unknown>;
  line: Partial<Line>;
}[] = [
  {
    act: "make a deployment",
    run: (actor) => call("create_deployment", actor, "Second", "{}", 9, null, team.id),
    line: { action: "deployment.created", target: "Second" },
  },
  {
    act: "save a deployment",
    run: (actor) =>
      call(
        "save_deployment",
        actor,
        deployment,
        "Server",
        JSON.stringify({ domain: "new.example.com", turn: { port: 443 } }),
        1,
      ),
    line: {
      action: "deployment.saved",
      target: "Server",
      before: { domain: "old.example.com", "turn.port": 3478 },
      after: { domain: "new.example.com", "turn.port": 443 },
    },
  },
  {
    act: "rename a deployment",
    run: (actor) =>
      call(
        "save_deployment",
        actor,
        deployment,
        "Renamed",
        JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } }),
        1,
      ),
    line: {
      action: "deployment.saved",
      target: "Renamed",
      before: { name: "Server" },
      after: { name: "Renamed" },
    },
  },
  {
    act: "note a version",
    run: (actor) => call("note_deployment_version", actor, deployment, 1, "A private note"),
    line: { action: "deployment.noted", target: "Server", after: { version: 1 } },
  },
  {
    act: "say which version runs",
    run: (actor) => call("apply_deployment_version", actor, deployment, 1),
    line: { action: "deployment.applied", before: { version: null }, after: { version: 1 } },
  },
  {
    act: "delete a deployment",
    run: (actor) => call("delete_deployment", actor, deployment),
    line: { action: "deployment.deleted", target: "Server" },
  },
  {
    act: "restore a deployment",
    run: (actor) => call("restore_deployment", actor, deleted, 9),
    line: { action: "deployment.restored", target: "Server" },
  },
  {
    act: "tick a step",
    run: (actor) => call("set_deployment_tick", actor, deployment, "dns", true, 1, "hand"),
    line: { action: "deployment.ticked", after: { step: "dns", done: true } },
  },
  {
    act: "set a server's address",
    run: (actor) => call("set_server_address", actor, deployment, "192.0.2.1", "", 1),
    line: {
      action: "deployment.addressed",
      before: { ipv4: null, ipv6: null },
      after: { ipv4: "192.0.2.1", ipv6: null },
    },
  },
  {
    act: "save a configuration",
    run: (actor) => configuration(actor),
    line: {
      action: "configuration.saved",
      target: "v2",
      before: { model: "m", instructions: "" },
      after: { model: "new", instructions: "Say hello." },
    },
  },
  {
    act: "restore a configuration",
    run: (actor) => call("restore_model_configuration", actor, "x@example.com", 1, team.id),
    line: { action: "configuration.restored", target: "v2", after: { restored: 1 } },
  },
  {
    act: "make a token",
    run: (actor) => call("create_api_token", actor, "Second", "b".repeat(64), "wxyz", 9, team.id),
    line: {
      action: "token.created",
      target: "Second",
      after: { scopes: ["configuration", "usage"], ends: null },
    },
  },
  {
    act: "revoke a token",
    run: (actor) => call("revoke_api_token", actor, token),
    line: { action: "token.revoked", target: "Agent", before: { of: "ada@example.com" } },
  },
  {
    act: "set an allowance",
    run: (actor) => call("set_usage_allowance", actor, "carol", [], 900, team.id),
    line: { action: "allowance.set", target: "carol", before: null, after: { tokens: 900 } },
  },
  {
    act: "change an allowance",
    run: (actor) => call("set_usage_allowance", actor, "dora", [], 900, team.id),
    line: { action: "allowance.set", before: { tokens: 5 }, after: { tokens: 900 } },
  },
  {
    act: "take an allowance away",
    run: (actor) => call("set_usage_allowance", actor, "dora", [], null, team.id),
    line: { action: "allowance.taken", target: "dora", before: { tokens: 5 }, after: null },
  },
  {
    act: "invite somebody",
    run: (actor) => call("invite", actor, team.id, accountId(902), "new@example.com", "admin", 100),
    line: { action: "member.invited", target: "new@example.com", after: { role: "admin" } },
  },
  {
    act: "send an invitation again",
    run: (actor) => call("resend_invitation", actor, team.id, invitation),
    line: { action: "invitation.resent", target: "ben@example.com" },
  },
  {
    act: "withdraw an invitation",
    run: (actor) => call("withdraw_invitation", actor, team.id, invitation),
    line: { action: "invitation.withdrawn", target: "ben@example.com" },
  },
  {
    act: "change a role",
    run: (actor) => call("change_role", actor, team.id, cat, "admin"),
    line: {
      action: "member.role-changed",
      target: "cat@example.com",
      before: { role: "viewer" },
      after: { role: "admin" },
    },
  },
  {
    act: "remove a member",
    run: (actor) => call("remove_member", actor, team.id, cat),
    line: { action: "member.removed", target: "cat@example.com", before: { role: "viewer" } },
  },
  {
    act: "hand the workspace over",
    run: (actor) => call("hand_over", actor, team.id, cat),
    line: {
      action: "workspace.handed-over",
      target: "cat@example.com",
      before: { role: "viewer" },
      after: { role: "owner" },
    },
  },
  {
    act: "rename the workspace",
    run: (actor) => call("rename_workspace", actor, team.id, "Acme"),
    line: { action: "workspace.renamed", before: { name: "Team" }, after: { name: "Acme" } },
  },
];

describe.each(acts)("to $act", ({ run, line }) => {
  test("leaves one line: who, what, on what, before and after", async () => {
    await run(ada);
    const [first, ...more] = await lines();
    expect(first).toMatchObject({ actor: ada, actor_address: "ada@example.com", ...line });
    expect(more).toEqual([]);
  });

  test("leaves none where it was refused", async () => {
    for (const person of [cat, ben, accountId(99)]) await run(person).catch(() => undefined);
    expect(await lines()).toEqual([]);
  });
});

test("to join leaves a line by whoever joins; a second press and a wrong account leave none", async () => {
  await call("accept_invitation", cat, invitation, 1, 100);
  await call("accept_invitation", ben, invitation, 1, 100);
  await call("accept_invitation", ben, invitation, 1, 100);
  expect(await lines()).toMatchObject([
    {
      action: "member.joined",
      actor_address: "ben@example.com",
      target: "ben@example.com",
      after: { role: "operator" },
    },
  ]);
  expect(await lines()).toHaveLength(1);
});

test("to leave leaves a line", async () => {
  await call("leave_workspace", cat, team.id);
  await call("leave_workspace", cat, team.id);
  expect(await lines()).toMatchObject([
    { action: "member.left", actor_address: "cat@example.com", before: { role: "viewer" } },
  ]);
});

test("a second factor that is asked of all leaves a line, once", async () => {
  await team.giveSecondFactor(ada);
  await call("require_second_factor_of_all", ada, team.id, true);
  await call("require_second_factor_of_all", ada, team.id, true);
  expect(await lines()).toMatchObject([
    { action: "workspace.second-factor", before: { required: false }, after: { required: true } },
  ]);
});

test("a new workspace begins its log with whoever made it", async () => {
  await call("create_workspace", ben, accountId(700), "New");
  expect(
    await query("select action, target, actor from public.audit_log where workspace_id = $1", [
      accountId(700),
    ]),
  ).toEqual([{ action: "workspace.created", target: "New", actor: ben }]);
});

test("what changes nothing leaves no line, and neither does a look of the site's", async () => {
  const options = JSON.stringify({ domain: "old.example.com", turn: { port: 3478 } });
  await call("save_deployment", ada, deployment, "Server", options, 1);
  await call("change_role", ada, team.id, cat, "viewer");
  await call("set_deployment_tick", ada, deployment, "dns", true, 1, "site");
  await call("set_usage_allowance", ada, "nobody", [], null, team.id);
  expect(await lines()).toEqual([]);
});

test("what Stripe reports about a plan leaves a line without a person, an amount or a card", async () => {
  await query(
    `insert into public.subscriptions (id, customer_id, status, price_id, plan, unit_amount,
       currency, billing_interval, card_last4, created_at)
     values ('sub_1', 'cus_team', 'active', 'price_1', 'pro', 10999, 'usd', 'month', '4242', now())`,
  );
  await query("update public.subscriptions set card_last4 = '1881', unit_amount = 12345");
  await query("update public.subscriptions set status = 'canceled'");
  const found = await lines();
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
  expect(await call("claim_guest_purchases", ben, "ben@example.com")).toBe(1);
  expect(
    await query("select action, target, actor from public.audit_log where workspace_id = $1", [
      ben,
    ]),
  ).toEqual([{ action: "purchase.claimed", target: "cus_guest", actor: ben }]);
});

test("a sign-in is noted where others are members, and nowhere else", async () => {
  await call("note_sign_in", ada);
  expect(
    await query(
      "select workspace_id, actor_address from public.audit_log where action = 'session.began'",
    ),
  ).toEqual([{ workspace_id: team.id, actor_address: "ada@example.com" }]);
});

test("a member's deleted account leaves a line, and whoever owns the workspace then another", async () => {
  await call("accept_invitation", ben, invitation, 1, 100);
  await forget();
  await query("delete from auth.users where id = $1", [cat]);
  expect(await lines()).toMatchObject([
    { action: "member.account-deleted", actor: null, target_id: cat },
  ]);
  await query("delete from auth.users where id = $1", [ada]);
  expect((await lines()).slice(1)).toMatchObject([
    { action: "member.account-deleted", target_id: ada },
    { action: "member.promoted", target: "ben@example.com", target_id: ben },
  ]);
});

test("lines outlive the account that they are about, and go with the workspace", async () => {
  await call("hand_over", ada, team.id, cat);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await lines()).toMatchObject([{ actor: ada, actor_address: "ada@example.com" }, {}]);
  expect(await call("delete_workspace", cat, team.id, ["cus_team"])).toEqual({ answer: "deleted" });
  expect(await query("select id from public.audit_log where workspace_id = $1", [team.id])).toEqual(
    [],
  );
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1234:5678::9", "2001:db8:1234::/48"],
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["2001:db8:1234::/48", "2001:db8:1234::/48"],
  ["no address", ""],
  ["", ""],
])("of the network %s a line keeps %s, and never a whole address", async (sent, kept) => {
  await query("select set_config('request.headers', $1, false)", [
    JSON.stringify({ "x-caller-address": sent }),
  ]);
  try {
    await call("rename_workspace", ada, team.id, "Acme");
  } finally {
    await query("select set_config('request.headers', '', false)");
  }
  expect(await lines()).toMatchObject([{ network: kept }]);
});

test("what the version before sends without a network is noted without one", async () => {
  await call("rename_workspace", ada, team.id, "Acme");
  expect(await lines()).toMatchObject([{ network: "" }]);
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
  await call("save_deployment", ada, deployment, "Server", options("first"), 1);
  await forget();
  await call("save_deployment", ada, deployment, "Server", options("second"), 2);
  const hidden = { "s3.secretKey": "…", "s3.accessToken": "…", adminPassword: "…", text: "…" };
  const [line] = await lines();
  expect(line?.before).toEqual({ domain: "first.example.com", ...hidden });
  expect(line?.after).toEqual({ domain: "second.example.com", ...hidden });
});

test("a token's hash, ending and value are in no line", async () => {
  await call("create_api_token", ada, "Second", "b".repeat(64), "wxyz", 9, team.id);
  expect(JSON.stringify(await lines())).not.toMatch(/bbbb|wxyz/);
});

test("a change of many fields names fifteen and counts the others; a line is never too long", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`field${String(n).padStart(3, "0")}`, "é".repeat(50)]),
  );
  expect(await call("save_deployment", ada, deployment, "Server", JSON.stringify(many), 1)).toBe(
    "saved",
  );
  const [line] = await lines();
  expect(Object.keys(Object(line?.after))).toHaveLength(15);
  expect(line?.after).toMatchObject({ "…": 187 });
  await call(
    "note_audit",
    team.id,
    ada,
    "deployment.saved",
    "x".repeat(300),
    null,
    JSON.stringify({ a: "b".repeat(5000) }),
  );
  expect((await lines())[1]).toMatchObject({ target: "x".repeat(200), after: "…" });
});

test.each(["owner", "admin", "operator", "viewer", "billing"])(
  "by the database a member with the role %s reads the log as the table of rights says",
  async (role) => {
    await team.join(ben, role);
    const read = "select action from public.audit_log";
    const seen = await readAs<{ action: string }>(query, ben, read);
    if (role === "owner" || role === "admin") {
      expect(seen.map(({ action }) => action)).toContain("deployment.deleted");
    } else expect(seen).toEqual([]);
    await team.leave(ben);
    expect(await readAs(query, ben, read)).toEqual([]);
  },
);

test("a stranger, an owner elsewhere, and an owner who lacks the second factor read none", async () => {
  const read = "select action from public.audit_log";
  expect(await readAs(query, ben, read)).toEqual([]);
  await team.needSecondFactor();
  expect(await readAs(query, ada, read)).toEqual([]);
  await team.giveSecondFactor(ada);
  expect(await readAs(query, ada, read, { aal: "aal2" })).not.toEqual([]);
});

test("nobody changes, removes or makes up a line: no person, not the Worker, not the database's owner", async () => {
  const writes = [
    "update public.audit_log set action = 'nothing.happened'",
    "delete from public.audit_log",
    `insert into public.audit_log (workspace_id, action) values ('${team.id}', 'made.up')`,
    "truncate public.audit_log",
  ];
  for (const sql of writes) {
    await expect(tryAsWorker(query, sql), sql).rejects.toThrow(/permission denied/);
    await expect(readAs(query, ada, sql), sql).rejects.toThrow(/permission denied/);
  }
  await expect(
    readAs(query, ada, `select public.note_audit('${team.id}', '${ada}', 'made.up')`),
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
  expect(await call("remove_expired_audit", 100)).toBe(2);
  expect(await left()).toEqual([{ action: "deployment.deleted" }]);
});
