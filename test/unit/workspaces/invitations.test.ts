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

const call: Team["call"] = (...given) => team.call(...given);

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

test("the guest who accepts is a member in the invitation's role, and a second press answers the same", async () => {
  expect(await invite(1, "ben@example.com")).toBe("invited");
  expect(await accept(ben, 1)).toBe("accepted");
  expect(await accept(ben, 1)).toBe("accepted");
  expect(await page(1, 1, ben)).toMatchObject([{ state: "accepted" }]);
  expect(await team.roles()).toEqual({ ada: "owner", ben: "operator" });
});

test("the page of a link names the workspace, the inviter and the role; the address only to its owner", async () => {
  await invite(1, "ben@example.com");
  const invitation = { workspace_name: "Team", role: "operator", inviter: "ada@example.com" };
  expect(await page(1)).toMatchObject([
    { ...invitation, state: "open", address: "b…@example.com" },
  ]);
  expect(await page(1, 1, ben)).toMatchObject([
    { ...invitation, state: "open", address: "ben@example.com" },
  ]);
  expect(await page(1, 1, cat)).toMatchObject([
    { state: "other address", address: "b…@example.com" },
  ]);
  await query("update auth.users set email_confirmed_at = null where id = $1", [ben]);
  expect(await page(1, 1, ben)).toMatchObject([{ state: "unconfirmed" }]);
});

test("it is for one address alone, and for a user who has confirmed it", async () => {
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
    "the guest who took it was removed since": async () => {
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

test("the member who sends it once more vouches for it from then on", async () => {
  await team.join(cat, "admin");
  await invite(1, "ben@example.com", "admin", 100, cat);
  await call("resend_invitation", ada, team.id, id(1));
  await call("remove_member", ada, team.id, cat);
  expect(await accept(ben, 1, 2)).toBe("accepted");
});

test("the inviter reads that an address is a member's already, and not that it has an account elsewhere", async () => {
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

test("a user without a confirmed address invites nobody, and is shown by their number", async () => {
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
