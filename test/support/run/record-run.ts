import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Run, sealed } from "../../../app/features/marketing/proof/run.ts";
import { measurementsVariable } from "./measured.ts";

const recordFile = "app/content/runs.json";

const git = (...given: string[]) => spawnSync("git", given, { encoding: "utf8" });
const outputOf = (...given: string[]) => git(...given).stdout.trim();

/** Whether the branch of the repository that everybody sees has this commit. A branch's own is gone after its rebase. */
const isOnMain = (commit: string) =>
  git("merge-base", "--is-ancestor", commit, "main").status === 0;

/**
 * Where and on what a run runs. With a `refusal` nothing is recorded, since the commit would be named for what it did not
 * measure, or could not be found by a reader. What runs write themselves does not count.
 */
export function runOrigin() {
  const written = [recordFile, "test/bench/results.json", "README.md", "docs/benchmarks.md"];
  const uncommitted = outputOf(
    "status",
    "--porcelain",
    "--",
    ".",
    ...written.map((file) => `:!${file}`),
  );
  const commit = outputOf("rev-parse", "HEAD").slice(0, 12);
  const origin: Pick<Run, "commit" | "machine" | "startedAt"> = {
    commit,
    machine: `${availableParallelism()} cores`,
    startedAt: new Date().toISOString(),
  };
  const refusal =
    uncommitted !== ""
      ? `Only a run of what is committed is recorded. Commit first:\n${uncommitted}`
      : isOnMain(commit)
        ? undefined
        : "Only a run of a commit on main is recorded: a branch's own is gone after its rebase.";
  return { origin, refusal };
}

/** Puts a run into the place of the last one of its name, which the page /proof then shows. */
export async function recordRun(name: string, run: Run): Promise<void> {
  const record = JSON.parse(readFileSync(recordFile, "utf8")) as Record<string, unknown>;
  const entries = Object.entries({ ...record, [name]: await sealed(run) });
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

const results = z.object({ numPassedTests: z.number(), numTotalTests: z.number() });

/**
 * Runs vitest, and records the run when all of its tests passed. Answers vitest's status; 1 where a test did not run, 2
 * where it runs nothing.
 */
export async function recordTests(
  name: string,
  vitest: readonly string[],
  { command, versions }: Pick<Run, "command" | "versions">,
): Promise<number> {
  const { origin, refusal } = runOrigin();
  if (refusal) {
    console.error(refusal);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "recorded-run-"));
  try {
    const [output, measurements] = [join(folder, "results.json"), join(folder, "measurements")];
    writeFileSync(measurements, "");
    const reporters = ["default", "json", "./test/support/run/summary-reporter.ts"];
    const { status } = spawnSync(
      process.execPath,
      [
        ...vitest,
        ...reporters.map((reporter) => `--reporter=${reporter}`),
        `--outputFile.json=${output}`,
      ],
      { stdio: "inherit", env: { ...process.env, [measurementsVariable]: measurements } },
    );
    if (status !== 0) return status ?? 1;
    const { numPassedTests, numTotalTests } = results.parse(
      JSON.parse(readFileSync(output, "utf8")),
    );
    if (numPassedTests !== numTotalTests || numTotalTests === 0) return 1;
    const seconds = Math.round((Date.now() - Date.parse(origin.startedAt)) / 1000);
    await recordRun(name, {
      ...{ command, ...origin, seconds, versions, passed: numPassedTests },
      measurements: measurementsIn(readFileSync(measurements, "utf8")),
    });
    console.log(`The run is recorded in ${recordFile}.`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const line = z.tuple([z.string(), z.number()]);

function measurementsIn(lines: string): Record<string, number[]> {
  const measured = lines
    .split("\n")
    .filter(Boolean)
    .map((text) => line.parse(JSON.parse(text)));
  const byName = Map.groupBy(measured, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.map(([, value]) => value)]),
  );
}
