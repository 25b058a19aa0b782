import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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

beforeEach(async () => {
  team = await newTeam(query);
  ({ ada, ben, cat } = team.people);
});

const call: Team["call"] = (...given) => team.call(...given);

test("the last owner can neither leave, nor be demoted or removed by anybody", async () => {
  await team.join(ben, "admin");
  expect(await call("leave_workspace", ada, team.id)).toBe("last owner");
  expect(await call("change_role", ada, team.id, ada, "viewer")).toBe("last owner");
  expect(await call("remove_member", ada, team.id, ada)).toBe("last owner");
  expect(await team.roles()).toEqual({ ada: "owner", ben: "admin" });
});

test("with a second owner the first may leave", async () => {
  await team.join(ben, "viewer");
  expect(await call("change_role", ada, team.id, ben, "owner")).toBe("changed");
  expect(await call("leave_workspace", ada, team.id)).toBe("left");
  expect(await team.roles()).toEqual({ ben: "owner" });
});

test("an admin makes admins of others and a viewer of themselves, and touches no owner", async () => {
  await team.join(ben, "admin");
  await team.join(cat, "viewer");
  expect(await call("change_role", ben, team.id, cat, "admin")).toBe("changed");
  expect(await call("change_role", ben, team.id, ada, "admin")).toBe("not allowed");
  expect(await call("change_role", ben, team.id, ben, "owner")).toBe("not allowed");
  expect(await call("remove_member", ben, team.id, ada)).toBe("not allowed");
  expect(await call("change_role", ben, team.id, ben, "viewer")).toBe("changed");
  expect(await call("remove_member", ben, team.id, cat)).toBe("not allowed");
  expect(await team.roles()).toEqual({ ada: "owner", ben: "viewer", cat: "admin" });
});

test("a role that is none, and a person who is no member, are said to be so", async () => {
  expect(await call("change_role", ada, team.id, ben, "admin")).toBe("not a member");
  expect(await call("change_role", ada, team.id, ada, "king")).toBe("unknown role");
  expect(await call("remove_member", ada, team.id, ben)).toBe("not a member");
  expect(await call("hand_over", ada, team.id, ben)).toBe("not a member");
  expect(await call("hand_over", ada, team.id, ada)).toBe("not a member");
});

test("handing over makes an owner of the one and an admin of the other", async () => {
  await team.join(ben, "billing");
  expect(await call("hand_over", ada, team.id, ben)).toBe("handed over");
  expect(await team.roles()).toEqual({ ada: "admin", ben: "owner" });
});

test("a user who hands their personal workspace over gets another when they need one", async () => {
  await query(
    "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'viewer')",
    [ada, ben],
  );
  expect(await call("hand_over", ada, ada, ben)).toBe("handed over");
  expect(await query("select personal_of from public.workspaces where id = $1", [ada])).toEqual([
    { personal_of: null },
  ]);
  expect(await call("personal_workspace", ada)).not.toBe(ada);
});

test("with a membership the tokens and unsaved changes of this workspace go, and others stay", async () => {
  await team.join(ben, "operator");
  for (const [index, workspace] of [team.id, ben].entries()) {
    await call("create_api_token", ben, "Agent", String(index).repeat(64), "abcd", 9, workspace);
    await call("keep_unsaved_changes", ben, ["domain"], { domain: {} }, null, workspace);
  }
  expect(await call("remove_member", ada, team.id, ben)).toBe("removed");
  for (const table of ["unsaved_changes", "api_tokens"]) {
    expect(await query(`select workspace_id from public.${table}`)).toEqual([
      { workspace_id: ben },
    ]);
  }
  const see = "select public.workspaces_where('see') as id";
  expect(await readAs(query, ben, see)).toEqual([{ id: ben }]);
});

test("members are listed with their addresses and roles", async () => {
  await team.join(ben, "billing");
  expect(
    await tryAsWorker(query, "select address, role from public.members_of($1, $2)", [ben, team.id]),
  ).toEqual([
    { address: "ada@example.com", role: "owner" },
    { address: "ben@example.com", role: "billing" },
  ]);
});

test("members are listed fifty at a time, the longest-standing first, each of them once", async () => {
  await query(
    `insert into auth.users (id, aud, role, email)
     select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'authenticated',
       'authenticated', 'member.' || n || '@example.com' from generate_series(101, 200) n`,
  );
  // Joined at the same moment, as by a script.
  await query(
    `insert into public.members (workspace_id, user_id, role)
     select $1, u.id, 'viewer' from auth.users u where u.email like 'member.%'`,
    [team.id],
  );
  const seen: string[] = [];
  let last: { joined_at: string | Date; user_id: string } | undefined;
  const sizes: number[] = [];
  for (;;) {
    const page = await tryAsWorker<{ address: string; joined_at: string; user_id: string }>(
      query,
      "select * from public.members_of($1, $2, $3, $4)",
      [ada, team.id, last?.joined_at ?? "-infinity", last?.user_id ?? null],
    );
    if (page.length === 0) break;
    sizes.push(page.length);
    seen.push(...page.map(({ address }) => address));
    last = page.at(-1);
  }
  expect(sizes).toEqual([50, 50, 1]);
  expect(seen[0]).toBe("ada@example.com");
  expect(new Set(seen).size).toBe(101);
});

