import { quarterMs, quartersOfDay, type Sample } from "../metrics/packed-figures.ts";

const dayMs = quartersOfDay * quarterMs;
const hourMs = 4 * quarterMs;

/**
 * How a simulated server is used. `busiest`: how many people are in calls at the best hour, which is `peakHour` of UTC, or
 * else in the afternoon; less at weekends, unless each day is the same. `disk`: how much of it is used now, 0.4 where that
 * is not said.
 */
export type Usage = { busiest: number; peakHour?: number; isSameEachDay?: true; disk?: number };

/** In KiB, as the machine reports it. */
export const diskSize = 41_943_040;
export const diskUsed = ({ disk = 0.4 }: Pick<Usage, "disk">): number =>
  Math.round(disk * diskSize);

/** The figures of a minute. */
export function simulatedSample(usage: Usage, at: number): Sample {
  const participants = participantsAt(usage, at);
  return {
    at,
    participants,
    rooms: Math.ceil(participants / 4),
    load: 0.15 + participants * 0.04 + wobble(usage, at) * 0.1,
    memory: 2_300_000 + participants * 22_000,
    disk: diskUsed(usage) - 1_777_000 + Math.floor((at % (7 * dayMs)) / hourMs) * 12_000,
    in: participants * 62_000,
    out: participants * 148_000,
    cpu: Math.min(97, 3 + participants * 0.6 + wobble(usage, at) * 4),
    loss: wobble(usage, at) ** 4,
    jitter: 3 + wobble(usage, at) * 9,
    failedJoins: wobble(usage, at) > 0.97 ? 1 : 0,
    recordings: 0,
  };
}

/** Most people call around the best hour of a working day, and a few at its opposite. */
export function participantsAt(usage: Usage, at: number): number {
  const { busiest, peakHour = 14.5, isSameEachDay } = usage;
  const date = new Date(at);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const isWeekend = !isSameEachDay && date.getUTCDay() % 6 === 0;
  const away = Math.abs(hour - peakHour);
  const daily = Math.exp(-(Math.min(away, 24 - away) ** 2) / 18);
  const mean = busiest * daily * (isWeekend ? 0.3 : 1);
  return Math.max(0, Math.round(mean * (0.85 + wobble(usage, at) * 0.3)));
}

/** From 0 to 1, the same for the same ten minutes of a server. */
function wobble({ busiest }: Usage, at: number): number {
  const value = Math.sin(Math.floor(at / 600_000) * 12.9898 + busiest * 78.233) * 43_758.5453;
  return value - Math.floor(value);
}
