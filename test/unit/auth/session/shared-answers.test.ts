import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sharedAnswers } from "~/http/shared-answers.server";

const waitMs = 9_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Numbers the answers; whatever work goes on after a request is let go on. */
function counting(options: { cachedForMs?: (answer: string) => number } = {}) {
  const share = sharedAnswers<string>({ waitMs, ...options });
  const requests: string[] = [];
  const answers = async () => `answer ${requests.push("asked")}`;
  return {
    requests,
    ask: (key: string, ask = answers) => share(key, ask, () => undefined),
    /** A request that is ended together with what it asked. */
    askAndEnd(key: string): void {
      void share(
        key,
        () => {
          requests.push("ended");
          return new Promise<string>(() => undefined);
        },
        () => undefined,
      );
    },
  };
}

test("callers who ask the same at the same moment share one answer, and a later one gets a new one", async () => {
  const { ask } = counting();
  const together = [ask("a"), ask("a"), ask("b")];
  expect(await Promise.all(together)).toEqual(["answer 1", "answer 1", "answer 2"]);
  expect(await ask("a")).toBe("answer 3");
});

test("an answer is kept for as long as it is worth", async () => {
  const { ask } = counting({ cachedForMs: (answer) => (answer === "answer 1" ? 10_000 : 0) });
  expect(await ask("a")).toBe("answer 1");
  vi.setSystemTime(Date.now() + 10_000);
  expect(await ask("a")).toBe("answer 1");
  vi.setSystemTime(Date.now() + 1);
  expect(await ask("a")).toBe("answer 2");
  expect(await ask("a")).toBe("answer 3");
});

test("when the request that asked is ended, those who wait ask once more, in time and together", async () => {
  const { ask, askAndEnd, requests } = counting();
  askAndEnd("a");
  // The clock of this file is a fake one, which the test moves on: nobody waits.
  const slowly = () =>
    new Promise<string>((resolve) => {
      setTimeout(resolve, 10, `answer ${requests.push("asked")}`);
    });
  const waiting = Promise.all([ask("a", slowly), ask("a", slowly)]);
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(requests).toEqual(["ended"]);
  await vi.advanceTimersByTimeAsync(11);
  expect(await waiting).toEqual(["answer 2", "answer 2"]);
  expect(requests).toEqual(["ended", "asked"]);
});

test("a failure is everybody's who waited, and is not kept", async () => {
  const { ask } = counting();
  const failing = () => Promise.reject(new Error("down"));
  const together = await Promise.allSettled([ask("a", failing), ask("a")]);
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("a")).toBe("answer 1");
});

test("a thousand answers are held at most; the oldest makes room", async () => {
  const { ask } = counting({ cachedForMs: () => 10_000 });
  for (let key = 0; key <= 1_000; key++) await ask(String(key));
  expect(await ask("1000")).toBe("answer 1001");
  expect(await ask("1")).toBe("answer 2");
  expect(await ask("0")).toBe("answer 1002");
});
