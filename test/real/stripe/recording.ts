import { globSync, readFileSync } from "node:fs";
import { formOf, type Recorded } from "../../../fakes/stripe/recording.ts";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** The tests about money, by where they are, and those that end a plan for another reason. */
const aboutMoney = /billing|stripe|account-deletion|workspaces\/(settings|team-plan)/;

/**
 * Of the many others that buy a plan first, and of the proof, each sends what these send: `requests.test.ts` sees that no
 * call is missing.
 */
function moneyTests(): string[] {
  return globSync("test/{integration,journeys}/**/*.test.ts")
    .filter((file) => aboutMoney.test(file))
    .sort();
}

/** Only here `stripe:setup` changes what it has made before, which is left to the proof. */
const ofSetup = "test/integration/deploy/stripe-setup-conflicts.test.ts";

/**
 * Runs them as `npm test` does, and records what the fake was sent and what it said into a folder. Answers the names of
 * the tests that failed: what they sent is looked at all the same.
 */
export async function recordMoneyTests(folder: string): Promise<string[]> {
  const files = moneyTests().filter((file) => file !== ofSetup);
  return [
    ...(await record(folder, ["--project=integration", "--project=journeys", ...files])),
    ...(await record(folder, ["--project=proof", ofSetup])),
  ];
}

async function record(folder: string, what: string[]): Promise<string[]> {
  const failed = new Set<string>();
  const program = startNodeProgram("node_modules/vitest/vitest.mjs", {
    arguments: ["run", ...what],
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
