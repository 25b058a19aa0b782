import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres } from "../../support/database/postgres-server.ts";
import { asVersion } from "../../support/deploy/changed-answers.ts";
import { startProject, type Wrangler } from "../../support/deploy/deploy-project.ts";
import {
  type FaultProxy,
  type ProxyHandler,
  startFaultProxy,
} from "../../support/faults/fault-proxy.ts";
import { testInProof } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const formerVersion = "11111111-1111-4111-8111-111111111111";
const newVersion = "22222222-2222-4222-8222-222222222222";
const serving = (...versions: [string, number][]) =>
  JSON.stringify({
    id: "d1",
    source: "wrangler",
    versions: versions.map(([version_id, percentage]) => ({ version_id, percentage })),
  });

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let between: FaultProxy;

beforeAll(async () => {
  [postgres, between] = await Promise.all([startPostgres(), startFaultProxy(siteUrl)]);
});

afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), between[Symbol.asyncDispose]()]);
});

const siteUpload = "wrangler deploy --config=build/server/wrangler.json";
const serversUpload = "wrangler deploy --config=build/servers/wrangler.json";

/**
 * Deploys to the site behind the proxy, which behaves as these handlers say: before the site's own upload as the
 * former version, then as `now`, and after a rollback as `afterRollback`.
 */
async function deploy(
  wrangler: Wrangler,
  handler: { before?: ProxyHandler; now: ProxyHandler; afterRollback?: ProxyHandler },
  patience = "0",
) {
  await using project = await startProject({
    migrations: { "20260101000000_pets.sql": "create table if not exists pets (name text);" },
    wrangler: { uploaded: newVersion, ...wrangler },
  });
  between.behave(async (request, forward) => {
    const steps = await project.steps();
    const { before = asVersion(formerVersion), now, afterRollback = now } = handler;
    const isBack = steps.some((step) => step.startsWith("wrangler rollback"));
    const behaviour = isBack ? afterRollback : steps.includes(siteUpload) ? now : before;
    return behaviour(request, forward);
  });
  const outcome = await project.run(
    "scripts/deploy/deploy.ts",
    ["--site", between.url, "--patience", patience],
    { SUPABASE_DB_URL: postgres.url, SUPABASE_DB_CA: "" },
  );
  const steps = await project.steps();
  return { ...outcome, steps, wranglerSteps: steps.filter((step) => step.startsWith("wrangler")) };
}

testInProof("a deploy that passes its smoke test stays", async () => {
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
    "wrangler deployments status --json --config=build/servers/wrangler.json",
    "wrangler deployments status --json --config=build/server/wrangler.json",
    serversUpload,
    siteUpload,
  ]);
});

testInProof(
  "a version of the servers Worker with which the site of before fails is taken back, and no site is uploaded",
  async () => {
    const { code, output, complaint, steps } = await deploy(
      { serving: serving([formerVersion, 100]) },
      {
        before: asVersion(formerVersion, { servers: null }),
        now: asVersion(newVersion),
        afterRollback: asVersion(formerVersion, { servers: formerVersion }),
      },
    );
    expect(code).toBe(1);
    expect(output).toContain("the servers Worker does not answer the site");
    expect(complaint).toContain(`Version ${formerVersion} runs again`);
    expect(steps).not.toContain(siteUpload);
    expect(steps.at(-1)).toBe(
      `wrangler rollback ${formerVersion} --message=The smoke test failed. --yes --config=build/servers/wrangler.json`,
    );
  },
);

testInProof(
  "a site that is bound to another version of the servers Worker than the one uploaded is not proven",
  async () => {
    const { code, output } = await deploy(
      { serving: serving([formerVersion, 100]) },
      { before: asVersion(formerVersion, { servers: formerVersion }), now: asVersion(newVersion) },
    );
    expect(code).toBe(1);
    expect(output).toContain(`/healthz names version ${formerVersion} of the servers Worker`);
  },
);

