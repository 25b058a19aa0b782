// `npm test`: types, lint and every test that is not the proof's. With names (`npm test -- billing`) the tests of those
// features at all levels; with `--changed` the tests that the changes since `origin/main`, or since `--since COMMIT`,
// can reach. What follows the first other option goes to Vitest: `npm test -- billing -t "part of a name"`.
import { execFileSync, spawn } from "node:child_process";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { asksForHelp, helpOf } from "../../../scripts/lib/command-line.ts";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { importsOf } from "./imports.ts";
import { filesOfFeature, filesReachedBy, levels, testFiles } from "./selection.ts";
import { refuseUnknown } from "./vitest-options.ts";
import { isDue } from "./when-changed.ts";

type Command = { names: string[]; isChanged: boolean; since: string | undefined; vitest: string[] };

function readCommand(given: readonly string[]): Command {
  const command: Command = { names: [], isChanged: false, since: undefined, vitest: [] };
  const rest = [...given];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === "--changed") command.isChanged = true;
    else if (next === "--since") command.since = rest.shift() ?? refuse("--since needs a commit.");
    else if (next.startsWith("-")) return { ...command, vitest: [next, ...rest] };
    else command.names.push(next);
  }
  if (command.isChanged && command.names.length > 0)
    refuse("Name features, or say --changed: not both.");
  return command;
}

function refuse(sentence: string): never {
  throw new PlainFailure(sentence);
}

function git(...given: string[]): string[] {
  return execFileSync("git", given, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .split("\n")
    .filter((line) => line !== "");
}

/**
 * What differs from `since`, or from the commit that `main` and this tree share; on `main` itself from the commit
 * before. Undefined where git cannot say.
 */
function changedFiles(since: string | undefined): string[] | undefined {
  try {
    const [head] = git("rev-parse", "HEAD");
    const [shared] = since ? [since] : git("merge-base", "HEAD", "origin/main");
    const base = !shared || shared === head ? "HEAD^" : shared;
    return [
      ...git("diff", "--name-only", "--no-renames", "--relative", base),
      ...git("ls-files", "--others", "--exclude-standard"),
    ];
  } catch {
    return undefined;
  }
}

type Selection = { files: string[]; says: string };

function select({ names, isChanged, since }: Command): Selection {
  const all = testFiles();
  if (names.length > 0) {
    const files = [
      ...new Set(
        names.flatMap((name) => {
          const found = filesOfFeature(name, all);
          return found.length > 0 ? found : refuse(`No test file of npm test is of ${name}.`);
        }),
      ),
    ];
    return { files, says: `${names.join(", ")}: ${files.length} files of ${all.length}` };
  }
  const changed = changedFiles(since);
  if (isChanged) {
    if (!changed) return refuse("Git does not say what changed. Name a commit: --since COMMIT");
    const imports = importsOf("{app,workers,fakes,scripts,test}/**/*.{ts,tsx,mjs}");
    const files = filesReachedBy(changed, imports, all);
    return {
      files,
      says: `${changed.length} changed files reach ${files.length} test files of ${all.length}`,
    };
  }
  const files = all.filter((file) => isDue(file, changed));
  const left = all.length - files.length;
  const says =
    left === 0
      ? `All ${all.length} test files`
      : `${files.length} test files; ${left} look only at what is as it is on main: \`npm run proof\` has them`;
  return { files, says };
}

/** The promise fails with what the program printed. */
async function check(script: string, ...given: string[]): Promise<void> {
  const lines: string[] = [];
  const program = startNodeProgram(script, {
    arguments: given,
    onLine: (line) => lines.push(line),
  });
  if ((await program.exited) !== 0) throw new PlainFailure(lines.join("\n"));
}

async function checkTypesAndStyle(): Promise<void> {
  const npm = process.env.npm_execpath ?? refuse("Run it as `npm test`.");
  await check(npm, "run", "types");
  await Promise.all([
    // Several checkers are no quicker beside the tests, and together work twice as long.
    check("node_modules/typescript/bin/tsc", "--noEmit", "--singleThreaded"),
    check(npm, "run", "lint"),
  ]);
}

/** A project without files is left out, so that unit tests alone build nothing and start no site. */
function startVitest(files: readonly string[], given: readonly string[]) {
  const projects = levels
    .filter((level) => files.some((file) => file.startsWith(`test/${level}/`)))
    .flatMap((level) => ["--project", level]);
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...projects, ...files, ...given],
    { stdio: "inherit" },
  );
  const exited = new Promise<number>((resolve) =>
    child.once("close", (code) => resolve(code ?? 1)),
  );
  return { exited, end: () => child.kill("SIGINT") };
}

const help = helpOf({
  usage: "npm test [-- FEATURE… | FILE… | --changed] [OPTIONS OF VITEST]",
  about: `Type check, lint and every test that takes no minutes: five minutes on two quiet cores. With the names of features
(npm test -- billing) their tests at all levels, with files those files. What follows the first other option goes to
Vitest: npm test -- billing -t "part of a name".`,
  options: {
    changed: { type: "boolean", help: "the tests that the changes since origin/main can reach" },
    since: {
      type: "string",
      value: "COMMIT",
      help: "with --changed: the changes since that commit",
    },
  },
});

try {
  if (asksForHelp(process.argv.slice(2))) {
    console.log(help);
    process.exit(0);
  }
  const command = readCommand(process.argv.slice(2));
  refuseUnknown(command.vitest);
  const { files, says } = select(command);
  console.log(says);
  const vitest = startVitest(files, command.vitest);
  if (command.names.length === 0) {
    // Beside the tests, which wait for the build first. A mistake ends them.
    await checkTypesAndStyle().catch(async (error) => {
      vitest.end();
      await vitest.exited;
      throw error;
    });
  }
  process.exitCode = await vitest.exited;
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exitCode = 1;
}
