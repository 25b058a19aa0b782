import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { measureBundle } from "./bundle.ts";
import type { measureBytes } from "./bytes.ts";
import type { measureFleet } from "./fleet/fleet.ts";
import type { measureCalls, measureSessions } from "./fleet/sessions.ts";
import type { measureGrowth } from "./growth.ts";
import type { measureLighthouse } from "./lighthouse.ts";
import type { measurePageLoads } from "./page-load.ts";
import type { measureRequests } from "./requests.ts";
import type { measureStartUp } from "./start-up.ts";

const file = "test/bench/results.json";

/** When, and on what, the figures beside it were measured: they compare within one section only. */
type Section<Figures> = { measuredOn: string; machine: string } & Figures;

type Measures = {
  requests: typeof measureRequests;
  bytes: typeof measureBytes;
  start: typeof measureStartUp;
  growth: typeof measureGrowth;
  fleet: typeof measureFleet;
  sessions: typeof measureSessions;
  calls: typeof measureCalls;
  generator: typeof measureBundle;
  lighthouse: typeof measureLighthouse;
  "page-load": typeof measurePageLoads;
};

/** The last run of each part; a part that never ran is missing. */
export type Results = {
  [Part in keyof Measures]?: Section<Awaited<ReturnType<Measures[Part]>>>;
};

export function readResults(): Results {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Puts one part's figures in the place of its last ones, and returns them. */
export function record<Part extends keyof Results>(
  part: Part,
  figures: Awaited<ReturnType<Measures[Part]>>,
): Awaited<ReturnType<Measures[Part]>> {
  const measuredOn = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores`;
  const results = { ...readResults(), [part]: { measuredOn, machine, ...figures } };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  return figures;
}
