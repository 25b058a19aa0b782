import type { measureFleet } from "./fleet.ts";

type Figures = Awaited<ReturnType<typeof measureFleet>>;

/**
 * What following servers may cost at most; milliseconds are processor time, kB those of a server after 90 days. The list
 * is of 500 servers, and the incidents are 50 open ones of them beside the most that are read.
 */
export const limits = {
  rowsPerReport: 2,
  alarmsPerThreeMinutes: 1,
  reportMs: 1.5,
  kBPerServer: 600,
  chartMs: 5,
  callsOfList: 1,
  listMs: 150,
  incidentsMs: 150,
};

/** What a month of sessions of 1,000,000 participants may take at most. */
export const sessionLimits = {
  ...{ mBStored: 250, firstPageMs: 200 },
  ...{ firstPartMs: 2_000, mBPart: 64 },
};

/** In milliseconds, of the page why calls fail. */
export const maxEvidencePageMs = 200;

/** The figures of sessions that are over theirs, by name. */
export function overSessionLimit(measured: Record<keyof typeof sessionLimits, number>): string[] {
  const names = Object.keys(sessionLimits) as (keyof typeof sessionLimits)[];
  return names.filter((name) => measured[name] > sessionLimits[name]);
}

/** The figures that are over their limit, by name. */
export function overLimit({ report, hour, list, incidents, storage }: Figures): string[] {
  const measured: Record<keyof typeof limits, number> = {
    rowsPerReport: hour.rowsPerReport,
    alarmsPerThreeMinutes: hour.alarmsPerThreeMinutes,
    reportMs: report.cpuMs,
    kBPerServer: storage.kBPerServer,
    chartMs: storage.chartMs["48h"],
    callsOfList: list.calls,
    listMs: list.ms,
    incidentsMs: incidents.ms,
  };
  const names = Object.keys(limits) as (keyof typeof limits)[];
  return names.filter((name) => measured[name] > limits[name]);
}