test("a person makes workspaces, with a name, and owns at most ten of all", async () => {
  expect(await call("create_workspace", ben, accountId(901), "  ")).toBe("name");
  expect(await call("create_workspace", ben, accountId(901), "x".repeat(81))).toBe("name");
  expect(await call("create_workspace", accountId(99), accountId(901), "Team")).toBe("missing");
  for (let made = 1; made < 10; made++) {
    expect(await call("create_workspace", ben, accountId(900 + made), " Team ")).toBe("made");
  }
  expect(await call("create_workspace", ben, accountId(999), "Team")).toBe("too many owned");
  expect(
    await query(
      "select name, role from public.members m join public.workspaces w on w.id = m.workspace_id where m.user_id = $1 and w.id = $2",
      [ben, accountId(901)],
    ),
  ).toEqual([{ name: "Team", role: "owner" }]);
  await team.join(ben, "admin");
  expect(await call("change_role", ada, team.id, ben, "owner")).toBe("too many owned");
  expect(await call("hand_over", ada, team.id, ben)).toBe("too many owned");
  expect(await team.roles()).toEqual({ ada: "owner", ben: "admin" });
});

test("a person is a member of at most a hundred workspaces", async () => {
  await query(
    `with made as (insert into public.workspaces (name) select 'Other' from generate_series(1, 99) returning id),
     owned as (insert into public.members (workspace_id, user_id, role) select id, $1, 'owner' from made)
     insert into public.members (workspace_id, user_id, role) select id, $2, 'viewer' from made`,
    [ada, cat],
  );
  expect(await call("create_workspace", cat, accountId(901), "Team")).toBe("too many workspaces");
  expect(await call("invite", ada, team.id, accountId(902), "cat@example.com", "viewer", 100)).toBe(
    "invited",
  );
  expect(await call("accept_invitation", cat, accountId(902), 1, 100)).toBe("too many workspaces");
  expect(await team.roles()).toEqual({ ada: "owner" });
});

test("a workspace is renamed, and its address stays", async () => {
  const slug = () => query("select slug from public.workspaces where id = $1", [team.id]);
  const before = await slug();
  expect(await call("rename_workspace", ada, team.id, "  ")).toBe("name");
  expect(await call("rename_workspace", ada, team.id, " Acme ")).toBe("renamed");
  expect(await query("select name from public.workspaces where id = $1", [team.id])).toEqual([
    { name: "Acme" },
  ]);
  expect(await slug()).toEqual(before);
});

test("only somebody with a second factor asks for it of all, and so nobody shuts themselves out", async () => {
  expect(await call("require_second_factor_of_all", ada, team.id, true)).toBe("second factor");
  await team.giveSecondFactor(ada);
  expect(await call("require_second_factor_of_all", ada, team.id, true)).toBe("changed");
  await team.join(ben, "owner");
  expect(await call("rename_workspace", ben, team.id, "Mine")).toBe("not allowed");
  expect(await call("rename_workspace", ada, team.id, "Ours")).toBe("renamed");
  expect(await call("require_second_factor_of_all", ada, team.id, false)).toBe("changed");
  expect(await call("rename_workspace", ben, team.id, "Mine")).toBe("renamed");
});

test("a workspace is deleted once the plans of its customers are ended, with all that it has", async () => {
  await team.join(ben, "viewer");
  await call("create_deployment", ada, "Server", {}, 9, null, team.id);
  await query(
    `insert into public.customers (id, user_id, workspace_id, origin, email)
     values ('cus_team', null, $1, 'account', 'ada@example.com'),
       ('cus_second', null, $1, 'guest', 'ada@example.com'),
       ('cus_other', $2, $2, 'account', 'ben@example.com')`,
    [team.id, ben],
  );
  const remove = (ended: string[]) => call("delete_workspace", ada, team.id, ended);
  const deletions =
    "select id from public.customers where deletion_asked_at is not null order by id";
  expect(await remove(["cus_other"])).toEqual({
    answer: "end first",
    customers: ["cus_second", "cus_team"],
  });
  expect(await query(deletions)).toEqual([{ id: "cus_second" }, { id: "cus_team" }]);
  expect(await remove(["cus_team"])).toEqual({ answer: "end first", customers: ["cus_second"] });
  expect(await remove(["cus_second", "cus_team"])).toEqual({ answer: "deleted" });
  expect(await query("select id from public.closed_customers order by id")).toEqual([
    { id: "cus_second" },
    { id: "cus_team" },
  ]);
  expect(await query("select id from public.customers")).toEqual([{ id: "cus_other" }]);
  expect(await query("select id from public.deployments")).toEqual([]);
  expect(await remove([])).toEqual({ answer: "missing" });
});
