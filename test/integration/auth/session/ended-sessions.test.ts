import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import { claimsOf, signed } from "../../../../fakes/supabase/access-token.ts";
import { localJwtSecret } from "../../../../fakes/supabase/fake.ts";
import { askDatabase } from "../../../support/attacks/stored-rows.ts";
import { openDatabase } from "../../../support/database/open-database.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { signWithKeyPair } from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";
const faultySite = siteWithFaults();

test("a cookie that was copied reads nothing once its session was ended elsewhere", async () => {
  // As at a hosted project: nobody need ask the auth server whether a token is good.
  await signWithKeyPair();
  const id = await storeDeployment(await idOfSignedIn(), fullOptions());
  const paths = [
    "/dashboard",
    `/dashboard/deployments/${id}`,
    `/dashboard/deployments/${id}/versions`,
    `/dashboard/deployments/${id}/bundle.zip`,
    `/dashboard/deployments/${id}/files/livekit.yaml`,
    "/openai-config/own",
    "/openai-config/usage",
  ];
  const [here, there] = [await signedIn(email), await signedIn(email)];
  for (const path of paths) expect((await there.request(path)).status, path).toBe(200);
  const token = there.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  const rows = await askDatabase("deployments?select=id", { token });
  expect(await rows.json()).toEqual([{ id }]);

  await here.post("/signout", { scope: "global" });
  // What one Worker remembers for a minute at most, another has never known.
  await using elsewhere = await startOwnWorker((siteUrl) =>
    exampleVariables({ siteUrl, portBase }),
  );
  const copy = there.twin(elsewhere.url);
  for (const path of paths) {
    const response = await copy.request(path);
    expect([302, 401], `${path}: ${response.status}`).toContain(response.status);
    if (response.status === 302)
      expect(response.headers.get("location")).toContain("/signin?next=");
  }
  // A page that still shows something asks this, and goes blank at 401.
  expect((await copy.post("/auth/refresh", {})).status).toBe(401);
  const none = await askDatabase("deployments?select=id", { token });
  expect([none.status, await none.json()]).toEqual([200, []]);
});

test.each(sample(["local", "others", "global"], 1))(
  "the Worker that ends a session (%s) does not go on remembering it",
  async (scope) => {
    await signWithKeyPair();
    const [here, there] = [await signedIn(email), await signedIn(email)];
    const ended = (scope === "others" ? there : here).twin();
    for (const visitor of [here, ended]) expect(await statusOfDeployments(visitor)).toBe(200);
    expect((await here.post("/signout", { scope })).status).toBe(303);
    expect(await statusOfDeployments(ended)).toBe(302);
  },
);

/** Of a page that asks the database whether a session lives, and the auth server nothing. */
async function statusOfDeployments(visitor: Visitor): Promise<number> {
  return (await visitor.request("/dashboard/deployments")).status;
}

async function idOfSignedIn(): Promise<string> {
  await signedIn(email);
  return email;
}

testInProof("requests of one session ask the database once for some seconds", async () => {
  const visitor = await signedIn(email, faultySite().url);
  const paths = ["/dashboard", "/dashboard/deployments", "/openai-config/own", "/auth/refresh"];
  await Promise.all(paths.map((path) => visitor.request(path)));
  for (const path of paths) await visitor.request(path);
  const checks = faultySite().supabaseProxy.requests.filter(({ path }) =>
    path.includes("check_session"),
  );
  expect(checks).toHaveLength(1);
});

test("a session that nobody used for a week is over, and costs the auth server no question", async () => {
  const visitor = await signedIn(email, faultySite().url);
  const week = 7 * 24 * 60 * 60;
  visitor.changeSession((session) => {
    const claims = claimsOf(String(session.access_token));
    const exp = Math.floor(Date.now() / 1_000) - week - 60;
    const access_token = signed({ ...claims, exp }, localJwtSecret);
    return { ...session, access_token, expires_at: exp };
  });
  const before = faultySite().supabaseProxy.requests.length;
  const response = await visitor.request("/dashboard");
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    "/signin?next=%2Fdashboard",
  ]);
  expect(faultySite().supabaseProxy.requests.slice(before)).toEqual([]);
});

testInProof(
  "once an hour the sessions that are over their limits are ended at the auth server",
  async () => {
    const endRequests = () =>
      faultySite().supabaseProxy.requests.filter(({ path }) => path.includes("end_old_sessions"));
    await faultySite().runScheduled(Date.parse("2026-11-22T10:16:00Z"));
    expect(endRequests()).toEqual([]);
    await faultySite().runScheduled(Date.parse("2026-11-22T10:17:00Z"));
    expect(endRequests()).toHaveLength(1);
  },
);

