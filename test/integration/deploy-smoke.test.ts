import { resolve } from "node:path";
import { setTimeout as passing } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSite } from "../../deploy/smoke/call.ts";
import { smokeTest } from "../../deploy/smoke/smoke-test.ts";
import { runCommand, startProject, type Wrangler } from "../fixtures/deploy-project.ts";
import { type Conduct, type GoBetween, startGoBetween } from "../fixtures/go-between.ts";
import { siteUrl } from "../fixtures/own-site.ts";
import { startPostgres } from "../fixtures/postgres-server.ts";

const formerVersion = "11111111-1111-4111-8111-111111111111";
const newVersion = "22222222-2222-4222-8222-222222222222";
const serving = (...versions: [string, number][]) =>
  JSON.stringify({
    id: "d1",
    source: "wrangler",
    versions: versions.map(([version_id, percentage]) => ({ version_id, percentage })),
  });

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let between: GoBetween;

beforeAll(async () => {
  [postgres, between] = await Promise.all([startPostgres(), startGoBetween(siteUrl)]);
});

afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), between[Symbol.asyncDispose]()]);
});

/** The answer of the real site, changed. */
function changing(
  path: string,
  change: (answer: { status: number; headers: Record<string, string>; body: string }) => object,
): Conduct {
  return async (asked, forward) => {
    const answer = await forward();
    if (asked.path !== path) return answer;
    const body = Buffer.from(answer.body).toString();
    return { ...answer, ...change({ status: answer.status, headers: answer.headers ?? {}, body }) };
  };
}

const withoutHeader = (path: string, name: string) =>
  changing(path, ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
  }));

/** As version `id`, whatever the real site is called. */
function asVersion(id: string): Conduct {
  return changing("/healthz", () => ({ body: JSON.stringify({ status: "ok", version: id }) }));
}

async function problems(patienceMs = 0): Promise<string[]> {
  const outcomes = await smokeTest(between.url, { patienceMs });
  return outcomes.flatMap(({ promise, problem }) => (problem ? `${promise}: ${problem}` : []));
}

test("the shipped site passes its smoke test, and says so check by check", async () => {
  const { code, output, complaint } = await runCommand("deploy/smoke.ts", [siteUrl], {
    cwd: resolve("."),
  });
  expect(complaint).toBe("");
  expect(output).not.toContain("✗");
  expect(output.match(/^✓/gm)).toHaveLength(9);
  expect(code).toBe(0);
});

test.each<[string, Conduct, string]>([
  [
    "a home page without its words",
    changing("/", ({ body }) => ({ body: body.replaceAll("Confidence", "Luck") })),
    'the home page is there: / does not say "Deploy LiveKit Server with Confidence"',
  ],
  [
    "a wrong price",
    changing("/pricing", ({ body }) => ({ body: body.replaceAll("$109.99", "$1.09") })),
    '/pricing shows the prices: /pricing does not say "$109.99"',
  ],
  [
    "lost files",
    async (asked, forward) =>
      asked.path.startsWith("/assets/") ? { status: 404, body: "" } : forward(),
    "the files that a page names are there",
  ],
  [
    "a policy that lets any script run",
    changing("/", ({ headers }) => ({
      headers: { ...headers, "content-security-policy": "script-src 'self' 'unsafe-inline'" },
    })),
    "pages carry the security headers: the header content-security-policy of / says",
  ],
  [
    "no HSTS",
    withoutHeader("/", "strict-transport-security"),
    "the header strict-transport-security of / is missing",
  ],
  [
    "a page that no cache holds",
    withoutHeader("/faq", "cache-status"),
    "public pages come through the page cache: the header cache-status of /faq is missing",
  ],
  [
    "an unknown address that answers 200",
    changing("/no-such-page", () => ({ status: 200 })),
    "/no-such-page answered 200 instead of 404",
  ],
  [
    "a dashboard for everybody",
    changing("/dashboard", () => ({ status: 200 })),
    "the dashboard asks visitors to sign in: /dashboard answered 200 instead of 302",
  ],
  [
    "a checkout for foreign pages",
    changing("/api/create-checkout-session", () => ({ status: 200, body: "{}" })),
    "a checkout does not start for a foreign page",
  ],
  [
    "a Worker without its variables",
    async () => ({ status: 500, body: "This site is not set up yet" }),
    "the Worker runs and has its variables: /healthz answered 500 instead of 200",
  ],
  [
    "a site that hangs up",
    async () => "cut off",
    "the Worker runs and has its variables: no answer",
  ],
])("%s does not pass", async (_, conduct, says) => {
  between.behave(conduct);
  const found = await problems();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(says);
});

