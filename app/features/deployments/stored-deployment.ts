import type { Problem } from "./bundle/bundle-types.ts";
import type { DeploymentOptions } from "./bundle/options/options.ts";
import { parseOptions } from "./bundle/options/parse-options.ts";

/** What the person has done after the download, as the time when they said so. */
export const progressSteps = ["files", "dns", "machine", "doctor"] as const;
export type ProgressStep = (typeof progressSteps)[number];
export type Progress = Partial<Record<ProgressStep, string>>;

/** Options as stored may be from an older version of the product, or broken. */
export type StoredOptions = { options: DeploymentOptions } | { problems: Problem[] };

export type Deployment = {
  id: string;
  name: string;
  /** Counts the saved versions from 1. */
  version: number;
  stored: StoredOptions;
  progress: Progress;
  createdAt: string;
  updatedAt: string;
};

/** Options from the database, migrated and checked: they are never trusted as they are. */
export function readStoredOptions(stored: unknown): StoredOptions {
  const { options, problems } = parseOptions(stored);
  return options ? { options } : { problems };
}

/** The steps that were marked as done; whatever else is in the column is left out. */
export function readProgress(stored: unknown): Progress {
  const progress: Progress = {};
  if (typeof stored !== "object" || stored === null) return progress;
  for (const [step, time] of Object.entries(stored)) {
    const known = progressSteps.find((each) => each === step);
    if (known && typeof time === "string") progress[known] = time;
  }
  return progress;
}
