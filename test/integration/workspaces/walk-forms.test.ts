import { afterAll, beforeAll, expect, test } from "vitest";
import { type ActionRule, actionRules } from "../../../app/routes/action-rules.server.ts";
import { changedTables } from "../../support/database/changed-tables.ts";
import { amount, inTurn, sample, variants } from "../../support/run/variants.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import type { Fields, FormLine } from "../../support/workspaces/walk/form-line.ts";
import { formLines, otherForms } from "../../support/workspaces/walk/form-lines.ts";
import { invitationAddress, invite } from "../../support/workspaces/walk/invited.ts";
import { mayDo } from "../../support/workspaces/walk/role-table.ts";
import {
  elsewhere,
  type SiteWorld,
  siteWorld,
  teamMark,
  type Walker,
} from "../../support/workspaces/walk/site-world.ts";

let world: SiteWorld;

beforeAll(async () => {
  world = await siteWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** The rules of all forms, each by its route and its intent. */
const rules = new Map(
  Object.entries(actionRules).flatMap(([pattern, rule]): [string, ActionRule][] =>
    "who" in rule
      ? [[pattern, rule]]
      : [
          ...Object.entries(rule.intents).map(([intent, one]): [string, ActionRule] => [
            `${pattern} ${intent}`,
            one,
          ]),
          [`${pattern} (unlisted)`, rule.unlisted],
        ],
  ),
);
const patternOf = (name: string) => name.split(" ")[0] ?? "";

test("every rule of an action has a line, or asks for no role; and every line has a rule", () => {
  const isOther = (name: string) => otherForms.includes(patternOf(name));
  const listed = [...rules.keys()].filter(
    (name) => !isOther(name) && (!name.endsWith("(unlisted)") || name in formLines),
  );
  expect(Object.keys(formLines).toSorted()).toEqual(listed.toSorted());
  const restricted = [...rules].filter(([name, { may }]) => isOther(name) && may);
  expect(restricted).toEqual([]);
});

test("every rule asks for the right that one of its forms needs, and for none where every member may", () => {
  const otherwise = Object.entries(formLines).filter(([name, line]) => {
    const right = rules.get(name)?.may ?? "see";
    return ![line].flat().some(({ needs }) => needs === right);
  });
  // Their forms name a token that somebody else made, which is for owners and admins: the database refuses it.
  const othersTokens = ["/dashboard/models", "/dashboard/usage", "/openai-config/own"];
  expect(otherwise.map(([name]) => name)).toEqual(
    othersTokens.map((page) => `${page} revoke-token`),
  );
});

type Named = [title: string, line: FormLine, name: string];
const lines = Object.entries(formLines).flatMap(([name, given]) =>
  [given].flat().map((line): Named => [line.what ? `${name}: ${line.what}` : name, line, name]),
);

/** What came of a post, in one line: where it leads, or its status and its words. */
async function post(visitor: Visitor, address: string, fields: Fields): Promise<string> {
  const asJson = address.startsWith("/api/");
  const response = await visitor.twin().request(address, {
    method: "POST",
    ...(asJson && { headers: { "content-type": "application/json" } }),
    body: asJson ? JSON.stringify(fields) : new URLSearchParams(fields),
  });
  const text = await response.text();
  // To a page's script a redirect comes as data.
  const location =
    response.status === 202
      ? /"redirect","([^"]+)"/.exec(text)?.[1]
      : response.headers.get("location");
  return location ? `leads to ${location}` : `${response.status}: ${text.replaceAll("\n", " ")}`;
}

const pages = new Set(
  siteRoutes()
    .filter(({ file }) => file.endsWith(".tsx"))
    .map(({ path }) => path),
);

/** The address that a form is posted to, as its page's script does. */
function addressOf(pattern: string, { query = "" }: Pick<FormLine, "query">, base = "/dashboard") {
  const id = pattern.startsWith("/dashboard/servers/") ? world.ids.server : world.ids.deployment;
  const path = pattern.replace(":id", id).replace("/dashboard", base);
  const index = pattern === "/dashboard" ? "?index" : "";
  return `${path}${pages.has(pattern) ? ".data" : ""}${index}${query}`;
}

/** What a line's form holds, once what it is about was prepared. */
const fieldsOf = async ({ fields }: FormLine) =>
  typeof fields === "function" ? fields(world) : fields;
