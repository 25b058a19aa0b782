import type { Callers } from "./callers/callers.ts";
import type { Cluster } from "./cluster.ts";

/** Names of rooms. */
export const named = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word}-${index}`);

/** Calls of two until each of the three machines has one, so that each change meets somebody. */
export async function callsOnEach(
  { placement }: Pick<Cluster, "placement">,
  callers: Callers,
  word: string,
): Promise<Map<string, number>> {
  const rooms: string[] = [];
  for (const room of named(word, 24)) {
    rooms.push(room);
    await callers.call([room]);
    const placed = await placement();
    const found = new Map(rooms.map((each) => [each, placed.get(each) ?? 0]));
    if (new Set(found.values()).size >= 3) return found;
  }
  throw new Error("24 rooms are on fewer than three machines.");
}

export const roomOn = (rooms: ReadonlyMap<string, number>, number: number): string =>
  [...rooms].find(([, each]) => each === number)?.[0] ?? "";
