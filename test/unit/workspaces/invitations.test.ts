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
let eve: string;

beforeEach(async () => {
  team = await newTeam(query);
  ({ ada, ben, cat, eve } = team.people);
});

async function call(name: string, ...parameters: unknown[]): Promise<unknown> {
  const places = parameters.map((_, index) => `$${index + 1}`);
  const [row] = await query<{ answer: unknown }>(
    `select public.${name}(${places}) as answer`,
    parameters,
  );
  return row?.answer;
}

const id = (n: number) => accountId(900 + n);
const invite = (n: number, address: string, role = "operator", allowed = 100, actor = ada) =>
  call("invite", actor, team.id, id(n), address, role, allowed);
const accept = (person: string, n: number, send = 1, allowed = 100) =>
  call("accept_invitation", person, id(n), send, allowed);
const page = (n: number, send = 1, person: string | null = null) =>
  query<Record<string, unknown>>("select * from public.invitation_of($1, $2, $3)", [
    id(n),
    send,
    person,
  ]);

test("whoever accepts is a member in the role of the invitation, and a second press is told the same", async () => {
  expect(await invite(1, "ben@example.com")).toBe("invited");
  expect(await accept(ben, 1)).toBe("accepted");
  expect(await accept(ben, 1)).toBe("accepted");
  expect(await page(1, 1, ben)).toMatchObject([{ state: "accepted" }]);
  expect(await team.roles()).toEqual({ ada: "owner", ben: "operator" });
});

test("the page of a link names the workspace, who invites and as what; the address only to whoever has it", async () => {
  await invite(1, "ben@example.com");
  const shown = { workspace_name: "Team", role: "operator", inviter: "ada@example.com" };
  expect(await page(1)).toMatchObject([{ ...shown, state: "open", address: "b…@example.com" }]);
  expect(await page(1, 1, ben)).toMatchObject([
    { ...shown, state: "open", address: "ben@example.com" },
  ]);
  expect(await page(1, 1, cat)).toMatchObject([
    { state: "other address", address: "b…@example.com" },
  ]);
  await query("update auth.users set email_confirmed_at = null where id = $1", [ben]);
  expect(await page(1, 1, ben)).toMatchObject([{ state: "unconfirmed" }]);
});

test("it is for one address alone, and for whoever has confirmed it", async () => {
  await invite(1, "ben@example.com");
  expect(await accept(cat, 1)).toBe("other address");
  await query("update auth.users set email_confirmed_at = null where id = $1", [ben]);
  expect(await accept(ben, 1)).toBe("unconfirmed");
  await query(
    "update auth.users set email_confirmed_at = now(), email = 'Ben@Example.com' where id = $1",
    [ben],
  );
  expect(await accept(ben, 1)).toBe("accepted");
});

