import { afterAll, beforeAll, expect, test } from "vitest";
import { planQuotas } from "../../../app/content/plans.ts";
import { type Right, roleRights } from "../../../app/platform/database/role-rights.ts";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [trial, customer, other] = [1, 2, 3].map(accountId) as [string, string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
  for (const person of [trial, customer, other]) await addAccount(query, person);
  await query("update auth.users set is_anonymous = true, email = null where id = $1", [trial]);
}, 120_000);
afterAll(() => opened.close());

async function answer<Value>(sql: string, ...parameters: unknown[]): Promise<Value | undefined> {
  const [row] = await query<{ value: Value }>(`select ${sql} as value`, parameters);
  return row?.value;
}

test("the owner of a trial sees, describes and acts on incidents, and may nothing else", async () => {
  await query("select public.personal_workspace($1)", [trial]);
  const rights = Object.keys(roleRights) as Right[];
  const allowed: Right[] = [];
  for (const right of rights) {
    if (await answer("public.may_now($1, $1, $2)", trial, right)) allowed.push(right);
  }
  expect(allowed).toEqual(["see", "describe", "alerts"]);
});

test("only an anonymous account begins a trial, and only another account is given what was described", async () => {
  expect(await answer("public.begin_trial($1, '[]')", customer)).toBeNull();
  const begun = await answer<{ deployments: string[] }>(
    `public.begin_trial($1, '[{"name": "One", "options": {}}]')`,
    trial,
  );
  expect(begun?.deployments).toHaveLength(1);
  expect(await answer("public.begin_trial($1, '[]')", trial)).toEqual(begun);
  expect(await answer("public.move_trial($1, $1)", trial)).toBeNull();
  expect(await answer("public.move_trial($1, $2)", customer, other)).toBeNull();
  expect(await answer("public.move_trial($1, $2)", trial, accountId(9))).toBeNull();
});

test("its plan and its end are read by the trial alone", async () => {
  const plans = (person: string) =>
    readAs<{ id: string }>(query, person, "select id from public.plans_of($1)", {
      parameters: [trial],
    });
  expect(await plans(trial)).toEqual([{ id: "trial" }]);
  expect(await plans(customer)).toEqual([]);
  const end = (person: string) => readAs(query, person, "select public.my_trial() is null as none");
  expect(await end(trial)).toEqual([{ none: false }]);
  expect(await end(customer)).toEqual([{ none: true }]);
});

test("an account that the auth server made permanent has no plan of the trial that it began", async () => {
  const former = accountId(6);
  await addAccount(query, former);
  await query("update auth.users set is_anonymous = true where id = $1", [former]);
  await answer("public.begin_trial($1, '[]')", former);
  const plans = () =>
    readAs(query, former, "select id from public.plans_of($1)", { parameters: [former] });
  expect(await plans()).toEqual([{ id: "trial" }]);
  await query("update auth.users set is_anonymous = false where id = $1", [former]);
  expect(await plans()).toEqual([]);
  await query("delete from auth.users where id = $1", [former]);
  await query("delete from public.closed_fleets");
});

test("trials move into an account as many deployments as Pro has, however many trials", async () => {
  const max = planQuotas.pro.deployments;
  const account = accountId(10);
  await addAccount(query, account);
  const moveOne = async (anonymous: string, count: number) => {
    await addAccount(query, anonymous);
    await query("update auth.users set is_anonymous = true where id = $1", [anonymous]);
    await answer("public.begin_trial($1, '[]')", anonymous);
    await query(
      `insert into public.deployments (user_id, workspace_id, name, options)
       select $1, $1, 'Mine ' || n, '{}' from generate_series(1, $2::integer) n`,
      [anonymous, count],
    );
    return answer("public.move_trial($1, $2)", anonymous, account);
  };
  expect(await moveOne(accountId(11), max + 1)).toBe(max);
  expect(await moveOne(accountId(12), 1)).toBe(0);
  const [held] = await query(
    "select count(*)::integer from public.deployments where user_id = $1",
    [account],
  );
  expect(held).toEqual({ count: max });
  await query("delete from auth.users where id = $1", [account]);
  await query("delete from public.closed_fleets");
});

test("an anonymous account goes after its day, with or without a trial; others stay", async () => {
  const [made, late] = [accountId(4), accountId(5)];
  for (const person of [made, late]) await addAccount(query, person);
  await query(
    `update auth.users set is_anonymous = true, created_at = now() - make_interval(hours => case id when $2 then 25 else 23 end)
     where id in ($1, $2)`,
    [made, late],
  );
  await query("update public.trials set ends_at = now() where user_id = $1", [trial]);
  expect(await answer("public.remove_ended_trials(100)")).toBe(2);
  const left = await query<{ id: string }>("select id from auth.users order by id");
  expect(left.map(({ id }) => id)).toEqual([customer, other, made]);
  expect(await query("select from public.workspaces")).toEqual([]);
  expect(await query("select from public.closed_fleets")).toHaveLength(1);
});
