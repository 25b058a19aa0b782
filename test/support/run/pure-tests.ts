import { relative } from "node:path";
import { parseCLI, type Vitest } from "vitest/node";
import { importersOf, importsOf } from "./imports.ts";

/** What runs programs of Debian's for a test: the tools for bundles, simulated machines, PostgreSQL. */
const programRunners = [
  "test/support/deployments/debian-tools.ts",
  "test/support/deployments/machine.ts",
  "test/support/database/open-database.ts",
  "test/support/database/postgres-program.ts",
];
/** These run some by themselves. */
const byThemselves = /^test\/unit\/(deployments|documentation|database)\//;

/**
 * Whether the command names files, and all of them are unit tests that need no program of Debian's: whoever runs one of
 * these for the first time waits for no package.
 */
export async function runsPureTestsAlone(vitest: Vitest): Promise<boolean> {
  const { filter } = parseCLI(["vitest", ...process.argv.slice(2)]);
  if (filter.length === 0) return false;
  const specifications = await vitest.globTestSpecifications(filter);
  const needing = importersOf(
    programRunners,
    importsOf("{app,workers,fakes,scripts,test}/**/*.{ts,tsx,mjs}"),
  );
  return specifications.every(({ project, moduleId }) => {
    const file = relative(process.cwd(), moduleId);
    return project.name === "unit" && !needing.has(file) && !byThemselves.test(file);
  });
}
