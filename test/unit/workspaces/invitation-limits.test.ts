import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import { people, type Team } from "../../support/database/team.ts";
import { teamOfEachTest } from "../../support/database/team-of-each-test.ts";

const { query, team } = teamOfEachTest();
const { ada, ben } = people;
const call: Team["call"] = (...given) => team().call(...given);

const id = (n: number) => accountId(900 + n);
const invite = (n: number, address: string) =>
  call("invite", ada, team().id, id(n), address, "operator", 100);

test("an invitation is mailed at most five times", async () => {
  await invite(1, "ben@example.com");
  for (let send = 2; send <= 5; send++) {
    expect(await call("resend_invitation", ada, team().id, id(1))).toBe("sent");
    // As on another day: to one address no more are sent in one.
    await query("truncate public.invitation_counts");
  }
  expect(await call("resend_invitation", ada, team().id, id(1))).toBe("too many sends");
});

/** How many of fifteen or more tries were answered "invited", and the answer to the next. */
async function inviteMany(
  tries: number,
  address: (n: number) => string,
  actor = ada,
  workspace = team().id,
) {
  let invited = 0;
  let last: unknown;
  for (let n = 1; n <= tries; n++) {
    const invitation = accountId(1000 + n);
    last = await call("invite", actor, workspace, invitation, address(n), "viewer", 1000);
    if (last === "invited") invited += 1;
    await query("delete from public.invitations");
  }
  return { invited, last };
}

test("a workspace mails twenty invitations a day, also if it withdraws them", async () => {
  await team().join(ben, "admin");
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

test("one address is mailed five a day, whichever member invites it", async () => {
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
    [team().id],
  );
  await query(
    `insert into public.subscriptions
       (id, customer_id, status, price_id, unit_amount, currency, billing_interval, created_at)
     values ('sub_team', 'cus_team', 'active', 'price_x', 1, 'usd', 'month', now())`,
  );
  expect(await inviteMany(1, () => "second@example.com")).toMatchObject({ last: "invited" });
});

test("a mail that is sent once more counts as well", async () => {
  await invite(1, "ben@example.com");
  const before = await query("select sent from public.invitation_counts order by 1");
  expect(before).toEqual([...Array(5).fill({ sent: 1 })]);
  await call("resend_invitation", ada, team().id, id(1));
  expect(await query("select distinct sent from public.invitation_counts")).toEqual([{ sent: 2 }]);
  await query("update public.invitation_counts set sent = 20 where sent < 20");
  expect(await call("resend_invitation", ada, team().id, id(1))).toBe("too many today");
  expect(await call("accept_invitation", ben, id(1), 2, 100)).toBe("accepted");
});
