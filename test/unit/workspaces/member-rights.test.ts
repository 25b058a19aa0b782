import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId, tryAsWorker } from "../../support/database/as-person.ts";
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

const invitation = accountId(901);
const newId = accountId(902);
let team: Team;
/** Ben acts. Cat looks on, and dan@example.com is invited. */
let acts: string;

beforeEach(async () => {
  team = await newTeam(query);
  acts = team.people.ben;
  await team.join(team.people.cat, "viewer");
  await query(
    `insert into public.invitations (id, workspace_id, address, role, invited_by)
     values ($1, $2, 'dan@example.com', 'operator', $3)`,
    [invitation, team.id, team.people.ada],
  );
});

const roles = ["owner", "admin", "operator", "viewer", "billing"];
const managers = ["owner", "admin"];

interface Call {
  name: string;
  sql(): string;
  may: readonly string[];
  answer: string;
  /** What it answers to a member who may not, where that is not the usual. */
  refused?: string;
}

/** Every function that changes members, invitations or the workspace, as a member acts. */
const calls: readonly Call[] = [
  {
    name: "invite",
    sql: () => `invite('${acts}', '${team.id}', '${newId}', 'new@example.com', 'admin', 100)`,
    may: managers,
    answer: "invited",
  },
  {
    name: "resend_invitation",
    sql: () => `resend_invitation('${acts}', '${team.id}', '${invitation}')`,
    may: managers,
    answer: "sent",
  },
  {
    name: "withdraw_invitation",
    sql: () => `withdraw_invitation('${acts}', '${team.id}', '${invitation}')`,
    may: managers,
    answer: "withdrawn",
  },
  {
    name: "change_role of another member",
    sql: () => `change_role('${acts}', '${team.id}', '${team.people.cat}', 'admin')`,
    may: managers,
    answer: "changed",
  },
  {
    name: "change_role to owner",
    sql: () => `change_role('${acts}', '${team.id}', '${team.people.cat}', 'owner')`,
    may: ["owner"],
    answer: "changed",
  },
  {
    name: "change_role of an owner",
    sql: () => `change_role('${acts}', '${team.id}', '${team.people.ada}', 'viewer')`,
    may: ["owner"],
    answer: "changed",
  },
  {
    name: "remove_member of another member",
    sql: () => `remove_member('${acts}', '${team.id}', '${team.people.cat}')`,
    may: managers,
    answer: "removed",
  },
  {
    name: "remove_member of an owner",
    sql: () => `remove_member('${acts}', '${team.id}', '${team.people.ada}')`,
    may: ["owner"],
    answer: "removed",
  },
  {
    name: "hand_over",
    sql: () => `hand_over('${acts}', '${team.id}', '${team.people.cat}')`,
    may: ["owner"],
    answer: "handed over",
  },
  {
    name: "rename_workspace",
    sql: () => `rename_workspace('${acts}', '${team.id}', 'New name')`,
    may: managers,
    answer: "renamed",
  },
  {
    name: "require_second_factor_of_all",
    sql: () => `require_second_factor_of_all('${acts}', '${team.id}', false)`,
    may: managers,
    answer: "changed",
  },
  {
    name: "delete_workspace",
    sql: () => `delete_workspace('${acts}', '${team.id}') ->> 'answer'`,
    may: ["owner"],
    answer: "deleted",
  },
];

const answerOf = async (sql: string) =>
  (await tryAsWorker<{ answer: unknown }>(query, `select public.${sql} as answer`))[0]?.answer;

/** What is answered to somebody who may not, once it was seen that nothing changed. */
async function refusalOf(sql: string): Promise<unknown> {
  const state = () =>
    query(`select (select jsonb_agg(w order by w.id) from public.workspaces w) as workspaces,
      (select jsonb_agg(m order by m.workspace_id, m.user_id) from public.members m) as members,
      (select jsonb_agg(i order by i.id) from public.invitations i) as invitations,
      (select jsonb_agg(c) from public.invitation_counts c) as counts`);
  const before = await state();
  const [row] = await query<{ answer: unknown }>(`select public.${sql} as answer`);
  expect(await state()).toEqual(before);
  return row?.answer;
}

describe.each(calls)("$name", ({ sql, may, answer }) => {
  test.each(roles)(
    "answers a member with the role %s as the table of rights says",
    async (role) => {
      await team.join(acts, role);
      if (may.includes(role)) expect(await answerOf(sql())).toBe(answer);
      else expect(await refusalOf(sql())).toBe("not allowed");
    },
  );

  test("answers a former owner, a stranger, and an owner elsewhere as if there were no such workspace", async () => {
    expect(await refusalOf(sql())).toBe("missing");
    await team.join(acts, "owner");
    await team.leave(acts);
    expect(await refusalOf(sql())).toBe("missing");
    acts = accountId(99);
    expect(await refusalOf(sql())).toBe("missing");
  });

  test("wants the second factor of an owner where the workspace does", async () => {
    await team.join(acts, "owner");
    await team.needSecondFactor();
    expect(await refusalOf(sql())).toBe("not allowed");
    await team.giveSecondFactor(acts);
    await team.giveSecondFactor(team.people.ada);
    expect(await answerOf(sql())).toBe(answer);
  });
});

test.each(roles)(
  "a member with the role %s may leave, also without a second factor",
  async (role) => {
    await team.join(acts, role);
    await team.needSecondFactor();
    expect(await answerOf(`leave_workspace('${acts}', '${team.id}')`)).toBe("left");
  },
);

test("who is no member can leave nothing", async () => {
  expect(await refusalOf(`leave_workspace('${acts}', '${team.id}')`)).toBe("missing");
  expect(await refusalOf(`leave_workspace('${acts}', '${accountId(99)}')`)).toBe("missing");
});

const list = () => `select address, role from public.members_of('${acts}', '${team.id}')`;

test.each(roles)(
  "a member with the role %s reads who else is one, with addresses",
  async (role) => {
    await team.join(acts, role);
    expect(await tryAsWorker(query, list())).toEqual([
      { address: "ada@example.com", role: "owner" },
      { address: "cat@example.com", role: "viewer" },
      { address: "ben@example.com", role },
    ]);
  },
);

test("members and addresses are nobody else's to read, a former member's neither", async () => {
  expect(await tryAsWorker(query, list())).toEqual([]);
  await team.join(acts, "owner");
  await team.leave(acts);
  expect(await tryAsWorker(query, list())).toEqual([]);
  await team.join(acts, "owner");
  await team.needSecondFactor();
  expect(await tryAsWorker(query, list())).toEqual([]);
});
