import type { measureFleet } from "./fleet.ts";

type Figures = Awaited<ReturnType<typeof measureFleet>>;

/** What following servers may cost at most; milliseconds are processor time, kB those of a server after 90 days. */
export const limits = {
  rowsPerReport: 2,
  alarmsPerThreeMinutes: 1,
  reportMs: 1,
  kBPerServer: 500,
  chartMs: 5,
  callsOfList: 1,
};

/** The figures that are over their limit, by name. */
export function overLimit({ report, hour, list, storage }: Figures): string[] {
  const measured: Record<keyof typeof limits, number> = {
    rowsPerReport: hour.rowsPerReport,
    alarmsPerThreeMinutes: hour.alarmsPerThreeMinutes,
    reportMs: report.cpuMs,
    kBPerServer: storage.kBPerServer,
    chartMs: storage.chartMs["48h"],
    callsOfList: list.calls,
  };
  const names = Object.keys(limits) as (keyof typeof limits)[];
  return names.filter((name) => measured[name] > limits[name]);
}
