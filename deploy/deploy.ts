// Brings the site into the world. Exit codes: 0 done, 1 failed, 2 called wrongly.
// Run as `node -- deploy/deploy.ts`: without the dashes Node takes --env-file for its own.
import { parseArgs } from "node:util";
import { startNodeProgram } from "../local/child.ts";
import { buildSite, isBuildCurrent } from "../local/site-build.ts";
import { PlainFailure, step } from "../local/terminal.mjs";
import { openDatabase } from "./database/connection.ts";
import { readMigrations } from "./database/migration-files.ts";
import { applyMigrations, pendingMigrations } from "./database/migrations.ts";
import { runNode } from "./program.ts";
import { readSettings, UsageError } from "./settings.ts";
import { builtConfig, exampleNamespace } from "./worker-config.ts";

const usage = "npm run deploy -- [--env-file FILE] [--dry-run]";

try {
  await run();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nUsage: ${usage}`);
    process.exitCode = 2;
  } else {
    console.error(error instanceof PlainFailure ? `✗ ${error.message}` : error);
    process.exitCode = 1;
  }
}

/**
 * The database goes first: new code may need it, and a migration must suit the code that still runs.
 * Everything that can be refused is refused before the first change.
 */
async function run(): Promise<void> {
  const { settings, dryRun } = readCall();
  const migrations = readMigrations("supabase/migrations");
  await using database = await openDatabase(settings);
  const pending = await pendingMigrations(database, migrations);
  console.log(
    pending.length === 0
      ? "✓ The database has every migration"
      : `  Migrations to apply:\n${pending.map(({ file }) => `    ${file}`).join("\n")}`,
  );

  if (!isBuildCurrent()) await step("Building the site", () => buildSite(startNodeProgram));
  const problem = exampleNamespace();
  if (problem && !dryRun) throw new PlainFailure(problem);

  if (!dryRun && pending.length > 0) {
    const applied = await applyMigrations(database, migrations);
    console.log(
      `✓ Applied ${applied.map(({ file }) => file).join(", ") || "nothing: it was done"}`,
    );
  }
  const code = await runNode("node_modules/wrangler/bin/wrangler.js", [
    "deploy",
    `--config=${builtConfig}`,
    ...(dryRun ? ["--dry-run"] : []),
  ]);
  if (code !== 0) {
    throw new PlainFailure(
      `wrangler deploy ended with code ${code}. ${dryRun ? "" : "The site still runs its former code. "}Mend what it says and run this again.`,
    );
  }
  if (dryRun) console.log(`\nDry run: nothing was changed.${problem ? ` ${problem}` : ""}`);
}

function readCall() {
  try {
    const { values } = parseArgs({
      options: {
        "env-file": { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
    return { settings: readSettings(values["env-file"]), dryRun: values["dry-run"] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
