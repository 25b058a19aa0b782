import { groupOf, type Report, type ServerRecord } from "./server-record";
import {
  type Exceeded,
  type Measure,
  type MonthTraffic,
  measures,
  type Threshold,
} from "./threshold";

/** So many thresholds of a workspace are stored. */
export const maxThresholds = 50;

/** A value that is there for so long counts: what comes and goes within it is nothing. */
const lastsForMs = 5 * 60_000;

/**
 * The thresholds that hold for a server. For a measure, those of its deployment replace those for all servers. A server
 * without a deployment may have thresholds for itself alone, which do the same.
 */
export function thresholdsFor(
  server: Pick<ServerRecord, "id" | "deployment">,
  thresholds: readonly Threshold[],
): Threshold[] {
  const ofDeployment = thresholds.filter((threshold) => threshold.deployment === groupOf(server));
  const forAll = thresholds.filter((threshold) => threshold.deployment === undefined);
  return [
    ...ofDeployment,
    ...forAll.filter(({ measure }) => !ofDeployment.some((each) => each.measure === measure)),
  ];
}

/** The record with the thresholds that its last report exceeds; without a report of `now` it stays as it is. */
export function withExceeded(
  record: ServerRecord,
  thresholds: readonly Threshold[],
  now: number,
): ServerRecord {
  if (record.reportAt !== now) return record;
  const { exceeded: former = [], ...rest } = record;
  const exceeded = thresholdsFor(record, thresholds).flatMap((threshold): Exceeded[] => {
    const measured = measuredOf(record, threshold.measure, now);
    if (measured === undefined || measured < threshold.value) return [];
    const before = former.find(
      ({ id, value, severity }) =>
        id === threshold.id && value === threshold.value && severity === threshold.severity,
    );
    const { deployment: _, ...shown } = threshold;
    return [before ?? { ...shown, since: now, measured: Math.round(measured) }];
  });
  return exceeded.length === 0 ? rest : { ...rest, exceeded };
}

/** Of each measure the worst threshold that is exceeded for five minutes, as a finding. */
export function thresholdFindings({
  exceeded = [],
  reportAt = 0,
}: ServerRecord): Report["findings"] {
  const lasting = exceeded
    .filter(({ since }) => reportAt - since >= lastsForMs)
    .sort((one, other) => worthOf(other) - worthOf(one));
  return measures.flatMap((measure) => {
    const worst = lasting.find((each) => each.measure === measure);
    if (!worst) return [];
    return [
      {
        code: `threshold.${measure}`,
        severity: worst.severity === "page" ? "critical" : "warning",
        subject: "",
        found: measureWords(measure, worst.measured),
        wanted: measureWords(measure, worst.value),
      },
    ];
  });
}

const worthOf = ({ severity, value }: Exceeded): number =>
  value + (severity === "page" ? Number.MAX_SAFE_INTEGER / 2 : 0);

/** "212 in calls", "1,300 GB". */
export function measureWords(measure: Measure, value: number): string {
  const number = value.toLocaleString("en-US");
  if (measure === "participants") return `${number} in calls`;
  return measure === "traffic" ? `${number} GB` : `${number} %`;
}

function measuredOf(
  { report, traffic }: ServerRecord,
  measure: Measure,
  now: number,
): number | undefined {
  if (!report) return;
  const share = (part: number | undefined, whole: number | undefined) =>
    part === undefined || !whole ? undefined : (part / whole) * 100;
  switch (measure) {
    case "participants":
      return report.metrics.participants;
    case "load":
      return share(report.load, report.cpus);
    case "memory":
      return share(report.memory?.used, report.memory?.total);
    case "disk":
      return share(report.disk?.used, report.disk?.total);
    case "traffic":
      return traffic?.month === monthOf(now) ? traffic.out / 1e9 : undefined;
  }
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/**
 * The traffic of the month after a report. A boot counts from nothing, so what a new one has sent is new; of a server's
 * first report its time of sending is unknown.
 */
export function trafficAfter(
  { traffic, report: former }: Pick<ServerRecord, "traffic" | "report">,
  { boot, network }: Pick<Report, "boot" | "network">,
  now: number,
): MonthTraffic | undefined {
  const month = monthOf(now);
  const sum = traffic?.month === month ? traffic : { month, in: 0, out: 0 };
  if (!network || !former?.network) return traffic?.month === month ? traffic : undefined;
  const before = former.boot === boot ? former.network : { in: 0, out: 0 };
  return {
    month,
    in: sum.in + Math.max(0, network.in - before.in),
    out: sum.out + Math.max(0, network.out - before.out),
  };
}
