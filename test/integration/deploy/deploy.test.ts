import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { startPostgres } from "../../support/database/postgres-server.ts";
import {
  exampleNamespace,
  startProject as startFakeProject,
  testNamespace,
  type Wrangler,
} from "../../support/deploy/deploy-project.ts";
import { testInProof } from "../../support/run/variants.ts";

const pets = "create table pets (name text primary key);";

let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

/** A project whose database is empty; `deploy` runs the real command there. */
async function startProject({
  migrations = { "20260101000000_pets.sql": pets } as Record<string, string>,
  namespace = testNamespace,
  wrangler = {} as Wrangler,
} = {}) {
  await postgres.database.exec(
    "drop schema if exists supabase_migrations cascade; drop schema public cascade; create schema public",
  );
  const project = await startFakeProject({
    migrations,
    config: { kv_namespaces: [{ binding: "PAGE_CACHE", id: namespace }] },
    wrangler,
  });
  return {
    ...project,
    deploy: (args: string[] = [], url = postgres.url) =>
      project.run("scripts/deploy/deploy.ts", args, { SUPABASE_DB_URL: url, SUPABASE_DB_CA: "" }),
  };
}

async function tableExists(name: string): Promise<boolean> {
  const { rows } = await postgres.database.query<{ found: boolean }>(
    "select to_regclass($1) is not null as found",
    [name],
  );
  return rows[0]?.found ?? false;
}

test("a deploy migrates the database, then uploads the servers Worker and then the site", async () => {
  await using project = await startProject();
  const { code, output, complaint } = await project.deploy();
  expect(complaint).toBe("");
  expect(code).toBe(0);
  expect(output).toContain("✓ Applied 20260101000000_pets.sql");
  expect(await tableExists("public.pets")).toBe(true);
  expect(await project.steps()).toEqual([
    "build",
    "wrangler deploy --config=build/servers/wrangler.json",
    "wrangler deploy --config=build/server/wrangler.json",
  ]);

  const again = await project.deploy();
  expect(again.code).toBe(0);
  expect(again.output).toContain("✓ The database has every migration");
});

testInProof(
  "a dry run names the pending migrations, has wrangler try, and changes nothing",
  async () => {
    await using project = await startProject({ namespace: exampleNamespace });
    const { code, output } = await project.deploy(["--dry-run"]);
    expect(code).toBe(0);
    expect(output).toContain("20260101000000_pets.sql");
    expect(output).toContain("Dry run: nothing was changed. PAGE_CACHE in wrangler.toml still has");
    expect(await tableExists("public.pets")).toBe(false);
    expect(await project.steps()).toEqual([
      "build",
      "wrangler deploy --config=build/servers/wrangler.json --dry-run",
      "wrangler deploy --config=build/server/wrangler.json --dry-run",
    ]);
  },
);

test("when a migration fails nothing is deployed", async () => {
  await using project = await startProject({
    migrations: { "20260101000000_broken.sql": `${pets}\nselect * from nowhere;` },
  });
  const { code, complaint } = await project.deploy();
  expect(code).toBe(1);
  expect(complaint).toBe(
    '✗ 20260101000000_broken.sql failed and was rolled back: relation "nowhere" does not exist (line 2)\n',
  );
  expect(await tableExists("public.pets")).toBe(false);
  expect(await project.steps()).toEqual(["build"]);
});

testInProof(
  "a migration that the running version may not survive is refused before anything changes",
  async () => {
    await using project = await startProject();
    expect((await project.deploy()).code).toBe(0);
    await project.put("supabase/migrations/20260102000000_gone.sql", "drop table pets;");
    const { code, complaint } = await project.deploy();
    expect(code).toBe(1);
    expect(complaint).toContain("20260102000000_gone.sql, line 1: drop table pets");
    expect(complaint).toContain('"-- allowed: …"');
    expect(await tableExists("public.pets")).toBe(true);
    expect(await project.steps()).toHaveLength(3);
  },
);

