/** How a list draws the last 24 hours of a server: one number for each half hour. */
const slots = 48;
const slotMs = 30 * 60_000;

const slotOf = (time: number): number => Math.floor(time / slotMs);

/**
 * The most participants in each half hour up to `slot` (half hours since 1970), oldest first and at most 48; null where
 * nothing was reported. It is kept in the server's record, so that a list of 500 servers reads no samples.
 */
export type DayLine = { slot: number; most: readonly (number | null)[] };

/** The line after a report. Without participants, as before LiveKit runs, it stays as it is. */
export function withParticipants(
  line: DayLine | undefined,
  participants: number | undefined,
  now: number,
): DayLine | undefined {
  if (participants === undefined) return line;
  const slot = slotOf(now);
  const most = line ? maximaUntil(line, slot) : [];
  const last = Math.max(participants, most.at(-1) ?? 0);
  return { slot, most: [...most.slice(0, -1), last] };
}

/** 48 numbers that end with the present half hour. */
export function dayAt(line: DayLine | undefined, now: number): (number | null)[] {
  const most = line ? maximaUntil(line, slotOf(now)) : [];
  return [...Array<null>(slots - most.length).fill(null), ...most];
}

/** The line moved on to a later half hour, of which nothing is known yet. */
function maximaUntil({ slot, most }: DayLine, until: number): (number | null)[] {
  const passed = Math.min(slots, Math.max(0, until - slot));
  return [...most, ...Array<null>(passed).fill(null)].slice(-slots);
}
