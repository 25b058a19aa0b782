import { recordRun, runOrigin } from "../support/run/record-run.ts";
import type { measureBundle } from "./bundle.ts";
import type { measureFleet } from "./fleet/fleet.ts";
import type { measureLighthouse } from "./lighthouse.ts";
import type { measureRequests } from "./requests.ts";

type Figures = {
  generator: Awaited<ReturnType<typeof measureBundle>>;
  requests: Awaited<ReturnType<typeof measureRequests>>;
  fleet: Awaited<ReturnType<typeof measureFleet>>;
  lighthouse: Awaited<ReturnType<typeof measureLighthouse>>;
};

type Measurements = Record<string, number[]>;

/** Of each part that the page /proof shows, the figures in the form of a recorded run. */
const measurements: { [Part in keyof Figures]: (figures: Figures[Part]) => Measurements } = {
  generator: ({ medianMs, slowestMs }) => ({
    "bundle-median-ms": [medianMs],
    "bundle-slowest-ms": [slowestMs],
  }),
  requests: ({ kinds: { warm } }) => ({
    "public-pages-per-second": [warm.requestsPerSecond],
    "public-page-p50-ms": [warm.p50],
  }),
  fleet: ({ list, report, storage }) => ({
    "list-ms": [list.ms],
    "report-ms": [report.cpuMs],
    "page-ms": [storage.chartMs["48h"]],
  }),
  lighthouse: ({ scores }) => {
    const pages = Object.values(scores);
    return Object.fromEntries(
      (["performance", "accessibility", "best-practices", "seo"] as const).map((category) => [
        category,
        pages.map((page) => page[category]),
      ]),
    );
  },
};

/** Measures a part, and records it as a run of the page /proof where what it measured is committed. */
export async function recordBenchmark<Part extends keyof Figures>(
  part: Part,
  measure: () => Figures[Part] | Promise<Figures[Part]>,
): Promise<void> {
  const { origin, refusal } = runOrigin();
  const began = performance.now();
  const figures = await measure();
  if (refusal) {
    console.log(`The page /proof goes on to show an earlier run of ${part}. ${refusal}`);
    return;
  }
  await recordRun(part, {
    command: `npm run bench -- ${part}`,
    ...origin,
    seconds: Math.round((performance.now() - began) / 1000),
    ...{ versions: {}, passed: 0, measurements: measurements[part](figures) },
  });
}