const inNameOf = (fields: Fields, id = noId) => ({ ...fields, userId: id });
const noId = "00000000-0000-4000-8000-000000000000";

const refusal = ({ role }: Walker) => `^403: .*Your role in this workspace is ${role}. This is for`;
/** Members who may, members who may not, and outsiders; test/unit/workspaces has each role for each right. */
const [someWho, someWhoNot, someOutside] = [inTurn(), inTurn(), inTurn()];
const may = ({ needs }: FormLine, { role }: Walker) => role !== undefined && mayDo(role, needs);

/** The pattern where an answer is as it should be, and else how it begins: for messages that show what differs. */
const shownAnswer = (answer: string, should: RegExp) =>
  should.test(answer) ? should.source : answer.slice(0, 300);

/** An answer says nothing of the team's, beside what was posted. */
function expectNothingOfTeamIn(answer: string, fields: Fields, why: string) {
  const rest = Object.values(fields).reduce(
    (text, typed) => (typed ? text.replaceAll(typed, "") : text),
    answer,
  );
  expect.soft(rest, why).not.toMatch(teamMark);
}

/** A post that is refused: whose, where, and with what answer. Without a walker by somebody signed out. */
type Refusal = { walker?: Walker; address: string; should: RegExp };

const refusals = (
  walkers: readonly Walker[],
  address: string,
  answerTo: (walker: Walker) => RegExp,
): Refusal[] => walkers.map((walker) => ({ walker, address, should: answerTo(walker) }));

const toSignIn = /^(leads to \/signin\?next=|401: )/;
const signInFirst = (address: string): Refusal => ({ address, should: toSignIn });

/** Posts the good form of a line in all these ways; nothing changes. */
async function expectRefused(line: FormLine, all: readonly Refusal[]) {
  const fields = await fieldsOf(line);
  const before = await world.contents();
  const nameOf = ({ walker, address }: Refusal) =>
    `${address} posted by ${walker ? `the ${walker.name}` : "somebody signed out"}`;
  const refuse = async (each: Refusal) => {
    const { walker, address, should } = each;
    const visitor = walker?.visitor ?? world.signedOut();
    const answer = await post(visitor, address, inNameOf(fields, walker?.id));
    expect.soft(shownAnswer(answer, should), nameOf(each)).toBe(should.source);
    if (walker && !walker.role) expectNothingOfTeamIn(answer, fields, nameOf(each));
  };
  await Promise.all(all.map(refuse));
  expect
    .soft(changedTables(before, await world.contents()), `changed by ${all.map(nameOf).join(", ")}`)
    .toEqual([]);
  // What the form is about may have been prepared.
  if (typeof line.fields === "function") await world.putBack();
}

/** Posts it as each member who may; what should change does, and nothing else. */
async function expectDone(line: FormLine, address: string) {
  for (const walker of someWho(world.walkers.filter((each) => may(line, each)))) {
    const fields = await fieldsOf(line);
    const before = await world.contents();
    const answer = await post(walker.visitor, address, inNameOf(fields, walker.id));
    const changed = changedTables(before, await world.contents());
    const { changes = [] } = line;
    const why = `${address} posted by the ${walker.name}`;
    expect.soft(shownAnswer(answer, line.done), why).toBe(line.done.source);
    expect
      .soft(
        changed.filter((table) => table !== "audit_log"),
        `changed by ${why}`,
      )
      .toEqual(typeof changes === "function" ? changes(walker.role ?? "viewer") : changes);
    await world.putBack();
  }
}

const refusedWith = (line: FormLine) => (walker: Walker) =>
  line.refused ?? new RegExp(refusal(walker));
const membersWhoMayNot = (line: FormLine) =>
  someWhoNot(world.walkers.filter((each) => each.role && !may(line, each)));
const outsiders = () => world.walkers.filter(({ role }) => !role);

/** The address that names the team, where one does. */
function namedAddress(pattern: string, line: FormLine): string | undefined {
  if (pattern.startsWith("/dashboard")) return addressOf(pattern, line, world.base);
  return pattern === "/openai-config/own" ? `${pattern}?workspace=${world.slug}` : undefined;
}

