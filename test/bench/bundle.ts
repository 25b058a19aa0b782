import type { DeploymentOptions } from "../../app/features/deployments/bundle/options/options.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { median, rounded } from "./median.ts";

const rounds = 15;

/** What a bundle may take in the median of all, in milliseconds: the budget of the design. */
export const maxMedianMs = 2;

/** The same of a cluster of nine machines. */
export const maxClusterMs = 10;

const ofNine = optionsFrom({
  domain: "livekit.example.com",
  provider: "aws",
  recording: { kind: "local" },
  topology: { kind: "cluster", machines: 9 },
});

/**
 * How long this thread works on `bundle()`, in milliseconds: with every two answers together, and with the slowest of
 * those, and with a cluster of nine. Of each `rounds` in a row are measured, since some kernels count the time of a thread
 * in steps of 4 ms.
 */
export function measureBundle(): {
  medianMs: number;
  slowestMs: number;
  clusterMs: number;
  combinations: number;
} {
  const combinations = pairwiseOptions(200);
  for (const options of combinations) bundle(options);
  const each = combinations.map(milliseconds);
  bundle(ofNine);
  const cluster = Array.from({ length: 15 }, () => milliseconds(ofNine));
  return {
    medianMs: rounded(median(each), 3),
    slowestMs: rounded(Math.max(...each), 3),
    clusterMs: rounded(median(cluster), 3),
    combinations: combinations.length,
  };
}

function milliseconds(options: DeploymentOptions): number {
  const start = process.threadCpuUsage();
  for (let round = 0; round < rounds; round++) bundle(options);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / rounds;
}
