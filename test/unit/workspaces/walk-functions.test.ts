import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { contentsOf } from "../../support/database/changed-tables.ts";
import { openDatabase } from "../../support/database/open-database.ts";
import { amount, inTurn } from "../../support/run/variants.ts";
import {
  actingCalls,
  type Call,
  personQuestions,
} from "../../support/workspaces/walk/acting-calls.ts";
import { type ApiRole, attempt } from "../../support/workspaces/walk/attempt.ts";
import {
  type Asker,
  type DatabaseWorld,
  databaseWorld,
} from "../../support/workspaces/walk/database-world.ts";
import { memberCalls } from "../../support/workspaces/walk/member-calls.ts";
import { otherFunctions } from "../../support/workspaces/walk/other-functions.ts";
import { mayDo } from "../../support/workspaces/walk/role-table.ts";

// Each test asks for every kind of member, and some for every function as well.
vi.setConfig({ testTimeout: 120_000 });

let opened: Awaited<ReturnType<typeof openDatabase>>;
let world: DatabaseWorld;

beforeAll(async () => {
  opened = await openDatabase();
  world = await databaseWorld(opened.query);
}, 120_000);
afterAll(() => opened?.close());

const byWorker = { ...actingCalls, ...memberCalls };
const { inside, ownSession: sessionFunctions, ...others } = otherFunctions;
const bySignedIn = [...Object.keys(personQuestions), ...sessionFunctions];

type FoundFunction = { name: string; arguments: string[]; callers: string[] };

/** Every function, with the roles of the API that may call it. */
const functions = () =>
  opened.query<FoundFunction>(
    `select p.proname as name, coalesce(p.proargnames, '{}')::text[] as arguments,
       array(
         select r from unnest(array['anon', 'authenticated', 'service_role']) r
         where has_function_privilege(r, p.oid, 'execute')
       ) as callers
     from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     order by p.proname`,
  );

test("every function of the database's API has a line, and every line a function", async () => {
  const listed = [
    ...Object.keys(byWorker),
    ...bySignedIn,
    ...inside,
    ...Object.values(others).flat(),
  ];
  expect((await functions()).map(({ name }) => name)).toEqual(listed.toSorted());
});

test("each is called by the roles of the API that its line is for, and by no other", async () => {
  for (const { name, callers } of await functions()) {
    const isIn = (names: readonly string[]) => names.includes(name);
    const should = isIn(inside) ? [] : isIn(bySignedIn) ? ["authenticated"] : ["service_role"];
    // The Worker's key may call these too, and is answered nothing about anybody.
    const expectedCallers = isIn(bySignedIn)
      ? callers.filter((each) => each !== "service_role")
      : callers;
    expect.soft(expectedCallers, name).toEqual(should);
  }
});

const person = /^(actor|owner|person|claimant)$/;
const place = /^(workspace|target)$/;

test("no function takes a person and a workspace, or a deployment, without a line about who may", async () => {
  const unasked = (await functions())
    .filter(({ arguments: names }) => names.some((each) => person.test(each)))
    .filter(({ arguments: names }) => names.some((each) => place.test(each)))
    .filter(({ name }) => !Object.hasOwn(byWorker, name))
    .map(({ name }) => name);
  // The first ones are called by others, and the last two leave the line of what was done.
  expect(unasked).toEqual([
    "begin_change",
    "count_invitation",
    "has_other_owner",
    "note_audit",
    "note_sso_removal",
  ]);
});

type Named = [name: string, call: Call];
const named = (calls: Readonly<Record<string, Call | readonly Call[]>>): Named[] =>
  Object.entries(calls).flatMap(([name, given]) =>
    [given].flat().map((call): Named => [call.what ? `${name} ${call.what}` : name, call]),
  );

const may = ({ needs }: Call, { name, role }: Asker): boolean =>
  typeof needs === "string" ? role !== undefined && mayDo(role, needs) : needs.only === name;

/** The expected outcome of a call, for those who may or for others. */
function expected(call: Call, asker: Asker, isAllowed = may(call, asker)) {
  if (isAllowed) return { answer: call.done, changed: call.changes ?? [] };
  const { refused, outside = refused } = call;
  return { answer: asker.role ? refused : outside, changed: [] };
}

/** What came of a call; the audit log has a line of all that is done, and of nothing that is refused. */
async function outcome(call: Call, asker: Asker, as: ApiRole) {
  const { answer, changed } = await attempt(world, as, call.sql(world, asker.id));
  const wasDone = answer === call.done;
  return { answer, changed: changed.filter((table) => !wasDone || table !== "audit_log") };
}

const worker: ApiRole = { role: "service_role" };
const signedIn = ({ id }: Asker, aal: "aal1" | "aal2" = "aal1"): ApiRole => ({
  role: "authenticated",
  person: id,
  aal,
});

test.each(named(byWorker))(
  "%s is done for whom the table of roles names, and for nobody else",
  async (name, call) => {
    for (const asker of world.askers) {
      expect
        .soft(await outcome(call, asker, worker), `${name} for the ${asker.name}`)
        .toEqual(expected(call, asker));
    }
  },
);

test.each(named(personQuestions))(
  "%s answers whom the table of roles names, and nobody else",
  async (name, call) => {
    for (const asker of world.askers) {
      expect
        .soft(await outcome(call, asker, signedIn(asker)), `${name} for the ${asker.name}`)
        .toEqual(expected(call, asker));
    }
  },
);

/** Whether the workspace wants a second factor from now on, and what every table holds then. */
async function needFactor(required: boolean): Promise<DatabaseWorld> {
  await world.query("update public.workspaces set needs_second_factor = $1 where id = $2", [
    required,
    world.ids.team,
  ]);
  return { ...world, contents: await contentsOf(world.query, world.tables) };
}

const addFactor = (id: string) =>
  world.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, status, secret)
     values (gen_random_uuid(), $1, 'App', 'verified', 'x')`,
    [id],
  );

/** In `npm test` one of the members who may, in turn; the others are refused with and without a factor. */
const someWho = inTurn();

test("a workspace that wants a second factor is changed and read only by members who have one", async () => {
  const members = world.askers.filter(({ role }) => role);
  const membersFor = (call: Call) =>
    amount({ inTest: someWho(members.filter((each) => may(call, each))), inProof: members });
  const needy = await needFactor(true);
  await addFactor(world.ids.founder);
  const answerTo = (asker: Asker, as: ApiRole, call: Call) =>
    attempt(needy, as, call.sql(world, asker.id));
  for (const [name, call] of [...named(byWorker), ...named(personQuestions)]) {
    for (const asker of membersFor(call)) {
      const as = Object.hasOwn(personQuestions, name) ? signedIn(asker) : worker;
      const isAllowed = call.withoutFactor ? may(call, asker) : false;
      const { answer, changed } = await answerTo(asker, as, call);
      const should = expected(call, asker, isAllowed);
      const why = `${name} for the ${asker.name} without a second factor`;
      expect.soft(answer, why).toEqual(should.answer);
      if (!isAllowed) expect.soft(changed, why).toEqual([]);
    }
  }
  for (const { id } of members) await addFactor(id);
  for (const [name, call] of [...named(byWorker), ...named(personQuestions)]) {
    for (const asker of membersFor(call)) {
      const as = Object.hasOwn(personQuestions, name) ? signedIn(asker, "aal2") : worker;
      const { answer } = await answerTo(asker, as, call);
      const why = `${name} for the ${asker.name} with a second factor`;
      expect.soft(answer, why).toEqual(expected(call, asker).answer);
    }
  }
  await world.query("delete from auth.mfa_factors");
  await needFactor(false);
});