/** Where the address names the team: members as their role says, and for all others there is nothing. */
async function walkNamed(line: FormLine, address: string, more: readonly Refusal[]) {
  await expectRefused(line, [
    ...refusals(membersWhoMayNot(line), address, refusedWith(line)),
    ...refusals(someOutside(outsiders()), address, () => /^404/),
    signInFirst(address),
    ...more,
  ]);
  await expectDone(line, address);
}

/** Without a name: the members have no other workspace than the team, and all others have their own. */
async function walkFirst(
  line: FormLine,
  address: string,
  rule: ActionRule | undefined,
  more: readonly Refusal[],
) {
  await expectRefused(line, [
    ...refusals(membersWhoMayNot(line), address, refusedWith(line)),
    ...(rule?.who === "visitor" ? [] : [signInFirst(address)]),
    ...more,
  ]);
  await expectDone(line, address);
  for (const walker of someOutside(outsiders())) {
    const fields = inNameOf(await fieldsOf(line), walker.id);
    const before = await world.teamsContents();
    const answer = await post(walker.visitor, address, fields);
    const why = `${address} posted by the ${walker.name}: ${answer.slice(0, 300)}`;
    const shown = {
      failed: answer.startsWith("5"),
      done: !line.isAnybodys && line.done.test(answer),
      changed: changedTables(before, await world.teamsContents()),
    };
    expect.soft(shown, why).toEqual({ failed: false, done: false, changed: [] });
    expectNothingOfTeamIn(answer, fields, why);
    await world.putBack();
  }
}

/** A form about something that the workspace does not have; without a customer one is led to buy a plan. */
const nothingThere = /^(4\d\d|leads to \/(pricing|dashboard\/w\/another-team\/plan))/;

const ways = variants(["named", "first"]);

test.each(sample(lines, 27))("%s", async (_, line, name) => {
  const pattern = patternOf(name);
  const named = namedAddress(pattern, line);
  // An owner of another workspace posts what names something of the team there.
  const elsewhereToo =
    pattern.startsWith("/dashboard") && !line.isAnybodys
      ? refusals(
          outsiders().filter(({ name }) => name === "owner elsewhere"),
          addressOf(pattern, line, elsewhere),
          () => nothingThere,
        )
      : [];
  for (const [nth, way] of (named ? ways() : ["first"]).entries()) {
    const more = nth === 0 ? elsewhereToo : [];
    if (named && way === "named") await walkNamed(line, named, more);
    else await walkFirst(line, addressOf(pattern, line), rules.get(name), more);
  }
});

test("a form that no page has is refused to everybody, and changes nothing", async () => {
  const unlisted = [...rules.keys()].filter((name) => name.endsWith("(unlisted)"));
  const restricted = unlisted.filter((name) => rules.get(name)?.may);
  expect(restricted.length).toBeGreaterThan(5);
  const some = world.walkers.filter(({ name }) => name === "viewer" || name === "stranger");
  const walkers = { inTest: some, inProof: world.walkers };
  const line: FormLine = { needs: "see", fields: { intent: "unheard-of" }, done: /^4/ };
  for (const name of restricted) {
    const pattern = patternOf(name);
    const address = namedAddress(pattern, line) ?? addressOf(pattern, line);
    const answerTo = ({ role }: Walker) => (role ? /^4\d\d/ : /^404/);
    await expectRefused(line, refusals(amount(walkers), address, answerTo));
  }
});

test("an invitation is taken by the person with its address, whatever the role of others in the team", async () => {
  const stranger = world.walkers.find(({ name }) => name === "stranger");
  if (!stranger) throw new Error("There is no stranger");
  const line: FormLine = { needs: "see", fields: {}, done: /^leads to \/invitation/ };
  const invitation = await invite(world.founder.userId, world.ids.team, stranger.email);
  const address = await invitationAddress(invitation);
  const others = world.walkers.filter((each) => each !== stranger);
  const notYours = /^409: .*"refused","other address"/;
  const before = await world.contents();
  await expectRefused(line, [...refusals(others, address, () => notYours), signInFirst(address)]);
  expect(await post(stranger.visitor, address, {})).toMatch(line.done);
  expect(changedTables(before, await world.contents())).toEqual([
    "audit_log",
    "invitations",
    "members",
  ]);
  await world.putBack();
});