test("an account that is made later accepts what was sent to its address before", async () => {
  await invite(1, "new@example.com", "viewer");
  await query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at)
     values ($1, 'authenticated', 'authenticated', 'new@example.com', now())`,
    [accountId(77)],
  );
  expect(await accept(accountId(77), 1)).toBe("accepted");
  expect(await team.roles()).toEqual({ ada: "owner", new: "viewer" });
});

describe("a link that leads nowhere says the same, whatever the reason", () => {
  const ended: Record<string, () => Promise<unknown>> = {
    "there is no such invitation": () => call("withdraw_invitation", ada, team.id, id(2)),
    "it was withdrawn": () => call("withdraw_invitation", ada, team.id, id(1)),
    "it has ended": () => query("update public.invitations set expires_at = now()"),
    "a newer mail was sent": () => call("resend_invitation", ada, team.id, id(1)),
    "its inviter may no longer invite": async () => {
      await team.join(cat, "owner");
      await call("change_role", cat, team.id, ada, "operator");
    },
    "its inviter is no member any more": async () => {
      await team.join(cat, "owner");
      await call("leave_workspace", ada, team.id);
    },
    "its inviter's account is gone": async () => {
      await team.join(cat, "owner");
      await query("delete from auth.users where id = $1", [ada]);
    },
    "its inviter lacks the second factor that is asked for": () => team.needSecondFactor(),
    "somebody else has taken it": async () => {
      await accept(ben, 1);
      await query("update auth.users set email = 'former@example.com' where id = $1", [ben]);
      await query("update auth.users set email = 'ben@example.com' where id = $1", [eve]);
      ben = eve;
    },
    "whoever took it was removed since": async () => {
      await accept(ben, 1);
      await call("remove_member", ada, team.id, ben);
    },
    "the workspace is gone": () => query("delete from public.workspaces where id = $1", [team.id]),
  };
  test.each(Object.entries(ended))("%s", async (why, end) => {
    await invite(1, "ben@example.com");
    await end();
    const n = why === "there is no such invitation" ? 2 : 1;
    for (const person of [null, ben, cat]) expect(await page(n, 1, person)).toEqual([]);
    const before = await team.roles();
    expect(await accept(ben, n)).toBe("gone");
    expect(await accept(cat, n)).toBe("gone");
    expect(await team.roles()).toEqual(before);
  });
});

test("sent once more, the new link works for seven days from then", async () => {
  await invite(1, "ben@example.com");
  await query("update public.invitations set expires_at = now() - interval '1 day'");
  expect(await call("resend_invitation", ada, team.id, id(1))).toBe("sent");
  expect(
    await query(
      "select sends, round(extract(epoch from expires_at - now()) / 3600)::int as hours from public.invitations",
    ),
  ).toEqual([{ sends: 2, hours: 168 }]);
  expect(await accept(ben, 1, 2)).toBe("accepted");
});

test("whoever sends it once more vouches for it from then on", async () => {
  await team.join(cat, "admin");
  await invite(1, "ben@example.com", "admin", 100, cat);
  await call("resend_invitation", ada, team.id, id(1));
  await call("remove_member", ada, team.id, cat);
  expect(await accept(ben, 1, 2)).toBe("accepted");
});

test("an invitation is mailed at most five times", async () => {
  await invite(1, "ben@example.com");
  for (let send = 2; send <= 5; send++) {
    expect(await call("resend_invitation", ada, team.id, id(1))).toBe("sent");
    // As on another day: to one address no more are sent in one.
    await query("truncate public.invitation_counts");
  }
  expect(await call("resend_invitation", ada, team.id, id(1))).toBe("too many sends");
});

test("somebody who is a member already is named as one to whoever invites; an account elsewhere is not", async () => {
  await team.join(ben, "viewer");
  expect(await invite(1, "ben@example.com")).toBe("member");
  expect(await invite(2, "ada@example.com")).toBe("member");
  expect(await invite(3, "eve@example.com")).toBe("invited");
  expect(await invite(4, "nobody@example.com")).toBe("invited");
});

test("who is invited already is not invited twice, until it was withdrawn, taken or has ended", async () => {
  expect(await invite(1, "ben@example.com")).toBe("invited");
  expect(await invite(2, "ben@example.com")).toBe("invited before");
  expect(await call("withdraw_invitation", ada, team.id, id(1))).toBe("withdrawn");
  expect(await invite(2, "ben@example.com")).toBe("invited");
  await query("update public.invitations set expires_at = now()");
  expect(await invite(3, "ben@example.com")).toBe("invited");
  expect(await accept(ben, 3)).toBe("accepted");
  expect(await call("remove_member", ada, team.id, ben)).toBe("removed");
  expect(await invite(4, "ben@example.com", "viewer")).toBe("invited");
  expect(await accept(ben, 3)).toBe("gone");
  expect(await accept(ben, 4)).toBe("accepted");
  expect(await team.roles()).toEqual({ ada: "owner", ben: "viewer" });
});

test("an invitation of somebody who has become a member changes nothing about their role", async () => {
  await invite(1, "ben@example.com", "admin");
  await team.join(ben, "viewer");
  expect(await accept(ben, 1)).toBe("accepted");
  expect(await team.roles()).toEqual({ ada: "owner", ben: "viewer" });
});

test("once its guest has joined, an invitation can be neither withdrawn nor sent again", async () => {
  await invite(1, "ben@example.com");
  await accept(ben, 1);
  expect(await call("withdraw_invitation", ada, team.id, id(1))).toBe("taken");
  expect(await call("resend_invitation", ada, team.id, id(1))).toBe("taken");
  expect(await call("withdraw_invitation", ada, team.id, id(2))).toBe("gone");
  expect(await call("resend_invitation", ada, team.id, id(2))).toBe("gone");
});

test("nobody is invited as an owner, or as what there is not", async () => {
  for (const role of ["owner", "king", "", null]) {
    expect(await call("invite", ada, team.id, id(1), "ben@example.com", role, 100)).toBe(
      "unknown role",
    );
  }
});

test("members and who is invited are together no more than allowed, whenever one of them accepts", async () => {
  expect(await invite(1, "ben@example.com", "viewer", 2)).toBe("invited");
  expect(await invite(2, "cat@example.com", "viewer", 2)).toBe("full");
  await query("update public.invitations set expires_at = now()");
  expect(await invite(2, "cat@example.com", "viewer", 2)).toBe("invited");
  await call("resend_invitation", ada, team.id, id(1));
  expect(await accept(ben, 1, 2, 2)).toBe("accepted");
  expect(await accept(cat, 2, 1, 2)).toBe("full");
  expect(await accept(cat, 2, 1, 3)).toBe("accepted");
});

/** How many of fifteen or more tries were answered "invited", and what the next is told. */
async function inviteMany(
  tries: number,
  address: (n: number) => string,
  actor = ada,
  own = team.id,
) {
  let invited = 0;
  let last: unknown;
  for (let n = 1; n <= tries; n++) {
    const invitation = accountId(1000 + n);
    last = await call("invite", actor, own, invitation, address(n), "viewer", 1000);
    if (last === "invited") invited += 1;
    await query("delete from public.invitations");
  }
  return { invited, last };
}

test("a workspace mails twenty invitations a day, also if it withdraws them", async () => {
  await team.join(ben, "admin");
  const half = await inviteMany(12, (n) => `first.${n}@example.com`);
  expect(half).toEqual({ invited: 12, last: "invited" });
  const rest = await inviteMany(12, (n) => `second.${n}@example.com`, ben);
  expect(rest).toEqual({ invited: 8, last: "too many today" });
  await query("update public.invitation_counts set day = day - 1");
  expect(await inviteMany(1, () => "third@example.com")).toMatchObject({ invited: 1 });
  expect(
    await query(
      "select count(*)::int as old from public.invitation_counts where day < now()::date",
    ),
  ).toEqual([{ old: 0 }]);
});

test("a person mails twenty a day in all their workspaces", async () => {
  await inviteMany(15, (n) => `first.${n}@example.com`);
  const elsewhere = await inviteMany(10, (n) => `second.${n}@example.com`, ada, ada);
  expect(elsewhere).toEqual({ invited: 5, last: "too many today" });
});

test("one address is mailed five a day, whoever invites it", async () => {
  await inviteMany(3, () => "victim@example.com");
  const others = await inviteMany(4, () => "victim@example.com", ben, ben);
  expect(others).toEqual({ invited: 2, last: "too many today" });
  expect(await inviteMany(1, () => "other@example.com", ben, ben)).toMatchObject({ invited: 1 });
});

test("of all workspaces a hundred a day are mailed, and a refusal counts nothing", async () => {
  const all = "encode(sha256('all'), 'hex')";
  await inviteMany(1, () => "first@example.com");
  await query(`update public.invitation_counts set sent = 99 where subject_hash = ${all}`);
  expect(await inviteMany(2, (n) => `second.${n}@example.com`)).toEqual({
    invited: 1,
    last: "too many today",
  });
  expect(
    await query(
      "select max(sent)::int as most, count(*)::int as rows from public.invitation_counts",
    ),
  ).toEqual([{ most: 100, rows: 6 }]);
});

test("workspaces without a plan use up half of a day's mails, and those with one go on", async () => {
  await inviteMany(1, () => "first@example.com");
  await query(
    "update public.invitation_counts set sent = 50 where subject_hash = encode(sha256('without a plan'), 'hex')",
  );
  expect(await inviteMany(1, () => "second@example.com")).toMatchObject({ last: "too many today" });
  await query(
    "insert into public.customers (id, workspace_id, origin) values ('cus_team', $1, 'account')",
    [team.id],
  );
  await query(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
     values ('sub_team', 'cus_team', 'active', 'price_x', 1, 'usd', 'month', now())`,
  );
  expect(await inviteMany(1, () => "second@example.com")).toMatchObject({ last: "invited" });
});

