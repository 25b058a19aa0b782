type Flight<Answer> = { answer: Promise<Answer>; cachedUntil: number };

/** The most answers in memory. Beyond it the oldest is dropped, and is asked for again when it is needed. */
const maxShared = 1_000;

/**
 * Lets requests of this isolate that ask the same question at the same time share one answer. `waitMs` must be
 * longer than an answer may take. `cachedForMs` says for how long an answer is also given to later requests; without
 * it, it is not.
 */
export function sharedAnswers<Answer>({
  waitMs,
  cachedForMs = () => 0,
}: {
  waitMs: number;
  cachedForMs?: (answer: Answer) => number;
}) {
  const flights = new Map<string, Flight<Answer>>();

  /** `key` must contain everything that the answer depends on, such as the token that gives access to it. */
  return async function share(
    key: string,
    ask: () => Promise<Answer>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<Answer> {
    for (;;) {
      forgetOld();
      const flight = flights.get(key);
      if (!flight) return begin(key, ask, waitUntil).answer;
      const landed = await orGone(flight.answer, waitMs);
      if (landed !== "gone") return landed.answer;
      // The first request that waited in vain asks now, and the others wait for its answer.
      remove(key, flight);
    }
  };

  function begin(
    key: string,
    ask: () => Promise<Answer>,
    waitUntil: (work: Promise<unknown>) => void,
  ): Flight<Answer> {
    for (const oldest of flights.keys()) {
      if (flights.size < maxShared) break;
      flights.delete(oldest);
    }
    const flight = { answer: ask(), cachedUntil: Number.POSITIVE_INFINITY };
    flights.set(key, flight);
    const landing = flight.answer.then(
      (answer) => {
        const forMs = cachedForMs(answer);
        if (forMs > 0) flight.cachedUntil = Date.now() + forMs;
        else remove(key, flight);
      },
      () => remove(key, flight),
    );
    // The answer is also for others, so it must not be cancelled when this visitor leaves.
    waitUntil(landing);
    return flight;
  }

  function remove(key: string, flight: Flight<Answer>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  function forgetOld(): void {
    const now = Date.now();
    for (const [key, { cachedUntil }] of flights) if (now > cachedUntil) flights.delete(key);
  }
}

/**
 * Waits for an answer, at most `waitMs`. The runtime may end the request that asks, and then the promise never
 * settles for the requests that share it; only a timeout notices that.
 */
async function orGone<Answer>(
  answer: Promise<Answer>,
  waitMs: number,
): Promise<{ answer: Answer } | "gone"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gone = new Promise<"gone">((resolve) => {
    timer = setTimeout(resolve, waitMs, "gone" as const);
  });
  try {
    return await Promise.race([answer.then((landed) => ({ answer: landed })), gone]);
  } finally {
    clearTimeout(timer);
  }
}
