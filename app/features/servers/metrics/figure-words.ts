import type { Spread } from "./chart-drawing";
import type { Figure } from "./packed-figures";

/** What a figure is called, and how its values are written. */
export const figureWords: Readonly<
  Record<Figure, { title: string; words: (value: number) => string }>
> = {
  participants: { title: "Participants", words: counted },
  rooms: { title: "Rooms", words: counted },
  load: { title: "Load", words: (value) => value.toFixed(2) },
  memory: { title: "Memory", words: (value) => bytes(value * 1024) },
  disk: { title: "Disk", words: (value) => bytes(value * 1024) },
  in: { title: "Received", words: (value) => `${bytes(value)}/s` },
  out: { title: "Sent", words: (value) => `${bytes(value)}/s` },
  cpu: { title: "CPU", words: percent },
  loss: { title: "Packet loss", words: percent },
  jitter: { title: "Jitter", words: (value) => `${counted(value)} ms` },
  failedJoins: { title: "Failed joins", words: (value) => `${counted(value)}/min` },
  recordings: { title: "Recordings", words: counted },
};

/** "12", and "3.4" for a mean. */
function counted(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

function percent(value: number): string {
  return `${Number(value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0))} %`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "3.4 MiB". */
function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${units[unit]}`;
}

/** "12", or "12 (10 to 14)". */
export function spreadWords(
  { least, mean, most }: Spread,
  words: (value: number) => string,
): string {
  if (mean === undefined || least === undefined || most === undefined) return "not reported";
  const [from, to] = [words(least), words(most)];
  return from === to ? words(mean) : `${words(mean)} (${from} to ${to})`;
}
