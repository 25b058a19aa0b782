import { execFile } from "node:child_process";
import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMigrations } from "../../deploy/database/migration-files.ts";
import { startPostgres } from "../fixtures/postgres-server.ts";

const ownNamespace = "0123456789abcdef0123456789abcdef";
const exampleNamespace = "00000000000000000000000000000000";
const pets = "create table pets (name text primary key);";

let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

/**
 * A project with these migrations, whose build and wrangler only write down that they ran: so the
 * real command can go all the way without a Cloudflare account.
 */
async function startProject({
  migrations = { "20260101000000_pets.sql": pets } as Record<string, string>,
  namespace = ownNamespace,
  wranglerCode = 0,
} = {}) {
  await postgres.database.exec(
    "drop schema if exists supabase_migrations cascade; drop schema public cascade; create schema public",
  );
  const folder = await mkdtempDisposable(join(tmpdir(), "deploy-"));
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  };
  const config = JSON.stringify({ kv_namespaces: [{ binding: "PAGE_CACHE", id: namespace }] });
  await put("package.json", '{ "type": "commonjs" }');
  await put("steps", "");
  for (const [file, sql] of Object.entries(migrations))
    await put(`supabase/migrations/${file}`, sql);
  await put(
    "node_modules/@react-router/dev/bin.cjs",
    `const fs = require("node:fs");
     fs.mkdirSync("build/server", { recursive: true });
     fs.writeFileSync("build/server/wrangler.json", ${JSON.stringify(config)});
     fs.appendFileSync("steps", "build\\n");`,
  );
  await put(
    "node_modules/wrangler/bin/wrangler.js",
    `require("node:fs").appendFileSync("steps", "wrangler " + process.argv.slice(2).join(" ") + "\\n");
     process.exit(${wranglerCode});`,
  );
  return {
    deploy: (args: string[] = [], url = postgres.url) => runDeploy(args, { cwd: folder.path, url }),
    async steps() {
      return (await readFile(join(folder.path, "steps"), "utf8")).trim().split("\n");
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

type Outcome = { code: number; output: string; complaint: string };

function runDeploy(args: string[], { cwd, url }: { cwd: string; url: string }): Promise<Outcome> {
  const env = { ...process.env, SUPABASE_DB_URL: url, SUPABASE_DB_CA: "" };
  return new Promise((settled) => {
    execFile(
      process.execPath,
      ["--", resolve("deploy/deploy.ts"), ...args],
      { cwd, env },
      (error, output, complaint) =>
        settled({ code: typeof error?.code === "number" ? error.code : 0, output, complaint }),
    );
  });
}

async function tableExists(name: string): Promise<boolean> {
  const { rows } = await postgres.database.query<{ found: boolean }>(
    "select to_regclass($1) is not null as found",
    [name],
  );
  return rows[0]?.found ?? false;
}

test("a deploy migrates the database, then uploads the build", async () => {
  await using project = await startProject();
  const { code, output, complaint } = await project.deploy();
  expect(complaint).toBe("");
  expect(code).toBe(0);
  expect(output).toContain("✓ Applied 20260101000000_pets.sql");
  expect(await tableExists("public.pets")).toBe(true);
  expect(await project.steps()).toEqual([
    "build",
    "wrangler deploy --config=build/server/wrangler.json",
  ]);

  const again = await project.deploy();
  expect(again.code).toBe(0);
  expect(again.output).toContain("✓ The database has every migration");
});

test("a dry run names the pending migrations, has wrangler try, and changes nothing", async () => {
  await using project = await startProject({ namespace: exampleNamespace });
  const { code, output } = await project.deploy(["--dry-run"]);
  expect(code).toBe(0);
  expect(output).toContain("20260101000000_pets.sql");
  expect(output).toContain("Dry run: nothing was changed. PAGE_CACHE in wrangler.toml still has");
  expect(await tableExists("public.pets")).toBe(false);
  expect(await project.steps()).toEqual([
    "build",
    "wrangler deploy --config=build/server/wrangler.json --dry-run",
  ]);
});

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

test("the example's namespace ids are refused before the database is touched", async () => {
  await using project = await startProject({ namespace: exampleNamespace });
  const { code, complaint } = await project.deploy();
  expect(code).toBe(1);
  expect(complaint).toContain("npx wrangler kv namespace create PAGE_CACHE");
  expect(await tableExists("public.pets")).toBe(false);
  expect(await project.steps()).toEqual(["build"]);
});

test("a wrangler that fails fails the deploy", async () => {
  await using project = await startProject({ wranglerCode: 3 });
  const { code, complaint } = await project.deploy();
  expect(code).toBe(1);
  expect(complaint).toContain(
    "wrangler deploy ended with code 3. The site still runs its former code.",
  );
});

test("a database that does not answer stops everything, and its password is not shown", async () => {
  await using project = await startProject();
  const { code, complaint } = await project.deploy(
    [],
    "postgresql://postgres:hunter2@127.0.0.1:9/p",
  );
  expect(code).toBe(1);
  expect(complaint).toBe("✗ The database did not let us in: connect ECONNREFUSED 127.0.0.1:9\n");
  expect(await project.steps()).toEqual([""]);
});

test.each([
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

test("our own site passes a dry run: its migrations are read and wrangler takes its build", async () => {
  const { code, output, complaint } = await runDeploy(["--dry-run"], {
    cwd: resolve("."),
    url: postgres.url,
  });
  expect(complaint).not.toContain("✗");
  expect(code).toBe(0);
  for (const { file } of readMigrations("supabase/migrations")) expect(output).toContain(file);
  expect(output).toMatch(/Total Upload: .* gzip/);
});
