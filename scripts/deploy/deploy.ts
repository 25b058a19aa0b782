// `npm run deploy`: applies migrations to the database, builds and uploads the Worker, and with --site checks it.
// Exit codes: 0 done, 1 failed, 2 wrong arguments.
// Run it as `node -- scripts/deploy/deploy.ts`: without the dashes Node takes --env-file as its own option.
import { parseArgs } from "node:util";
import { startNodeProgram } from "../lib/child.ts";
import { readSettings, UsageError } from "../lib/settings.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { PlainFailure, step } from "../lib/terminal.mjs";
import { readRetryFor, readSite, report } from "../smoke/call.ts";
import { smokeTest } from "../smoke/smoke-test.ts";
import { findIncompatible } from "./database/compatibility.ts";
import { openDatabase } from "./database/connection.ts";
import { readMigrations } from "./database/migration-files.ts";
import { applyMigrations, pendingMigrations } from "./database/migrations.ts";
import { builtConfig, exampleNamespace } from "./worker-config.ts";
import { rollBack, servingVersion, upload } from "./wrangler.ts";

const usage =
  "npm run deploy -- [--env-file FILE] [--dry-run | --database-only | --site URL [--patience SECONDS]]";

const tryAgain = "Mend what it says and run this again.";
const lookYourself =
  "The new version may be in service, and nobody has looked at it: see npx wrangler deployments status.";

type Call = ReturnType<typeof readCall>;

try {
  await run(readCall());
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
 * Migrations are applied before the upload: new code may need them, and they must be compatible with the code that
 * still runs. Everything that can be checked is checked before the first change. With `site`, a version that fails
 * the smoke test is rolled back.
 */
async function run(call: Call): Promise<void> {
  const { dryRun, databaseOnly, site } = call;
  const migrations = readMigrations("supabase/migrations");
  await using database = await openDatabase(call.settings);
  const pending = await pendingMigrations(database, migrations);
  console.log(
    pending.length === 0
      ? "✓ The database has every migration"
      : `  Migrations to apply:\n${pending.map(({ file }) => `    ${file}`).join("\n")}`,
  );
  const former = migrations.filter((migration) => !pending.includes(migration));
  const objections = findIncompatible(pending, former);
  if (objections.length > 0) throw new PlainFailure(incompatible(objections));

  let problem: string | undefined;
  if (!databaseOnly) {
    if (!isBuildCurrent()) await step("Building the site", () => buildSite(startNodeProgram));
    problem = exampleNamespace();
    if (problem && !dryRun) throw new PlainFailure(problem);
  }
  const versionBefore = site && !dryRun ? await servingVersion(builtConfig) : undefined;

  if (!dryRun && pending.length > 0) {
    const applied = await applyMigrations(database, migrations);
    console.log(
      `✓ Applied ${applied.map(({ file }) => file).join(", ") || "nothing: it was done"}`,
    );
  }
  if (databaseOnly) return;
  if (dryRun) {
    await upload(["deploy", `--config=${builtConfig}`, "--dry-run"], tryAgain);
    console.log(`\nDry run: nothing was changed.${problem ? ` ${problem}` : ""}`);
  } else if (site) {
    await deployProven({ site, before: versionBefore, retryForMs: call.retryForMs });
  } else {
    await upload(["deploy", `--config=${builtConfig}`], lookYourself);
  }
}

/** The site to test, and the version to roll back to when the test fails; `before` is undefined without one. */
type Proof = { site: string; before: string | undefined; retryForMs: number };

/** Uploads a version and runs the smoke test. When either fails, it rolls back and throws. */
async function deployProven(proof: Proof): Promise<void> {
  const { site, before, retryForMs } = proof;
  const uploaded = await upload(["deploy", `--config=${builtConfig}`]).catch(
    async (error: unknown) => {
      const failure = error instanceof Error ? error.message : String(error);
      // Wrangler sets routes and schedules after the version, so it may fail when the new version already runs.
      const isAsBefore = (await servingVersion(builtConfig)) === before;
      if (isAsBefore) {
        throw new PlainFailure(`${failure} The site still runs its former code. ${tryAgain}`);
      }
      return takeBack(failure, proof);
    },
  );
  const version = uploaded.versionId;
  if (!version) return takeBack("wrangler did not name the version it uploaded.", proof);
  console.log(`\n  Looking at ${site}`);
  if (report(await smokeTest(site, { version, retryForMs }))) return;
  return takeBack("The smoke test failed.", proof);
}

/** Rolls back to the version before, and throws an error that says what happened. */
async function takeBack(why: string, { site, before, retryForMs }: Proof): Promise<never> {
  if (!before) throw new PlainFailure(`${why} And there is no version before to go back to.`);
  await rollBack(builtConfig, before, why);
  const restored = report(await smokeTest(site, { version: before, retryForMs }));
  throw new PlainFailure(
    `${why} Version ${before} runs again; the database keeps its migrations. ` +
      (restored
        ? "Mend what is said above and deploy again."
        : "The smoke test of that version fails too: look at the site now."),
  );
}

function incompatible(objections: readonly string[]): string {
  return (
    `The version that runs now may not survive this, and nothing was changed:\n${objections.map((each) => `    ${each}`).join("\n")}\n` +
    'Add first and remove in a later deploy; or say above the statement why it is safe: "-- allowed: …"'
  );
}

function readCall() {
  const { values } = parse();
  const { "dry-run": dryRun, "database-only": databaseOnly, site } = values;
  if ([dryRun, databaseOnly, site !== undefined].filter(Boolean).length > 1) {
    throw new UsageError("--dry-run, --database-only and --site exclude one another.");
  }
  return {
    settings: readSettings(values["env-file"]),
    dryRun,
    databaseOnly,
    site: site === undefined ? undefined : readSite(site),
    retryForMs: readRetryFor(values.patience),
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        "env-file": { type: "string" },
        "dry-run": { type: "boolean", default: false },
        "database-only": { type: "boolean", default: false },
        site: { type: "string" },
        patience: { type: "string", default: "60" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
