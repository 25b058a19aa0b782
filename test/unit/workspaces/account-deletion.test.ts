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
let ada: string;
let ben: string;
/** Ada's personal workspace, where she is alone. */
let alone: string;
beforeEach(async () => {
  team = await newTeam(query);
  ({ ada, ben } = team.people);
  const [row] = await query<{ id: string }>("select public.personal_workspace($1) as id", [ada]);
  alone = row?.id ?? "none";
  await query(
    "insert into public.customers (id, workspace_id, origin) values ('cus_team', $1, 'account'), ('cus_alone', $2, 'account')",
    [team.id, alone],
  );
});

/** What the database answers, its customers in an order that it does not promise. */
async function begin() {
  const [row] = await query<{ answer: { customers?: string[] } }>(
    "select public.begin_account_deletion($1) as answer",
    [ada],
  );
  const { customers, ...rest } = row?.answer ?? {};
  return { ...rest, ...(customers && { customers: customers.toSorted() }) };
}

/** The plans of `ended` were ended, as the Worker says. */
const remove = (ended: string[]) =>
  query("select public.remove_personal_records($1, 'ada@example.com', $2)", [ada, ended]);

const customers = async () =>
  (await query<{ id: string }>("select id from public.customers order by id")).map(({ id }) => id);

test("the sole owner of a workspace where others work decides about it first", async () => {
  await team.join(ben, "admin");
  const [named] = await query<{ name: string }>(
    "select name from public.workspaces where id = $1",
    [team.id],
  );
  expect(await begin()).toEqual({ in_the_way: [named?.name] });
  const closing = await query(
    "select id from public.customers where deletion_asked_at is not null",
  );
  expect(closing).toEqual([]);
  await expect(remove(["cus_alone"])).rejects.toThrow(
    "Others work in a workspace of which this account is the only owner.",
  );
  expect(await customers()).toEqual(["cus_alone", "cus_team"]);
});

test("nobody joins a workspace that goes, once its plan is about to be ended", async () => {
  const [joining, waiting] = [accountId(901), accountId(902)];
  await query("select public.invite($1, $2, $3, 'ben@example.com', 'admin', 9)", [
    ada,
    alone,
    joining,
  ]);
  await query("select public.invite($1, $2, $3, 'cat@example.com', 'admin', 9)", [
    ada,
    team.id,
    waiting,
  ]);
  await query("select public.accept_invitation($1, $2, 1, 9)", [ben, joining]);
  expect(await begin()).toEqual({ in_the_way: ["Personal"] });
  await query("select public.remove_member($1, $2, $3)", [ada, alone, ben]);
  expect(await begin()).toEqual({ customers: ["cus_alone", "cus_team"] });
  expect(
    await query("select public.accept_invitation($1, $2, 1, 9) as answer", [
      team.people.cat,
      waiting,
    ]),
  ).toEqual([{ answer: "gone" }]);
});

test("an invitation to a workspace that stays with others is not withdrawn", async () => {
  await team.join(ben, "owner");
  await query("select public.invite($1, $2, $3, 'cat@example.com', 'admin', 9)", [
    ben,
    team.id,
    accountId(902),
  ]);
  await begin();
  expect(await query("select address from public.invitations")).toEqual([
    { address: "cat@example.com" },
  ]);
});

test("with a second owner the account goes, and the team keeps its customer", async () => {
  await team.join(ben, "owner");
  expect(await begin()).toEqual({ customers: ["cus_alone"] });
  await remove(["cus_alone"]);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await customers()).toEqual(["cus_team"]);
  expect(await team.roles()).toEqual({ ben: "owner" });
});

test("a shared personal workspace stays with its other owner, plan and all", async () => {
  await query("insert into public.members (workspace_id, user_id, role) values ($1, $2, 'owner')", [
    alone,
    ben,
  ]);
  expect(await begin()).toEqual({ customers: ["cus_team"] });
  await remove(["cus_team"]);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await customers()).toEqual(["cus_alone"]);
});

test("all workspaces where a person is alone go with the account, and their plans end", async () => {
  expect(await begin()).toEqual({ customers: ["cus_alone", "cus_team"] });
  const closing = await query<{ id: string }>(
    "select id from public.customers where deletion_asked_at is not null order by id",
  );
  expect(closing.map(({ id }) => id)).toEqual(["cus_alone", "cus_team"]);
  await remove(["cus_alone", "cus_team"]);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await customers()).toEqual([]);
  expect(
    await query("select id from public.workspaces where id = any ($1)", [[team.id, alone]]),
  ).toEqual([]);
});

test("a purchase as a guest that belongs to no workspace yet is none of a colleague's", async () => {
  await query(
    "insert into public.customers (id, origin, email) values ('cus_guest', 'guest', 'x@example.com')",
  );
  await begin();
  await remove(["cus_alone", "cus_team"]);
  expect(await customers()).toEqual(["cus_guest"]);
});

test("a plan that goes because the last other member left is ended first, and until then nothing is lost", async () => {
  await team.join(ben, "owner");
  await begin();
  await team.leave(ben);
  // It was marked by a deletion of the workspace that Stripe cut off: that ended nothing.
  await query("update public.customers set deletion_asked_at = now()");
  await expect(remove(["cus_alone"])).rejects.toMatchObject({
    code: "55000",
    message: "A plan that goes with this account was not ended.",
  });
  expect(await customers()).toEqual(["cus_alone", "cus_team"]);
  expect(await begin()).toEqual({ customers: ["cus_alone", "cus_team"] });
  await remove(["cus_alone", "cus_team"]);
  expect(await customers()).toEqual([]);
});

test("whose records are removed is no member beside others any more, and the last of those stays", async () => {
  await team.join(ben, "owner");
  await begin();
  await remove(["cus_alone"]);
  expect(await team.roles()).toEqual({ ben: "owner" });
  expect(await query("select public.leave_workspace($1, $2) as answer", [ben, team.id])).toEqual([
    { answer: "last owner" },
  ]);
  await query("delete from auth.users where id = $1", [ada]);
  expect(await customers()).toEqual(["cus_team"]);
  expect(
    await query("select action from public.audit_log where workspace_id = $1", [team.id]),
  ).toEqual([{ action: "member.account-deleted" }]);
});

test("the version before ends the plans that name the account, and no others go", async () => {
  const formerCall = () =>
    query("select public.remove_personal_records($1, 'ada@example.com')", [ada]);
  await expect(formerCall()).rejects.toThrow("A plan that goes with this account was not ended.");
  await team.join(ben, "owner");
  await formerCall();
  expect(await customers()).toEqual(["cus_team"]);
});