testInProof("a servers Worker that wrangler does not take leaves the site as it was", async () => {
  const { code, complaint, steps } = await deploy(
    { serving: serving([formerVersion, 100]), codesOfServers: { deploy: 3 } },
    { now: asVersion(newVersion) },
  );
  expect(code).toBe(1);
  expect(complaint).toContain("The site still runs its former code.");
  expect(steps).not.toContain(siteUpload);
});

test("a version that fails its smoke test is taken back to the version before, by its name", async () => {
  const broken: ProxyHandler = async (request, forward) =>
    request.path === "/pricing"
      ? { status: 500, body: "Unexpected Application Error!" }
      : asVersion(newVersion)(request, forward);
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

testInProof("a wrangler that fails with the new version in service has it taken back", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    {
      serving: serving([formerVersion, 100]),
      servingAfter: serving([newVersion, 100]),
      codes: { deploy: 1 },
    },
    { now: asVersion(newVersion), afterRollback: asVersion(formerVersion) },
  );
  expect(code).toBe(1);
  expect(complaint).toContain(
    `wrangler deploy ended with code 1 (build/server/wrangler.json). Version ${formerVersion} runs`,
  );
  expect(wranglerSteps.at(-1)).toContain(`wrangler rollback ${formerVersion} `);
});

testInProof(
  "a wrangler that fails before it changed anything leaves the site as it was, and says so",
  async () => {
    const { code, complaint, wranglerSteps } = await deploy(
      { serving: serving([formerVersion, 100]), codes: { deploy: 3 } },
      { now: asVersion(formerVersion) },
    );
    expect(code).toBe(1);
    expect(complaint).toBe(
      "✗ wrangler deploy ended with code 3 (build/server/wrangler.json). The site still runs its former code. Mend what it says and run this again.\n",
    );
    expect(wranglerSteps.at(-1)).toContain("wrangler deployments status");
  },
);

testInProof(
  "a version that wrangler does not name cannot be waited for, and is taken back",
  async () => {
    const { code, complaint, wranglerSteps } = await deploy(
      { serving: serving([formerVersion, 100]), uploaded: "" },
      { now: asVersion(formerVersion) },
    );
    expect(code).toBe(1);
    expect(complaint).toContain(
      `wrangler did not name the version it uploaded. Version ${formerVersion} runs again`,
    );
    expect(wranglerSteps.at(-1)).toContain(`wrangler rollback ${formerVersion} `);
  },
);

testInProof(
  "a version that never answers is taken back too, and a site that stays broken is said",
  async () => {
    const { code, output, complaint } = await deploy(
      { serving: serving([formerVersion, 100]) },
      { now: asVersion(formerVersion), afterRollback: async () => "cut off" },
    );
    expect(code).toBe(1);
    expect(output).toContain(`/healthz is answered by version ${formerVersion}`);
    expect(complaint).toContain("The smoke test of that version fails too: look at the site now.");
  },
);

testInProof("a rollback that fails says how to do it by hand", async () => {
  const { code, complaint } = await deploy(
    { serving: serving([formerVersion, 100]), codes: { rollback: 1 } },
    { now: async () => "cut off" },
  );
  expect(code).toBe(1);
  expect(complaint).toContain(
    `Go back by hand: npx wrangler rollback ${formerVersion} --config=build/server/wrangler.json`,
  );
});

testInProof("the first deploy has nothing to go back to, and says so", async () => {
  const { code, complaint, wranglerSteps } = await deploy(
    {
      serving: "✘ [ERROR] This Worker does not exist on your account. [code: 10007]",
      codes: { deployments: 1 },
    },
    { now: async () => "cut off" },
  );
  expect(code).toBe(1);
  expect(complaint).toContain("there is no version before to go back to");
  expect(wranglerSteps).toHaveLength(4);
});

testInProof.each([
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
  expect(wranglerSteps.join()).not.toContain("wrangler deploy ");
  const { rows } = await postgres.database.query(
    "select to_regclass('supabase_migrations.schema_migrations') as history",
  );
  expect(rows).toEqual([{ history: null }]);
});
