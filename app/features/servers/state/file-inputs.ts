import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";

/** What the files of a saved version are made of: its options, and where machines find the console. */
export type FileInputs = {
  options: DeploymentOptions;
  version: number;
  url: string;
  knownBad?: string;
};
