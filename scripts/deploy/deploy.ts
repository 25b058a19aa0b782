// `npm run deploy`: applies migrations to the database, builds and uploads both Workers, and with --site checks them.
// Exit codes: 0 done, 1 failed, 2 wrong arguments.
// Run it as `node -- scripts/deploy/deploy.ts`: without the dashes Node takes --env-file as its own option.

import { startNodeProgram } from "../lib/child.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { readSettings, runCommand, UsageError } from "../lib/settings.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { PlainFailure, step } from "../lib/terminal.mjs";
import { readRetryFor, readSite } from "../smoke/call.ts";
import { findIncompatible } from "./database/compatibility.ts";
import { openDatabase } from "./database/connection.ts";
import { readMigrations } from "./database/migration-files.ts";
import { applyMigrations, pendingMigrations } from "./database/migrations.ts";
import { deployProven } from "./proven.ts";
import { builtConfig, exampleNamespace, serversConfig } from "./worker-config.ts";
import { servingVersion, upload } from "./wrangler.ts";

const usage =
  "npm run deploy -- [--env-file FILE] [--dry-run | --database-only | --site URL [--patience SECONDS]]";
const { values } = readCommandLine({
  usage,
  about: `Migrates the database, builds and deploys both Workers, looks at the site, and goes back if it fails. Everything
that can be checked is checked before the first change. docs/operations.md has what it needs.`,
  options: {
    "env-file": { type: "string", value: "FILE", help: "has what is not in the environment" },
    "dry-run": { type: "boolean", default: false, help: "checks everything, and changes nothing" },
    "database-only": {
      type: "boolean",
      default: false,
      help: "migrates the database, and deploys nothing",
    },
    site: {
      type: "string",
      value: "URL",
      help: "looks at it afterwards; a version that fails is taken back",
    },
    patience: {
      type: "string",
      default: "60",
      value: "SECONDS",
      help: "how long what is not yet well is looked at again",
    },
  },
});

const tryAgain = "Mend what it says and run this again.";
const checkByHand = (config: string) =>
  `The new version may be in service, and nobody has looked at it: see npx wrangler deployments status --config=${config}.`;

type Call = ReturnType<typeof readCall>;

await runCommand(usage, () => run(readCall()), "✗ ");

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
  const before = site
    ? {
        servers: await servingVersion(serversConfig),
        site: await servingVersion(builtConfig),
      }
    : undefined;

  if (!dryRun && pending.length > 0) {
    const applied = await applyMigrations(database, migrations);
    console.log(
      `✓ Applied ${applied.map(({ file }) => file).join(", ") || "nothing: it was done"}`,
    );
  }
  if (databaseOnly) return;
  if (dryRun) {
    await upload(["deploy", `--config=${serversConfig}`, "--dry-run"], tryAgain);
    await upload(["deploy", `--config=${builtConfig}`, "--dry-run"], tryAgain);
    console.log(`\nDry run: nothing was changed.${problem ? ` ${problem}` : ""}`);
  } else if (site && before) {
    await deployBoth(site, before, call.retryForMs);
  } else {
    for (const config of [serversConfig, builtConfig]) {
      await upload(["deploy", `--config=${config}`], checkByHand(config));
    }
  }
}

/**
 * The servers Worker first: the site that runs now must be well with it, before a newer site is. The site's own
 * upload comes after that, and rolling it back leaves the other as it is.
 */
async function deployBoth(
  site: string,
  before: { site: string | undefined; servers: string | undefined },
  retryForMs: number,
): Promise<void> {
  const servers = before.site
    ? await deployProven({
        config: serversConfig,
        before: before.servers,
        site,
        named: (version) => ({ site: before.site, servers: version }),
        retryForMs,
      })
    : (await upload(["deploy", `--config=${serversConfig}`], tryAgain)).versionId;
  await deployProven({
    config: builtConfig,
    before: before.site,
    site,
    named: (version) => ({ site: version, servers }),
    retryForMs,
  });
}

function incompatible(objections: readonly string[]): string {
  return (
    `The version that runs now may not survive this, and nothing was changed:\n${objections.map((each) => `    ${each}`).join("\n")}\n` +
    'Add first and remove in a later deploy; or say above the statement why it is safe: "-- allowed: …"'
  );
}

function readCall() {
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
