import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTurn, variants } from "../../support/run/variants.ts";
import { agentJob, sessions } from "../../support/servers/session-lines.ts";
import {
  answersGet,
  type SiteRoute,
  siteRoutes,
  workspaceRoutes,
} from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { type PageLine, pageLines } from "../../support/workspaces/walk/page-lines.ts";
import { mayDo } from "../../support/workspaces/walk/role-table.ts";
import {
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

const moduleOf = ({ file }: SiteRoute) => file.replace(/^routes\//, "");
/** Members who may, members who may not, and outsiders; test/unit/workspaces has each role for each right. */
const [someWho, someWhoNot, someOutside] = [inTurn(), inTurn(), inTurn()];
const walkersFor = ({ readWith }: WorkspaceLine): Walker[] => {
  const members = world.walkers.filter(({ role }) => role);
  const may = ({ role }: Walker) => role !== undefined && mayDo(role, readWith);
  return [
    ...someWho(members.filter(may)),
    ...someWhoNot(members.filter((each) => !may(each))),
    ...someOutside(world.walkers.filter(({ role }) => !role)),
  ];
};

const lineOf = (route: SiteRoute): PageLine => {
  const line = pageLines[moduleOf(route)];
  if (!line) throw new Error(`${route.path} has no line`);
  return line;
};

/** For the names of tests; each finds the workspace that is there. */
const anySlug = ":slug";
const unnamed = siteRoutes().filter(answersGet);
const named = workspaceRoutes(anySlug).filter(answersGet);

test("every route that answers a GET has a line, and every line a route", () => {
  const modules = new Set([...unnamed, ...named].map(moduleOf));
  expect([...modules].toSorted()).toEqual(Object.keys(pageLines).toSorted());
});

/** What somebody got: a status, or where it leads. */
type Answer = { what: number | string; text: string };

async function read(visitor: Visitor, address: string): Promise<Answer> {
  const response = await visitor.twin().request(address);
  const text = await response.text();
  // To a page's script a redirect comes as data.
  const location =
    response.status === 202
      ? /"redirect","([^"]+)"/.exec(text)?.[1]
      : response.headers.get("location");
  return { what: location ? `leads to ${location}` : response.status, text };
}

const filled = (path: string) =>
  path
    .replace(anySlug, world.slug)
    .replace("/servers/:id", `/servers/${world.ids.server}`)
    .replace(":session", sessions.room)
    .replace(":participant", sessions.participant)
    .replace(":job", agentJob)
    .replace("/incidents/:id", `/incidents/${world.ids.incident}`)
    .replace(":id", world.ids.deployment)
    .replace(":name", "livekit.yaml")
    .replace("*", "no-such-page");

const ways = variants(["", ".data"]);

/** Where a page is, and what its script reads of it. */
const addressesOf = ({ path, file }: SiteRoute, query = ""): string[] =>
  (file.endsWith(".tsx") ? ways() : [""]).map((data) => filled(path) + data + query);

const sentence = ({ role }: Walker) => `Your role in this workspace is ${role}. This is for`;

type WorkspaceLine = Extract<PageLine, { of: "workspace" }>;
/** What somebody got, as far as it was expected to be. */
type Shown = { what: Answer["what"]; says?: boolean; saysMore?: boolean; refuses?: boolean };

/** What somebody should get who opens an address that names the team. */
function expectedAt({ readWith, alsoSays }: WorkspaceLine, { role }: Walker): Shown {
  if (!role) return { what: 404, says: false };
  if (!mayDo(role, readWith)) return { what: 403, says: false, refuses: true };
  return { what: 200, says: true, ...(alsoSays && { saysMore: mayDo(role, alsoSays.to) }) };
}

function shownIn(line: WorkspaceLine, walker: Walker, { what, text }: Answer): Shown {
  const { says, saysMore, refuses } = expectedAt(line, walker);
  const isMember = walker.role !== undefined;
  return {
    what,
    says: says ? line.says.test(text) : (isMember ? line.says : teamMark).test(text),
    ...(saysMore !== undefined && { saysMore: line.alsoSays?.words.test(text) ?? false }),
    ...(refuses && { refuses: text.includes(sentence(walker)) }),
  };
}

async function walk(line: WorkspaceLine, address: string) {
  for (const walker of walkersFor(line)) {
    const answer = await read(walker.visitor, address);
    expect
      .soft(shownIn(line, walker, answer), `${address} for the ${walker.name}`)
      .toEqual(expectedAt(line, walker));
  }
}

const paths = (routes: readonly SiteRoute[]): [string, SiteRoute][] =>
  routes.map((route) => [`${route.path} (${moduleOf(route)})`, route]);
const isTeams = (route: SiteRoute) => lineOf(route).of === "workspace";
const inConsole = ({ path }: SiteRoute) => path.startsWith("/dashboard");
const teamsLine = (route: SiteRoute) => lineOf(route) as WorkspaceLine;
const toSignIn = /^leads to \/signin\?next=/;

describe("at the team's own address", () => {
  test.each(paths(named.filter(isTeams)))("%s", async (_, route) => {
    for (const address of addressesOf(route)) {
      await walk(teamsLine(route), address);
      const { what } = await read(world.signedOut(), address);
      expect.soft(what, `${address} for somebody signed out`).toMatch(toSignIn);
    }
  });
});

describe("at /dashboard, which is the team's for its members alone", () => {
  test.each(paths(unnamed.filter(isTeams).filter(inConsole)))("%s", async (_, route) => {
    for (const address of addressesOf(route)) {
      const there = `leads to ${address.replace("/dashboard", world.base).replace(".data", "")}`;
      const expectedStatus = route.path.includes(":id") ? 404 : 200;
      for (const walker of walkersFor(teamsLine(route))) {
        const { what, text } = await read(walker.visitor, address);
        expect
          .soft({ what, says: teamMark.test(text) }, `${address} for the ${walker.name}`)
          .toEqual({ what: walker.role ? there : expectedStatus, says: false });
      }
      const { what } = await read(world.signedOut(), address);
      expect.soft(what, `${address} for somebody signed out`).toMatch(toSignIn);
    }
  });
});

describe("where the query names the team", () => {
  const routes = unnamed.filter(isTeams).filter((route) => !inConsole(route));
  test.each(paths(routes))("%s", async (_, route) => {
    for (const address of addressesOf(route, `?workspace=${world.slug}`)) {
      await walk(teamsLine(route), address);
      const { what, text } = await read(world.signedOut(), address);
      expect
        .soft({ what, says: teamMark.test(text) }, `${address} for somebody signed out`)
        .toEqual({ what: 401, says: false });
    }
  });
});

test("what is a person's own, or the same for everybody, says nothing of the team to who is no member", async () => {
  const outsiders = world.walkers.filter(({ role }) => !role).map(({ visitor }) => visitor);
  const one = inTurn();
  for (const route of [...unnamed, ...named].filter((each) => !isTeams(each))) {
    const readers = lineOf(route).of === "public" ? [] : one(outsiders);
    for (const address of addressesOf(route)) {
      for (const visitor of [...readers, world.signedOut()]) {
        const { what, text } = await read(visitor, address);
        const failed = Number(what) >= 500;
        expect
          .soft({ failed, says: teamMark.test(text) }, `${address}: ${what}`)
          .toEqual({ failed: false, says: false });
      }
    }
  }
});
