/** With the time that an answer is under way, an ended session reads less than a minute longer. */
const rememberedMs = 45_000;
const maxRemembered = 10_000;

/** Remembers which sessions may read, in this isolate. That one may not is never remembered. */
export function sessionMemory(now: () => number = Date.now) {
  const known = new Map<string, number>();
  const recalls = (key: string): boolean => (known.get(key) ?? 0) > now();
  return {
    recalls,
    /** Counts from the first time: being asked for does not make an answer younger. */
    remember(key: string): void {
      if (recalls(key)) return;
      known.delete(key);
      // The oldest answers stand first.
      for (const oldest of known.keys()) {
        if (known.size < maxRemembered) break;
        known.delete(oldest);
      }
      known.set(key, now() + rememberedMs);
    },
    /** Forgets every key that begins so. */
    forget(beginning: string): void {
      for (const key of known.keys()) if (key.startsWith(beginning)) known.delete(key);
    },
  };
}
