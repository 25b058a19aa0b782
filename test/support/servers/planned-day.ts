import type { Random } from "../site/random.ts";
import { machine } from "./report-lines.ts";

/** Something that goes wrong with a server, in minutes of the day; `until` is the first minute in which it is over. */
export type Trouble = { kind: "silence" | "critical" | "warning"; from: number; until: number };

/** What one server's day is to be like. */
export type PlannedDay = {
  minutes: number;
  troubles: readonly Trouble[];
  /** Reports that are lost, that arrive twice, and that arrive after the next one. */
  noise: ReadonlyMap<number, "lost" | "twice" | "late">;
  /** The last report before a reboot, and the first one after it. */
  reboots: readonly { from: number; until: number }[];
};

/** One report that arrives. */
export type Arrival = {
  seq: number;
  boot: string;
  /** The machine's own clock, in milliseconds, which is wrong on many. */
  at: number;
  finding: "critical" | "warning" | undefined;
  going: boolean;
};

/** What is to come of a day, by the plan alone. Minutes; an open incident has no end. */
export type Outcome = {
  state: "healthy" | "degraded" | "down";
  incidents: { opened: number; closed: number | undefined; codes: string[] }[];
};

export const findingCodes = { critical: "turn.udp.silent", warning: "disk.filling" } as const;
const codes = { ...findingCodes, silence: "down" } as const;

/** Troubles come in groups: those of one group belong to one incident, and groups are far enough apart for two. */
export function planDay({ below, chance, pick }: Random, minutes: number): PlannedDay {
  const between = (least: number, max: number) => least + below(max - least);
  const troubles: Trouble[] = [];
  const reboots: { from: number; until: number }[] = [];
  for (let at = between(10, 200); at < minutes; at += between(50, 400)) {
    if (chance(0.3)) {
      const reboot = { from: at, until: at + between(2, 12) };
      if (reboot.until + 5 < minutes) reboots.push(reboot);
      at = reboot.until;
      continue;
    }
    for (let more = between(1, 4); more > 0 && at < minutes; more -= 1) {
      const kind = pick(["silence", "critical", "warning"] as const);
      const until = Math.min(minutes, at + between(6, 90));
      troubles.push({ kind, from: at, until });
      at = until + (chance(0.5) ? between(2, 4) : between(8, 20));
    }
  }
  const eventful = [...troubles, ...reboots].flatMap(({ from, until }) => [from, until]);
  const noise = new Map<number, "lost" | "twice" | "late">();
  for (let at = 5; at < minutes - 5; at += between(4, 120)) {
    if (eventful.some((each) => Math.abs(each - at) <= 3)) continue;
    if (reboots.some(({ from, until }) => at >= from && at <= until)) continue;
    noise.set(at, pick(["lost", "twice", "late"] as const));
  }
  return { minutes, troubles, noise, reboots };
}

/** The reports that arrive in a minute of a planned day, in their order. */
export function arrivalsOf(day: PlannedDay): (minute: number) => Arrival[] {
  let seq = 0;
  let boot = 0;
  let held: Arrival | undefined;
  return (at) => {
    const trouble = day.troubles.find(({ from, until }) => at >= from && at < until);
    const reboot = day.reboots.find(({ from, until }) => at >= from && at < until);
    if (day.reboots.some(({ until }) => until === at)) {
      boot += 1;
      seq = 0;
    }
    seq += 1;
    if (trouble?.kind === "silence" || (reboot && at > reboot.from)) return [];
    const report: Arrival = {
      seq,
      boot: bootOf(boot),
      at: at % 7 === 0 ? 0 : at * 60_000,
      finding: trouble?.kind,
      going: reboot !== undefined,
    };
    const late = held ? [held] : [];
    held = undefined;
    switch (day.noise.get(at)) {
      case "lost":
        return late;
      case "late":
        held = report;
        return late;
      case "twice":
        return [report, ...late, report];
      default:
        return [report, ...late];
    }
  };
}

const bootOf = (count: number) => `${String(count).padStart(8, "0")}${machine.boot.slice(8)}`;

/** Three minutes after its last report a server is down; five good minutes end an incident. */
export function plannedOutcome({ troubles, minutes }: PlannedDay): Outcome {
  const incidents: Outcome["incidents"] = [];
  let last: Trouble | undefined;
  for (const trouble of troubles) {
    const opened = trouble.kind === "silence" ? trouble.from + 2 : trouble.from;
    if (opened >= minutes) continue;
    const open = last && trouble.from - last.until < 30 ? incidents.at(-1) : undefined;
    const incident = open ?? { opened, closed: undefined, codes: [] };
    if (!open) incidents.push(incident);
    incident.codes = [...new Set([...incident.codes, codes[trouble.kind]])].toSorted();
    incident.closed = trouble.until + 5 < minutes ? trouble.until + 5 : undefined;
    last = trouble;
  }
  const ending = troubles.find(({ from, until }) => from < minutes && until >= minutes);
  const isDown = ending?.kind === "silence" && ending.from + 2 < minutes;
  const isDegraded = ending !== undefined && ending.kind !== "silence";
  return { state: isDown ? "down" : isDegraded ? "degraded" : "healthy", incidents };
}
