import * as z from "zod/mini";
import type { Problem } from "./bundle/bundle-types.ts";
import type { DeploymentOptions } from "./bundle/options/options.ts";
import { parseOptions } from "./bundle/options/parse-options.ts";

/** What leads from saved choices to a server with an app on it, in the order in which it is done. */
export const progressSteps = ["files", "machine", "dns", "answer", "doctor", "connect"] as const;
export type ProgressStep = (typeof progressSteps)[number];

/** That a step is done: for which version, when, and whether the person said so or the site saw it. */
const tickSchema = z.object({
  version: z.int(),
  at: z.string(),
  how: z.enum(["hand", "site"]),
});
export type Tick = z.output<typeof tickSchema>;
export type Ticks = Partial<Record<ProgressStep, Tick>>;

/** Where the server is that was made from a version. */
export type ServerAddress = { ipv4?: string; ipv6?: string; version: number };

/** Options as stored may be from an older version of the product, or broken. */
export type StoredOptions = { options: DeploymentOptions } | { problems: Problem[] };

export type Deployment = {
  id: string;
  /** Whose it is. */
  workspaceId: string;
  name: string;
  /** Counts the saved versions from 1. */
  version: number;
  stored: StoredOptions;
  ticks: Ticks;
  /** Undefined until somebody has pasted it. */
  address: ServerAddress | undefined;
  /** The version that the customer's server runs: as it reports, else as they say, and then since when. */
  applied: { version: number; at: string | undefined } | undefined;
  createdAt: string;
  updatedAt: string;
};

/** Options from the database, migrated and checked: they are never trusted as they are. */
export function readStoredOptions(stored: unknown): StoredOptions {
  const { options, problems } = parseOptions(stored);
  return options ? { options } : { problems };
}

/** The ticks of a row; whatever else is in the column is left out. */
export function readTicks(stored: unknown): Ticks {
  const ticks: Ticks = {};
  for (const step of progressSteps) {
    const tick = tickSchema.safeParse(Object(stored)[step]);
    if (tick.success) ticks[step] = tick.data;
  }
  return ticks;
}
