import { inject } from "vitest";
import { exampleVariables, type Variables } from "../../../fakes/dev-vars.ts";
import { type RunningWorker, startWorker } from "../../../scripts/lib/worker.ts";

const site = inject("sites")[Number(process.env.VITEST_POOL_ID) - 1];
if (!site) throw new Error("More test files run at a time than there are sites.");

/** The site that this file's turn has to itself, and where its fakes listen. */
export const { url: siteUrl, portBase } = site;

let started = 0;

/** One more site for this file, beside its own, with other variables or other built configurations of our Workers. */
export function startOwnWorker(
  variables: (siteUrl: string) => Variables,
  configPath?: string,
  serversPath?: string,
) {
  // The shared one stays at the tenth port for as long as the process.
  const port = portBase + 11 + (started++ % 19);
  return startWorker(port, variables, configPath, serversPath);
}

let shared: Promise<RunningWorker> | undefined;

/**
 * One more site with the usual variables, for tests that steer its Worker from inside: its fleets' clocks, its log, its
 * cron. The files of a process share it, since a Worker costs two seconds of a core to start; it ends with the process.
 */
export async function sharedWorker(): Promise<RunningWorker> {
  shared ??= startWorker(portBase + 10, (siteUrl) => exampleVariables({ siteUrl, portBase }));
  const worker = await shared;
  worker.takeLogs();
  return worker;
}
