// `npm run proof:nightly`: the tests that draw by chance, each with new seeds. A seed with which one failed is added to
// test/support/run/failed-seeds.json, with which the proof repeats it from then on: commit that file with what mends the fault.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { readCommandLine } from "../../../scripts/lib/command-line.ts";

readCommandLine({
  usage: "npm run proof:nightly",
  about: `Runs the tests that draw by chance, each with three new seeds, and keeps each seed with which one of the proof
failed in test/support/run/failed-seeds.json. It takes about an hour.`,
});

const seeds = 3;
const path = "test/support/run/failed-seeds.json";

type FailedSeeds = Record<string, { seed: number; on: string }[]>;

const failedSeeds: FailedSeeds = JSON.parse(readFileSync(path, "utf8"));
const inProof = Object.keys(failedSeeds);
const properties = globSync("test/unit/**/*.test.ts").filter((file) =>
  readFileSync(file, "utf8").includes('from "fast-check"'),
);

/** Whether the tests of the file pass with the seed. */
function passes(file: string, project: string, seed: number): Promise<boolean> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", project, file];
  const env = { ...process.env, PROOF_SEED: String(seed) };
  const child = spawn(process.execPath, vitest, { stdio: "inherit", env });
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}

const failures: string[] = [];
for (let turn = 0; turn < seeds; turn++) {
  const seed = randomInt(1, 2 ** 31 - 1);
  for (const file of inProof) {
    if (await passes(file, "proof", seed)) continue;
    failures.push(`${file} with PROOF_SEED=${seed}`);
    failedSeeds[file]?.push({ seed, on: new Date().toISOString().slice(0, 10) });
    writeFileSync(path, `${JSON.stringify(failedSeeds, null, 2)}\n`);
  }
  for (const file of properties) {
    if (!(await passes(file, "unit", seed))) failures.push(`${file} with PROOF_SEED=${seed}`);
  }
}
const tried = seeds * (inProof.length + properties.length);
if (failures.length > 0)
  console.error(
    `Failed:\n${failures.join("\n")}\n${path} now says:\n${readFileSync(path, "utf8")}`,
  );
console.log(`${tried - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
