import { pinned } from "../../deployments/bundle/versions.ts";
import type { Report, ServerRecord } from "../state/server-record.ts";
import { stages } from "../state/state.ts";
import { diskSize, simulatedSample, type Usage } from "./simulated-past.ts";

const minuteMs = 60_000;

/**
 * The servers of a trial. `booting` goes through its first boot while somebody looks, `healthy` has served calls for days,
 * and `down` went away minutes ago. No machine has their keys, and none of them is ever probed.
 */
export const simulatedServers = {
  healthy: { name: "sfu-frankfurt-1", address: "203.0.113.10", busiest: 24 },
  down: { name: "sfu-frankfurt-2", address: "203.0.113.11", busiest: 16 },
  booting: { name: "staging-1", address: "203.0.113.20", busiest: 3 },
} as const;

export type SimulatedRole = keyof typeof simulatedServers;
export const simulatedRoles = Object.keys(simulatedServers) as SimulatedRole[];

/** When a first boot reaches each stage, in milliseconds after the trial began. */
const stageTimes = [0, 5_000, 10_000, 16_000, 23_000, 30_000, 36_000];

/** When the next stage is reached; undefined once all are. */
export function nextStageAt(begunAt: number, now: number): number | undefined {
  return stageTimes.map((after) => begunAt + after).find((at) => at > now);
}

/** The stages that are reached, with their times. A server that has served for long reached all of them at once. */
function stagesAt(begunAt: number, now: number): Report["stages"] {
  return Object.keys(stages).flatMap((code, place) => {
    const at = begunAt + (stageTimes[place] ?? 0);
    return at <= now ? [{ code, at }] : [];
  });
}

/** Whose boot began when, and how the server is used. */
export type Simulation = { role: SimulatedRole; begunAt: number; usage: Usage };

/** How the servers of a trial that began then are used: at their busiest a little later. */
export function usageOf(role: SimulatedRole, trialBegunAt: number): Usage {
  const peakHour = ((trialBegunAt / (60 * minuteMs)) % 24) + 1;
  return {
    busiest: simulatedServers[role].busiest,
    peakHour: peakHour % 24,
    isSameEachDay: true,
  };
}

/**
 * What a simulated server reports at a moment. Counts go on from those of its last report, so that the rates that are
 * computed from two reports are those of `simulatedSample`.
 */
export function simulatedReport(
  record: Pick<ServerRecord, "machine" | "instance" | "boots" | "deployment" | "domain" | "report">,
  { role, begunAt, usage }: Simulation,
  now: number,
): Report {
  const reached = stagesAt(begunAt, now);
  const isReady = reached.some(({ code }) => code === "ready");
  const version = "0".repeat(64);
  const before = {
    ...{ machine: record.machine, instance: record.instance, at: now, version },
    // Seconds, which rise with each report.
    seq: Math.max(1, Math.floor((now - begunAt) / 1_000)),
    boot: record.boots.at(-1)?.id ?? crypto.randomUUID(),
    ...(record.domain ? { domain: record.domain } : {}),
    ...(record.deployment
      ? { madeFrom: { deployment: record.deployment, version: 1, isChanged: false } }
      : {}),
    stages: reached,
    ...{ findings: [], services: [], certificates: [], metrics: {} },
    addresses: [{ family: 4 as const, address: simulatedServers[role].address }],
    rebootPending: false,
    ...{ load: 0.4, cpus: 4, memory: { used: 900_000, total: 8_000_000 } },
    disk: { used: 4_000_000, total: diskSize },
  };
  return isReady ? { ...before, ...readyFigures(record.report, usage, begunAt, now) } : before;
}

const services = (["livekit", "caddy", "redis"] as const).map((name) => ({
  ...{ name, image: `${pinned[name].image}:${pinned[name].tag}` },
  ...{ state: "running", health: "healthy" },
}));

function readyFigures(
  former: Report | undefined,
  usage: Usage,
  begunAt: number,
  now: number,
): Partial<Report> {
  const sample = simulatedSample(usage, now);
  const { participants = 0, rooms = 0, load, memory = 0, disk = 0, cpu = 0 } = sample;
  const { in: received = 0, out: sent = 0, loss = 0, jitter = 0 } = sample;
  const seconds = Math.max(1, Math.round((now - (former?.at ?? now - minuteMs)) / 1_000));
  const more = (name: string, by: number) => Math.round((former?.metrics[name] ?? 0) + by);
  const packets = seconds * Math.max(1, participants) * 100;
  return {
    // As a doctor does, every five minutes.
    doctorAt: Math.max(begunAt, now - (now % (5 * minuteMs))),
    services,
    certificates: [{ name: "live.example.com", ends: begunAt + 60 * 86_400_000 }],
    ...{ load, memory: { used: memory, total: 8_000_000 }, disk: { used: disk, total: diskSize } },
    cpu: {
      busy: Math.round((former?.cpu?.busy ?? 0) + seconds * cpu * 4),
      total: (former?.cpu?.total ?? 0) + seconds * 400,
    },
    network: {
      in: Math.round((former?.network?.in ?? 0) + seconds * received),
      out: Math.round((former?.network?.out ?? 0) + seconds * sent),
    },
    node: { id: "ND_trial", startedAt: begunAt },
    metrics: {
      ...{ participants, rooms, egress: 0, "joins-failed": more("joins-failed", 0) },
      "loss-sum": more("loss-sum", (packets * loss) / 100),
      "loss-count": more("loss-count", packets),
      "jitter-sum": more("jitter-sum", packets * jitter * 1_000),
      "jitter-count": more("jitter-count", packets),
    },
  };
}