describe("the database says of a session", () => {
  const person = "00000000-0000-4000-8000-000000000001";
  const session = "00000000-0000-4000-8000-000000000002";
  let lite: Awaited<ReturnType<typeof openDatabase>>;

  beforeAll(async () => {
    lite = await openDatabase();
    await lite.database.query(
      "insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', 'a@example.com')",
      [person],
    );
  });
  afterAll(() => lite?.close());

  async function withSession(fields: Record<string, string>): Promise<string> {
    await lite.database.exec("delete from auth.sessions; delete from auth.mfa_factors");
    const columns = { id: `'${session}'`, user_id: `'${person}'`, ...fields };
    await lite.database.exec(
      `insert into auth.sessions (${Object.keys(columns)}) values (${Object.values(columns)})`,
    );
    return check();
  }

  async function check(of = person): Promise<string> {
    const { rows } = await lite.database.query<{ answer: string }>(
      "select public.check_session($1, $2) as answer",
      [session, of],
    );
    return rows[0]?.answer ?? "";
  }

  /** Whether row-level security lets the holder of a token of this session read what is theirs. */
  async function mayReadOwn(claims: Record<string, string> = {}): Promise<boolean | undefined> {
    const token = { sub: person, session_id: session, aal: "aal1", ...claims };
    await lite.database.query(
      "select set_config('request.jwt.claims', $1, false), set_config('request.jwt.claim.sub', $2, false)",
      [JSON.stringify(token), token.sub],
    );
    const { rows } = await lite.database.query<{ may: boolean }>(
      "select public.may_read_own() as may",
    );
    return rows[0]?.may;
  }

  const ago = (days: number) => `now() - interval '${days} days'`;

  test.each([
    ["one that has just begun", { created_at: "now()" }, "alive"],
    ["29 days old and used yesterday", { created_at: ago(29), refreshed_at: ago(1) }, "alive"],
    ["31 days old and used yesterday", { created_at: ago(31), refreshed_at: ago(1) }, "ended"],
    ["not used for 6 days", { created_at: ago(20), refreshed_at: ago(6) }, "alive"],
    ["not used for 8 days", { created_at: ago(20), refreshed_at: ago(8) }, "ended"],
    ["never refreshed, 8 days old", { created_at: ago(8) }, "ended"],
    ["over by the auth server's own limit", { created_at: ago(1), not_after: ago(0.5) }, "ended"],
  ] as [string, Record<string, string>, string][])("%s: it is %s", async (_, fields, answer) => {
    expect(await withSession(fields)).toBe(answer);
    expect(await mayReadOwn()).toBe(answer === "alive");
    const { rows: listed } = await lite.database.query("select id from public.sessions_of($1)", [
      person,
    ]);
    expect(listed).toHaveLength(answer === "alive" ? 1 : 0);
    await lite.database.exec("select public.end_old_sessions()");
    const { rows } = await lite.database.query("select id from auth.sessions");
    expect(rows).toHaveLength(answer === "alive" ? 1 : 0);
  });

  test("of nobody else that it is theirs, and whether a second factor is set up", async () => {
    expect(await withSession({ created_at: "now()" })).toBe("alive");
    const somebodyElse = "00000000-0000-4000-8000-000000000009";
    expect(await check(somebodyElse)).toBe("ended");
    expect(await mayReadOwn({ sub: somebodyElse })).toBe(false);
    await lite.database.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, status, secret)
       values (gen_random_uuid(), $1, 'App', 'unverified', 'x')`,
      [person],
    );
    expect(await check()).toBe("alive");
    await lite.database.exec("update auth.mfa_factors set status = 'verified'");
    expect(await check()).toBe("two-factor");
    expect([await mayReadOwn(), await mayReadOwn({ aal: "aal2" })]).toEqual([false, true]);
  });

  test("every table that people read is closed to sessions that are not there", async () => {
    const { rows } = await lite.database.query<{ tablename: string; closed: boolean }>(
      `select tablename, bool_or(permissive = 'RESTRICTIVE' and qual like '%may_read_own%') as closed
       from pg_policies where schemaname = 'public' group by tablename order by tablename`,
    );
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.filter(({ closed }) => !closed)).toEqual([]);
  });
});
