import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { readNode } from "../../../scripts/deploy/program.ts";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { buildSite, isBuildCurrent } from "../../../scripts/lib/site-build.ts";
import { step } from "../../../scripts/lib/terminal.mjs";
import { type AuthProgram, findRequirements } from "./requirements.ts";
import { migrateAuth } from "./servers/auth-server.ts";
import { databasesAt } from "./servers/databases.ts";
import { realPorts } from "./servers/ports.ts";
import { startPostgres } from "./servers/postgres.ts";
import { restSideRights } from "./servers/supabase-roles.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What every file of the proof builds its project on. */
    real: { authServer: AuthProgram; postgresPort: number };
  }
}

/** The database of a project with both sets of migrations. Each file works on a copy of its own. */
export const template = "prepared";

/** Ports from here: the gateway, the fakes, the site, and what the real side needs. */
const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);

/**
 * Once for all files: the build, and a PostgreSQL in which the auth server has made its tables and the
 * deploy's own command ours, as the owner of a hosted project.
 */
export default async function setup(project: TestProject) {
  process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/livekit-deploy/compiled");
  const { authServer } = findRequirements();
  if (!isBuildCurrent()) await buildSite(startNodeProgram);
  const { postgres: postgresPort } = realPorts(portBase);
  await using started = new AsyncDisposableStack();
  started.use(await step("Starting PostgreSQL", () => startPostgres(postgresPort)));
  const databases = databasesAt(postgresPort);
  await databases.createProject(template);
  await step("Migrations of the auth server", async () => {
    migrateAuth(authServer, databases.url("supabase_auth_admin", template));
  });
  await databases.run(template, restSideRights);
  await step("Migrations of the site, by npm run deploy", async () => {
    process.env.SUPABASE_DB_URL = databases.url("postgres", template);
    const { code, output, complaint } = await readNode("scripts/deploy/deploy.ts", [
      "--database-only",
    ]);
    if (code !== 0) throw new Error(`The deploy's migrations failed:\n${output}${complaint}`);
  });
  project.provide("real", { authServer, postgresPort });
  project.provide("sites", [{ url: `http://127.0.0.1:${portBase + 4}`, portBase }]);
  const transferred = started.move();
  return () => transferred.disposeAsync();
}
