import type { DeploymentOptions } from "../../app/features/deployments/bundle/options/options.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { median, rounded } from "./median.ts";

const rounds = 15;

/** What a bundle may take in the median of all, in milliseconds: the budget of the design. */
export const maxMedianMs = 2;

/**
 * How long this thread works on `bundle()`, in milliseconds: over every two answers together, and in the slowest of
 * those.
 */
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
  const start = process.threadCpuUsage();
  bundle(options);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
