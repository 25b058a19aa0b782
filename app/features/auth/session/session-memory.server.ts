/** How long an answer is remembered. A session that was ended elsewhere can read for less than a minute longer. */
const rememberedMs = 45_000;
const maxRemembered = 10_000;

/** Remembers in this isolate which sessions or tokens exist. That one does not exist is never remembered. */
export function sessionMemory(now: () => number = Date.now) {
  const known = new Map<string, number>();
  const recalls = (key: string): boolean => (known.get(key) ?? 0) > now();
  return {
    recalls,
    /** Remembers a session from now on. A session that is remembered already keeps its earlier time. */
    remember(key: string): void {
      if (recalls(key)) return;
      known.delete(key);
      // A Map keeps the order of insertion, so the oldest entries come first.
      for (const oldest of known.keys()) {
        if (known.size < maxRemembered) break;
        known.delete(oldest);
      }
      known.set(key, now() + rememberedMs);
    },
    /** Forgets every key that begins with this text. */
    forget(beginning: string): void {
      for (const key of known.keys()) if (key.startsWith(beginning)) known.delete(key);
    },
  };
}