testInProof("the database alone can be brought forward, as for previews", async () => {
  await using project = await startProject({ namespace: exampleNamespace });
  const { code, output } = await project.deploy(["--database-only"]);
  expect(code).toBe(0);
  expect(output).toContain("✓ Applied 20260101000000_pets.sql");
  expect(await tableExists("public.pets")).toBe(true);
  expect(await project.steps()).toEqual([""]);
});

testInProof("the example's namespace ids are refused before the database is touched", async () => {
  await using project = await startProject({ namespace: exampleNamespace });
  const { code, complaint } = await project.deploy();
  expect(code).toBe(1);
  expect(complaint).toContain("npx wrangler kv namespace create PAGE_CACHE");
  expect(await tableExists("public.pets")).toBe(false);
  expect(await project.steps()).toEqual(["build"]);
});

testInProof.each([
  ["codes", "build/server/wrangler.json"],
  ["codesOfServers", "build/servers/wrangler.json"],
])("a wrangler that fails fails the deploy: %s", async (codes, config) => {
  await using project = await startProject({ wrangler: { [codes]: { deploy: 3 } } });
  const { code, complaint } = await project.deploy();
  expect(code).toBe(1);
  expect(complaint).toContain(
    `wrangler deploy ended with code 3 (${config}). The new version may be in service, and nobody has looked at it: see npx wrangler deployments status --config=${config}.`,
  );
});

testInProof(
  "a database that does not answer stops everything, and its password is not shown",
  async () => {
    await using project = await startProject();
    const { code, complaint } = await project.deploy(
      [],
      "postgresql://postgres:hunter2@127.0.0.1:9/p",
    );
    expect(code).toBe(1);
    expect(complaint).toBe("✗ The database did not let us in: connect ECONNREFUSED 127.0.0.1:9\n");
    expect(await project.steps()).toEqual([""]);
  },
);

testInProof.each([
  { url: "", says: "SUPABASE_DB_URL is missing" },
  { url: "hunter2", says: "SUPABASE_DB_URL must look like" },
  { url: "https://user:hunter2@example.com/postgres", says: "SUPABASE_DB_URL must look like" },
  { url: "postgresql://u:hunter2@db.example/p?sslmode=disable", says: "Take sslmode out" },
])("called wrongly it ends with code 2 and says: $says", async ({ url, says }) => {
  await using project = await startProject();
  const { code, output, complaint } = await project.deploy([], url);
  expect(code).toBe(2);
  expect(output).toBe("");
  expect(complaint).toContain(says);
  expect(complaint).not.toContain("hunter2");
  expect(await project.steps()).toEqual([""]);
});

testInProof.each([
  { args: ["--site", "www.example.com"], says: "The site must look like https://www.example.com" },
  { args: ["--site", "https://www.example.com", "--dry-run"], says: "exclude one another" },
  { args: ["--site", "https://a.example", "--patience", "soon"], says: "takes whole seconds" },
])("$args is refused with code 2", async ({ args, says }) => {
  await using project = await startProject();
  const { code, complaint } = await project.deploy(args);
  expect(code).toBe(2);
  expect(complaint).toContain(says);
  expect(await project.steps()).toEqual([""]);
});

test("what is deployed compares its records with Stripe's each minute", () => {
  const { triggers } = JSON.parse(readFileSync("build/server/wrangler.json", "utf8"));
  expect(triggers).toEqual({ crons: ["* * * * *"] });
});

testInProof(
  "our own site passes a dry run: its migrations are read and wrangler takes its build",
  async () => {
    const { code, output, complaint } = await runCommand(
      "scripts/deploy/deploy.ts",
      ["--dry-run"],
      {
        environment: { SUPABASE_DB_URL: postgres.url, SUPABASE_DB_CA: "" },
      },
    );
    expect(complaint).not.toContain("✗");
    expect(code).toBe(0);
    for (const { file } of readMigrations("supabase/migrations")) expect(output).toContain(file);
    expect(output.match(/Total Upload: .* gzip/g)).toHaveLength(2);
  },
);
