/** What is kept of a server over time, in the order in which it is packed. */
export const figures = ["participants", "rooms", "load", "memory", "disk", "in", "out"] as const;

export type Figure = (typeof figures)[number];

/** Load is packed in hundredths, everything else as it is. */
export const scaleOf = (figure: Figure): number => (figure === "load" ? 100 : 1);

/** The figures of one minute; what the machine did not say is left out. Sizes in KiB, traffic in bytes a second. */
export type Sample = { at: number } & { [F in Figure]?: number };

export const minuteMs = 60_000;
export const minutesOfQuarter = 15;
export const quarterMs = minutesOfQuarter * minuteMs;
export const quartersOfDay = 96;

/** Quarters of an hour since 1970. */
export const quarterOf = (time: number): number => Math.floor(time / quarterMs);
/** Days since 1970, of UTC. */
export const dayOf = (quarter: number): number => Math.floor(quarter / quartersOfDay);

/** The least, the mean and the most of a figure in some time. */
export type Spread = { least: number; mean: number; most: number };
export type Spreads = { [F in Figure]?: Spread };
