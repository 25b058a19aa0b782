import { globSync, readFileSync } from "node:fs";
import { formOf, type Recorded } from "../../../fakes/stripe/recording.ts";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** The tests about money, by where they are, and those that end a plan for another reason. */
const aboutMoney = /billing|stripe|account-deletion|workspaces\/(settings|team-plan)/;

/** Of the many others that buy a plan first each sends what these send: `requests.test.ts` sees that no call is missing. */
function moneyTests(folders: string): string[] {
  return globSync(`test/${folders}/**/*.test.ts`)
    .filter((file) => aboutMoney.test(file))
    .sort();
}

/** Of the proof those in a browser: the others send in bulk what these send once. */
function moneyTestsOfProof(): string[] {
  return moneyTests("proof").filter((file) => readFileSync(file, "utf8").includes("openPage("));
}

/**
 * Runs them, and records what the fake was sent and what it said into a folder. Answers the names of the
 * tests that failed: what they sent is looked at all the same.
 */
export async function recordMoneyTests(folder: string): Promise<string[]> {
  return record(folder, [...moneyTests("{integration,journeys}"), ...moneyTestsOfProof()]);
}

/** The proof leaves out no test of theirs. */
async function record(folder: string, files: string[]): Promise<string[]> {
  const failed = new Set<string>();
  const program = startNodeProgram("node_modules/vitest/vitest.mjs", {
    arguments: ["run", "--project=proof", ...files],
    environment: { STRIPE_RECORDING: folder, NO_COLOR: "1" },
    onLine: (line) => line.startsWith(" FAIL ") && failed.add(line.trim()),
  });
  const code = await program.exited;
  if (code !== 0 && failed.size === 0)
    throw new PlainFailure(
      `The tests that are recorded did not run:\n${program.lastLines().join("\n")}`,
    );
  return [...failed];
}

/** What was recorded, each form of request, answer and event once. */
export function readRecording(folder: string): Recorded[] {
  const files = globSync(`${folder}/*.jsonl`).sort();
  const lines = files.flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
  const byForm = new Map<string, Recorded>();
  for (const line of lines) {
    const recorded: Recorded = JSON.parse(line);
    const form = formOf(recorded);
    if (!byForm.has(form)) byForm.set(form, recorded);
  }
  return [...byForm.values()];
}
