// `npm run mutation`: puts faults into the product's rules, one at a time and drawn by a seed, and says which of them
// `npm test` finds. In a copy of the last commit. `-- --count 50 --seed 1 --only money` and `-- --thorough`, which also
// runs the rest of `npm test` on what the area's own tests did not find.
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "../../scripts/lib/command-line.ts";
import { importersOf, importsOf } from "../support/run/imports.ts";
import { featureOf, levels, testFiles } from "../support/run/selection.ts";
import { seededRandom } from "../support/site/random.ts";
import { type Area, areas } from "./areas.ts";
import equivalents from "./equivalent-mutants.json" with { type: "json" };
import { describeMutant, type Mutant, mutantsOf, withMutant } from "./mutants.ts";

const { values } = readCommandLine({
  usage: "npm run mutation -- [--count N] [--seed N] [--only AREA] [--thorough] [--list]",
  about: `Puts faults into the product's rules, one at a time and drawn by a seed, and says which of them npm test does not
find. It works in a copy of the last commit, and takes about half a minute for each fault.`,
  options: {
    count: { type: "string", default: "50", value: "N", help: "how many faults: 50" },
    seed: { type: "string", default: "20261127", value: "N", help: "draws others" },
    only: {
      type: "string",
      value: "AREA",
      help: `one of ${areas.map(({ name }) => name).join(", ")}`,
    },
    thorough: {
      type: "boolean",
      default: false,
      help: "also runs the rest of npm test on what the area's own tests did not find",
    },
    list: {
      type: "boolean",
      default: false,
      help: "says which faults it would put in, and puts none in",
    },
  },
});
const chosen = areas.filter(({ name }) => !values.only || values.only === name);

type Drawn = { area: Area; mutant: Mutant; description: string };

/** As many of each area, each of another place. A mutant that changes nothing is named with its reason, and not drawn. */
function draw(): Drawn[] {
  const random = seededRandom(Number(values.seed));
  const each = Math.ceil(Number(values.count) / chosen.length);
  return chosen.flatMap((area) => {
    const found = globSync([...area.files], { cwd: copy })
      .filter((file) => !file.endsWith(".d.ts"))
      .sort()
      .flatMap((file) => {
        const text = readFileSync(join(copy, file), "utf8");
        return mutantsOf(file, text).map((mutant) => ({
          area,
          mutant,
          description: describeMutant(text, mutant),
        }));
      })
      .filter(({ description }) => !(description.replace(/:\d+:/, ":") in equivalents));
    return random.shuffled(found).slice(0, each);
  });
}

/**
 * The tests that import the file, then those of the area from outside, the cheapest level first, then the rest of
 * `npm test`.
 */
function stagesOf({ area, mutant: { file } }: Drawn): string[][] {
  const reached = importersOf([file], imports);
  const isSql = file.endsWith(".sql");
  const near = files.filter(
    (each) =>
      each.startsWith("test/unit/") &&
      (reached.has(each) || (isSql && area.features.includes(featureOf(each) ?? ""))),
  );
  const outside = files.filter(
    (each) => !each.startsWith("test/unit/") && area.features.includes(featureOf(each) ?? ""),
  );
  const byLevel = levels.map((level) => outside.filter((each) => levelOf(each) === level));
  const rest = files.filter((each) => !near.includes(each) && !outside.includes(each));
  return [near, ...byLevel, ...(values.thorough ? [rest] : [])].filter((stage) => stage.length > 0);
}

const levelOf = (file: string) => file.split("/")[1];

type Failure = { file: string | undefined; title: string };

/** The first test that fails in the copy; undefined where all pass. */
async function firstFailure(stage: readonly string[]): Promise<Failure | undefined> {
  const report = join(copy, "mutation-report.json");
  const projects = levels
    .filter((level) => stage.some((file) => file.startsWith(`test/${level}/`)))
    .flatMap((level) => ["--project", level]);
  const child = spawn(
    process.execPath,
    [
      ...["node_modules/vitest/vitest.mjs", "run", ...projects, ...stage, "--bail=1"],
      ...["--reporter=json", `--outputFile=${report}`],
    ],
    { cwd: copy, stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return undefined;
  if (!existsSync(report)) {
    // A site that does not build or start with the fault ends `npm test` too; anything else is no answer.
    if (/The site for the tests did not start|Build failed/.test(stderr))
      return { file: undefined, title: "the site does not start" };
    throw new Error(stderr);
  }
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  for (const { name, message, assertionResults } of testResults) {
    const file = name.replace(`${copy}/`, "");
    const failed = assertionResults.find(({ status }: { status: string }) => status === "failed");
    if (failed) return { file, title: failed.title };
    if (message) return { file, title: message.split("\n")[0] };
  }
  throw new Error(stderr);
}

const copy = mkdtempSync(join(tmpdir(), "livekit-mutation-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
execFileSync("git", ["clone", "-q", ".", copy]);
const drawn = draw();
if (values.list) {
  for (const { area, description } of drawn) console.log(`${area.name}: ${description}`);
  process.exit();
}
cpSync("node_modules", join(copy, "node_modules"), { recursive: true, verbatimSymlinks: true });
cpSync(".dev.vars", join(copy, ".dev.vars"));
const files = testFiles();
const imports = importsOf("{app,workers,fakes,scripts,test}/**/*.{ts,tsx,mjs}");

// What fails without a fault would count as found.
for (const stage of new Map(drawn.map((each) => [each.area.name, stagesOf(each)])).values()) {
  for (const files of stage) {
    const failure = await firstFailure(files);
    if (failure) throw new Error(`It fails without a fault: ${failure.file}: ${failure.title}`);
  }
}

const survivors: string[] = [];
for (const [index, each] of drawn.entries()) {
  const path = join(copy, each.mutant.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, withMutant(text, each.mutant));
  let found: Failure | undefined;
  for (const stage of stagesOf(each)) {
    found ??= await firstFailure(stage);
  }
  writeFileSync(path, text);
  // What fails without the fault too, such as on a machine that is too busy, has found nothing.
  if (found?.file && (await firstFailure([found.file]))) found = undefined;
  if (!found) survivors.push(each.description);
  const by = found ? [found.file, found.title].filter(Boolean).join(": ") : "NOT FOUND";
  console.log(`${index + 1}. ${each.area.name}: ${each.description}\n   ${by}`);
}
console.log(`\nNot found:\n${survivors.join("\n") || "none"}\n`);
console.log(`${drawn.length - survivors.length} passed, ${survivors.length} failed`);
process.exitCode = survivors.length > 0 ? 1 : 0;