test("the workspace is named with its first invitation, or not at all", async () => {
  const inviteNamed = (n: number, address: string, name: string) =>
    call("invite", ada, team.id, id(n), address, "viewer", 100, name);
  const name = async () =>
    (await query("select name from public.workspaces where id = $1", [team.id]))[0];
  expect(await inviteNamed(1, "ada@example.com", "Acme calls")).toBe("member");
  expect(await name()).toEqual({ name: "Team" });
  expect(await inviteNamed(1, "ben@example.com", " Acme calls ")).toBe("invited");
  expect(await name()).toEqual({ name: "Acme calls" });
});

test.each([
  ["a line break", "Acme\r\nBcc: eve@example.com"],
  ["a tab", "Acme\tcalls"],
  ["a line separator", "Acme\u2028calls"],
  ["a turn of direction", "Acme\u202ecalls"],
  ["nothing to see", "\u200b\u2060 \u3164"],
  ["nothing at all", "  "],
  ["81 characters", "a".repeat(81)],
])("no workspace has a name with %s", async (_, name) => {
  expect(await call("rename_workspace", ada, team.id, name)).toBe("name");
  expect(await call("create_workspace", ada, id(50), name)).toBe("name");
  expect(await call("invite", ada, team.id, id(1), "ben@example.com", "viewer", 100, name)).toBe(
    "name",
  );
});

