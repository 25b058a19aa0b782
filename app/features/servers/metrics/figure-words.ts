import type { Figure } from "~/features/servers/metrics/figures";

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
};

/** "12", and "3.4" for a mean. */
function counted(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "3.4 MiB". */
function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${units[unit]}`;
}