test("one lost answer does not fail the test", async () => {
  let lost = 0;
  between.behave(async (asked, forward) =>
    asked.path === "/pricing" && lost++ === 0 ? "cut off" : forward(),
  );
  expect(await problems(10_000)).toEqual([]);
  expect(lost).toBe(2);
});

test("one lost answer does not fail the test of a version that took all the patience to arrive", async () => {
  const patienceMs = 1_500;
  let lost = 0;
  between.behave(async (asked, forward) => {
    if (asked.path === "/healthz") await passing(patienceMs);
    return asked.path === "/pricing" && lost++ === 0 ? "cut off" : forward();
  });
  expect(await problems(patienceMs)).toEqual([]);
  expect(lost).toBe(2);
});

test("the smoke test called without a site ends with code 2", async () => {
  const { code, complaint } = await runCommand("deploy/smoke.ts", [], { cwd: resolve(".") });
  expect(code).toBe(2);
  expect(complaint).toContain("Name one site.\nUsage: npm run smoke -- SITE");
});

test.each(["www.example.com", "https://www.example.com/pricing", "ftp://www.example.com"])(
  "%s is no site",
  (given) => {
    expect(() => readSite(given)).toThrow("The site must look like https://www.example.com");
  },
);

/** Deploys to the site behind the go-between, which behaves as told before and after a rollback. */
async function deploy(
  wrangler: Wrangler,
  conduct: { now: Conduct; afterRollback?: Conduct },
  patience = "0",
) {
  await using project = await startProject({
    migrations: { "20260101000000_pets.sql": "create table if not exists pets (name text);" },
    wrangler: { uploaded: newVersion, ...wrangler },
  });
  between.behave(async (asked, forward) => {
    const isBack = (await project.steps()).some((step) => step.startsWith("wrangler rollback"));
    return (isBack && conduct.afterRollback ? conduct.afterRollback : conduct.now)(asked, forward);
  });
  const outcome = await project.run(
    "deploy/deploy.ts",
    ["--site", between.url, "--patience", patience],
    { SUPABASE_DB_URL: postgres.url, SUPABASE_DB_CA: "" },
  );
  const steps = await project.steps();
  return { ...outcome, steps, wranglerSteps: steps.filter((step) => step.startsWith("wrangler")) };
}

test("a deploy that passes its smoke test stays", async () => {
  const { code, output, complaint, steps } = await deploy(
    { serving: serving([formerVersion, 100]) },
    { now: asVersion(newVersion) },
    "30",
  );
  expect(complaint).toBe("");
  expect(code).toBe(0);
  expect(output).toContain(`✓ version ${newVersion} answers`);
  expect(output).toContain("✓ /pricing shows the prices");
  expect(steps).toEqual([
    "build",
    "wrangler deployments status --json --config=build/server/wrangler.json",
    "wrangler deploy --config=build/server/wrangler.json",
  ]);
});

test("a version that fails its smoke test is taken back to the version before, by its name", async () => {
  const broken: Conduct = async (asked, forward) =>
    asked.path === "/pricing"
      ? { status: 500, body: "Unexpected Application Error!" }
      : asVersion(newVersion)(asked, forward);
  const { code, output, complaint, wranglerSteps } = await deploy(
    { serving: serving([formerVersion, 100]) },
    { now: broken, afterRollback: asVersion(formerVersion) },
    "2",
  );
  expect(code).toBe(1);
  expect(output).toContain("✗ /pricing shows the prices: /pricing answered 500 instead of 200");
  expect(output).toContain(`✓ version ${formerVersion} answers`);
  expect(complaint).toContain(`Version ${formerVersion} runs again; the database keeps`);
  expect(complaint).toContain("Mend what is said above and deploy again.");
  expect(wranglerSteps.at(-1)).toBe(
    `wrangler rollback ${formerVersion} --message=The smoke test failed. --yes --config=build/server/wrangler.json`,
  );
});

