import { bundle } from "../app/deployments/bundle/bundle.ts";
import type { DeploymentOptions } from "../app/deployments/bundle/options.ts";
import { pairwiseOptions } from "../test/fixtures/bundle-cases.ts";

const rounds = 15;

/** How long `bundle()` takes, in milliseconds: over every two answers together, and in the slowest of those. */
export function measureBundle(): { medianMs: number; slowestMs: number; combinations: number } {
  const combinations = pairwiseOptions(200);
  for (const options of combinations) bundle(options);
  const medians = combinations.map((options) =>
    middle(Array.from({ length: rounds }, () => milliseconds(options))),
  );
  return {
    medianMs: middle(medians),
    slowestMs: Math.max(...medians),
    combinations: combinations.length,
  };
}

function milliseconds(options: DeploymentOptions): number {
  const start = performance.now();
  bundle(options);
  return performance.now() - start;
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
