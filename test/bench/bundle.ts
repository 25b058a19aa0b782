import type { DeploymentOptions } from "../../app/features/deployments/bundle/options/options.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { median, rounded } from "./median.ts";

const rounds = 15;

/** How long `bundle()` takes, in milliseconds: over every two answers together, and in the slowest of those. */
export function measureBundle(): { medianMs: number; slowestMs: number; combinations: number } {
  const combinations = pairwiseOptions(200);
  for (const options of combinations) bundle(options);
  const medians = combinations.map((options) =>
    median(Array.from({ length: rounds }, () => milliseconds(options))),
  );
  return {
    medianMs: rounded(median(medians), 3),
    slowestMs: rounded(Math.max(...medians), 3),
    combinations: combinations.length,
  };
}

function milliseconds(options: DeploymentOptions): number {
  const start = performance.now();
  bundle(options);
  return performance.now() - start;
}