test("a wrangler that fails with the new version in service has it taken back", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    {
      serving: serving([formerVersion, 100]),
      servingAfter: serving([newVersion, 100]),
      codes: { deploy: 1 },
    },
    { now: asVersion(newVersion), afterRollback: asVersion(formerVersion) },
  );
  expect(code).toBe(1);
  expect(complaint).toContain(`wrangler deploy ended with code 1. Version ${formerVersion} runs`);
  expect(wranglerSteps.at(-1)).toContain(`wrangler rollback ${formerVersion} `);
});

test("a wrangler that fails before it changed anything leaves the site as it was, and says so", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    { serving: serving([formerVersion, 100]), codes: { deploy: 3 } },
    { now: asVersion(formerVersion) },
  );
  expect(code).toBe(1);
  expect(complaint).toBe(
    "✗ wrangler deploy ended with code 3. The site still runs its former code. Mend what it says and run this again.\n",
  );
  expect(wranglerSteps.at(-1)).toContain("wrangler deployments status");
});

test("a version that wrangler does not name cannot be waited for, and is taken back", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    { serving: serving([formerVersion, 100]), uploaded: "" },
    { now: asVersion(formerVersion) },
  );
  expect(code).toBe(1);
  expect(complaint).toContain(
    `wrangler did not name the version it uploaded. Version ${formerVersion} runs again`,
  );
  expect(wranglerSteps.at(-1)).toContain(`wrangler rollback ${formerVersion} `);
});

test("a version that never answers is taken back too, and a site that stays broken is said", async () => {
  const { code, output, complaint } = await deploy(
    { serving: serving([formerVersion, 100]) },
    { now: asVersion(formerVersion), afterRollback: async () => "cut off" },
  );
  expect(code).toBe(1);
  expect(output).toContain(`/healthz is answered by version ${formerVersion}`);
  expect(complaint).toContain("The smoke test of that version fails too: look at the site now.");
});

test("a rollback that fails says how to do it by hand", async () => {
  const { code, complaint } = await deploy(
    { serving: serving([formerVersion, 100]), codes: { rollback: 1 } },
    { now: async () => "cut off" },
  );
  expect(code).toBe(1);
  expect(complaint).toContain(`Go back by hand: npx wrangler rollback ${formerVersion}`);
});

test("the first deploy has nothing to go back to, and says so", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    {
      serving: "✘ [ERROR] This Worker does not exist on your account. [code: 10007]",
      codes: { deployments: 1 },
    },
    { now: async () => "cut off" },
  );
  expect(code).toBe(1);
  expect(complaint).toContain("there is no version before to go back to");
  expect(wranglerSteps).toHaveLength(2);
});

test.each([
  {
    why: "Cloudflare does not say which version runs",
    wrangler: {
      serving: "✘ [ERROR] Authentication error [code: 10000]",
      codes: { deployments: 1 },
    },
    says: "Cloudflare did not tell which version runs:\n✘ [ERROR] Authentication error",
  },
  {
    why: "visitors are divided among versions",
    wrangler: { serving: serving([formerVersion, 90], [newVersion, 10]) },
    says: `Visitors are divided among several versions: 90% ${formerVersion}, 10% ${newVersion}.`,
  },
])("nothing is changed when $why: there would be no way back", async ({ wrangler, says }) => {
  await postgres.database.exec("drop schema if exists supabase_migrations cascade");
  const { code, complaint, wranglerSteps } = await deploy(wrangler, { now: async () => "cut off" });
  expect(code).toBe(1);
  expect(complaint).toContain(says);
  expect(wranglerSteps).toHaveLength(1);
  const { rows } = await postgres.database.query(
    "select to_regclass('supabase_migrations.schema_migrations') as history",
  );
  expect(rows).toEqual([{ history: null }]);
});
