type Flight<Answer> = { answer: Promise<Answer>; keptUntil: number };

/** More are not held in memory; whose answer made room is asked for once more. */
const maxShared = 1_000;

/**
 * Lets the requests of this isolate that ask the same at the same moment share one answer. `waitMs` must be
 * longer than an answer may take. `keptForMs` says for how long whoever comes later is given an answer
 * too: without it, not at all.
 */
export function sharedAnswers<Answer>({
  waitMs,
  keptForMs = () => 0,
}: {
  waitMs: number;
  keptForMs?: (answer: Answer) => number;
}) {
  const flights = new Map<string, Flight<Answer>>();

  /** `key` names what is asked, so that nobody is given what they could not have asked for. */
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
      // The first of those who waited asks now, and the others wait for that.
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
    const flight = { answer: ask(), keptUntil: Number.POSITIVE_INFINITY };
    flights.set(key, flight);
    const landing = flight.answer.then(
      (answer) => {
        const forMs = keptForMs(answer);
        if (forMs > 0) flight.keptUntil = Date.now() + forMs;
        else remove(key, flight);
      },
      () => remove(key, flight),
    );
    // A visitor who goes away must not take the answer of the others along.
    waitUntil(landing);
    return flight;
  }

  function remove(key: string, flight: Flight<Answer>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  function forgetOld(): void {
    const now = Date.now();
    for (const [key, { keptUntil }] of flights) if (now > keptUntil) flights.delete(key);
  }
}

/**
 * An answer, unless the request that asked for it is gone: the runtime may end a request together with
 * what it waits for, and whoever waits for the same is never told. Only the time tells them.
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