test.each(["Équipe Zürich", "開発チーム", "👩‍👩‍👧 Family", "a", "a".repeat(80)])(
  "a workspace may be called %s",
  async (name) => {
    expect(await call("rename_workspace", ada, team.id, name)).toBe("renamed");
  },
);

test("whoever has no confirmed address invites nobody, and is shown by their number", async () => {
  await invite(1, "ben@example.com");
  await query("update auth.users set email = null, phone = '4915112345678' where id = $1", [ada]);
  expect(await invite(2, "cat@example.com")).toBe("no address");
  expect(await call("resend_invitation", ada, team.id, id(1))).toBe("no address");
  expect(await page(1)).toMatchObject([{ inviter: "4915112345678" }]);
  expect(await query("select address from public.members_of($1, $2)", [ada, team.id])).toEqual([
    { address: "4915112345678" },
  ]);
  await call("withdraw_invitation", ada, team.id, id(1));
  expect(
    await query("select actor_address from public.audit_log where action = 'invitation.withdrawn'"),
  ).toEqual([{ actor_address: "4915112345678" }]);
  await query(
    "update auth.users set email = 'ada@example.com', email_confirmed_at = null where id = $1",
    [ada],
  );
  expect(await invite(2, "cat@example.com")).toBe("no address");
});

test("a mail that is sent once more counts as well", async () => {
  await invite(1, "ben@example.com");
  const before = await query("select sent from public.invitation_counts order by 1");
  expect(before).toEqual([...Array(5).fill({ sent: 1 })]);
  await call("resend_invitation", ada, team.id, id(1));
  expect(await query("select distinct sent from public.invitation_counts")).toEqual([{ sent: 2 }]);
  await query("update public.invitation_counts set sent = 20 where sent < 20");
  expect(await call("resend_invitation", ada, team.id, id(1))).toBe("too many today");
  expect(await accept(ben, 1, 2)).toBe("accepted");
});

test("an invitation that was taken is read by nobody past the Worker", async () => {
  await invite(1, "cat@example.com");
  const read = "select address from public.invitations";
  expect(await readAs(query, ada, read)).toEqual([{ address: "cat@example.com" }]);
  await accept(cat, 1);
  expect(await readAs(query, ada, read)).toEqual([]);
});

test("the Worker's key changes no invitation but by the functions, and resets no count", async () => {
  await invite(1, "ben@example.com");
  for (const sql of [
    `insert into public.invitations (workspace_id, address, role) values ('${team.id}', 'eve@example.com', 'admin')`,
    "update public.invitations set role = 'admin'",
    "delete from public.invitations",
    "delete from public.invitation_counts",
    "update public.invitation_counts set sent = 0",
    `select public.count_invitation('${ada}', '${team.id}', 'eve@example.com')`,
    `select public.begin_change('${ada}', '${team.id}', 'own')`,
  ]) {
    await expect(tryAsWorker(query, sql), sql).rejects.toThrow(/permission denied/);
  }
});

test("an invitation that ended thirty days ago is removed, and with it the address", async () => {
  await invite(1, "ben@example.com");
  await query("update public.invitations set expires_at = now() - interval '29 days'");
  expect(await call("remove_expired_invitations", 100)).toBe(0);
  await query("update public.invitations set expires_at = now() - interval '31 days'");
  expect(await call("remove_expired_invitations", 100)).toBe(1);
});
