import { expect, test } from "vitest";
import { accountId } from "../../support/database/as-person.ts";
import {
  addFormerCustomers,
  openFormerDatabase,
  readableBy,
  rightsOf,
} from "../../support/database/former-database.ts";

const people = Array.from({ length: 26 }, (_, index) => accountId(index + 1));
/**
 * One of each kind: with two customers, many versions and agents; without a deployment; with one; with a guest's purchase
 * that waits, or is theirs; with an address that nobody has confirmed.
 */
const kinds = [1, 3, 4, 7, 8, 17].map(accountId);

test("customers of the first version keep every right through each later migration", async () => {
  await using former = await openFormerDatabase();
  const { query } = former;
  await addFormerCustomers(query, people.length);
  const before = await rightsOf(query, people);
  const beforeOfKinds = await rightsOf(query, kinds);
  const shown = JSON.stringify(before);
  for (const each of ["cus_second_", "cus_claimed_", "past_due", "Server 20", "ada 900"])
    expect(shown).toContain(each);
  expect(shown).not.toContain("cus_waits_");
  expect(beforeOfKinds[accountId(1)]).toMatchObject({
    changesOwn: { progress: true, saved: "saved", deleted: true, revoked: 1 },
    changesForeign: { progress: false, saved: "missing", deleted: false },
  });
  expect(beforeOfKinds[accountId(7)]).toMatchObject({ changesOwn: { claimed: 1 } });

  expect(former.later.length).toBeGreaterThan(20);
  for (const migration of former.later) {
    await former.migrate(migration);
    expect(await rightsOf(query, kinds), migration.file).toEqual(beforeOfKinds);
  }
  expect(await rightsOf(query, people)).toEqual(before);
}, 120_000);

test("what the first version writes between the migrations is read by its owner, and stays theirs", async () => {
  await using former = await openFormerDatabase();
  const { query } = former;
  await addFormerCustomers(query, 3);
  const [ada = "", ben = ""] = people;
  const made: string[] = [];
  for (const migration of former.later) {
    await former.migrate(migration);
    const [row] = await query<{ id: string }>(
      "select public.create_deployment($1, $2, '{}', 100) as id",
      [ada, migration.file],
    );
    made.push(row?.id ?? "none");
    const seen = await readableBy(query, ada);
    const ids = seen?.deployments.map((each) => each.split(" ")[0]);
    expect(ids, migration.file).toEqual(expect.arrayContaining(made));
    expect(JSON.stringify(await readableBy(query, ben)), migration.file).not.toContain(row?.id);
  }
  expect(made).toHaveLength(former.later.length);
  const homeless = await query(
    `select d.id from public.deployments d
     left join public.workspaces w on w.id = d.workspace_id and w.home_of = d.user_id
     where w.id is null`,
  );
  expect(homeless).toEqual([]);
});

test("every account has a home of its own, and is alone there", async () => {
  await using former = await openFormerDatabase();
  const { query } = former;
  await addFormerCustomers(query, people.length);
  const last = former.later.at(-1);
  if (last) await former.migrate(last);
  const members = await query(
    `select m.user_id, m.role from public.members m
     join public.workspaces w on w.id = m.workspace_id and w.home_of = m.user_id
     order by m.user_id`,
  );
  expect(members).toEqual(people.map((user_id) => ({ user_id, role: "owner" })));
  expect(await query("select count(*)::int as homes from public.workspaces")).toEqual([
    { homes: people.length },
  ]);
});
