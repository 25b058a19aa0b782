import { RouterContextProvider } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Session, sessionContext } from "~/features/auth/session/session.server";
import { myWorkspaces } from "~/features/workspaces/my-workspaces.server";
import { type AppContext, appContext } from "~/http/app-context";
import { accountId, addAccount, readAs } from "../../support/database/as-person.ts";
import type { Query } from "../../support/database/many-rows.ts";
import { openDatabase } from "../../support/database/open-database.ts";

const [ada, ben] = [1, 2].map(accountId) as [string, string];

let opened: Awaited<ReturnType<typeof openDatabase>>;
let query: Query;

beforeAll(async () => {
  opened = await openDatabase();
  query = opened.query;
}, 120_000);
afterAll(() => opened.close());
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Of which Ada is the owner, after her personal workspace was made. */
let team: string;

beforeEach(async () => {
  await query("truncate auth.users, public.workspaces cascade");
  for (const person of [ada, ben]) {
    await addAccount(query, person);
    await query("select public.personal_workspace($1)", [person]);
  }
  const [made] = await query<{ id: string }>(
    "insert into public.workspaces (slug, name) values ('blue-team', 'Blue team') returning id",
  );
  team = made?.id ?? "none";
  await join(ada, "owner");
});

const join = (person: string, role: string) =>
  query("insert into public.members (workspace_id, user_id, role) values ($1, $2, $3)", [
    team,
    person,
    role,
  ]);

type Mine = { id: string; slug: string; role: string; personal: boolean; shared: boolean };

async function listedFor(person: string, aal = "aal1") {
  const sql = "select * from public.my_workspaces()";
  const rows = await readAs<Mine>(query, person, sql, { aal });
  return rows.map(({ slug, role, personal, shared }) => [
    personal ? "personal" : slug,
    role,
    shared ? "shared" : "alone",
  ]);
}

test("a person reads their workspaces with their role, the personal one first, and which are shared", async () => {
  expect(await listedFor(ada)).toEqual([
    ["personal", "owner", "alone"],
    ["blue-team", "owner", "alone"],
  ]);
  expect(await listedFor(ben)).toEqual([["personal", "owner", "alone"]]);
  await join(ben, "viewer");
  expect(await listedFor(ada)).toEqual([
    ["personal", "owner", "alone"],
    ["blue-team", "owner", "shared"],
  ]);
  expect(await listedFor(ben)).toEqual([
    ["personal", "owner", "alone"],
    ["blue-team", "viewer", "shared"],
  ]);
});

test("a personal workspace of somebody else is none of one's own, and asking makes none", async () => {
  team = ada;
  await join(ben, "admin");
  expect((await listedFor(ben)).filter(([slug]) => slug === "personal")).toHaveLength(1);
  await query("delete from public.workspaces where id = $1", [ben]);
  expect((await listedFor(ben)).map(([, role]) => role)).toEqual(["admin"]);
});

test("a removed member no longer reads the workspace, and a person whose session has ended reads none", async () => {
  await join(ben, "viewer");
  await query("delete from public.members where user_id = $1 and workspace_id = $2", [ben, team]);
  expect(await listedFor(ben)).toEqual([["personal", "owner", "alone"]]);
  await query("delete from auth.sessions where user_id = $1", [ben]);
  expect(await listedFor(ben)).toEqual([]);
});

test("a workspace that wants a second factor is named to members who have not given one", async () => {
  await query("update public.workspaces set needs_second_factor = true where id = $1", [team]);
  for (const aal of ["aal1", "aal2"]) expect(await listedFor(ada, aal)).toHaveLength(2);
});

/** What a page reads for Ada, where the database answers her session with these rows. */
function readForAda(rows: () => Promise<unknown[]>, gaveSecondFactor = false) {
  const context = new RouterContextProvider();
  const configuration = { SUPABASE_URL: "https://project.supabase.co", SUPABASE_SECRET_KEY: "x" };
  context.set(appContext, { configuration } as unknown as AppContext);
  context.set(sessionContext, {
    visitor: async () => ({ state: "signed-in", userId: ada, gaveSecondFactor }),
    supabase: { rpc: async () => ({ data: await rows(), error: null }) },
  } as unknown as Session);
  return myWorkspaces(context);
}

const rowsOfAda = () => readAs(query, ada, "select * from public.my_workspaces()");

test("a workspace that wants a second factor is closed to a member until it is given", async () => {
  await query("update public.workspaces set needs_second_factor = true where id = $1", [team]);
  const closed = async (gaveSecondFactor: boolean) =>
    (await readForAda(rowsOfAda, gaveSecondFactor))?.map(({ isClosed }) => isClosed);
  expect(await closed(false)).toEqual([false, true]);
  expect(await closed(true)).toEqual([false, false]);
});

test("an account without a workspace gets its personal one when a page is read, and sees it at once", async () => {
  await query("truncate public.workspaces cascade");
  vi.stubGlobal("fetch", async (input: string, { body }: { body: string }) => {
    if (!input.endsWith("/rest/v1/rpc/personal_workspace"))
      throw new Error(`Nobody answers ${input}`);
    await query("select public.personal_workspace($1)", [JSON.parse(body).person]);
    return Response.json(null);
  });
  expect(await readForAda(rowsOfAda)).toMatchObject([{ isPersonal: true, base: "/dashboard" }]);
});
