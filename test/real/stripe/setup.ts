import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { step } from "../../../scripts/lib/terminal.mjs";
import { startProgram } from "../media/world/program.ts";
import { closeParams, readDescription } from "./description.ts";
import { fakedOperations } from "./faked-operations.ts";
import { type Difference, layOver } from "./overlay.ts";
import { recordMoneyTests } from "./recording.ts";
import { findStripeRequirements } from "./requirements.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What every file of the proof of Stripe's API reads. */
    stripe: {
      /** Where stripe-mock listens. */
      mock: string;
      /** The folder of what the other tests sent and were answered. */
      recording: string;
      /** Those of them that failed. */
      failed: string[];
      /** The description with the pinned version's differences laid over it. */
      description: string;
      differences: Difference[];
      isCustomDescription: boolean;
    };
  }
}

/** Ports from here: the site and its fakes, and stripe-mock after them. */
const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);

/**
 * Once for all files: the other tests, recorded; Stripe's description as the pinned version has it; and
 * stripe-mock with it. A recording that STRIPE_RECORDED names is used as it is.
 */
export default async function setup(project: TestProject) {
  process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/livekit-deploy/compiled");
  const requirements = findStripeRequirements();
  const folder = mkdtempSync(join(tmpdir(), "real-stripe-"));
  await using started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));

  const recording = process.env.STRIPE_RECORDED ?? join(folder, "recording");
  const failed = process.env.STRIPE_RECORDED
    ? []
    : await step("The tests of everything that costs money, recorded", () =>
        recordMoneyTests(recording),
      );
  const description = readDescription(requirements.description);
  const differences = layOver(description, fakedOperations());
  closeParams(description);
  const file = join(folder, "description.json");
  writeFileSync(file, JSON.stringify(description));

  const port = portBase + 30;
  started.use(
    await startProgram(
      [requirements.program, "-http-addr", `127.0.0.1:${port}`, "-spec", file],
      /^Listening for HTTP/,
    ),
  );
  project.provide("stripe", {
    mock: `http://127.0.0.1:${port}`,
    recording,
    failed,
    description: file,
    differences,
    isCustomDescription: requirements.isCustomDescription,
  });
  project.provide("sites", [{ url: `http://127.0.0.1:${portBase + 4}`, portBase }]);
  const transferred = started.move();
  return () => transferred.disposeAsync();
}
