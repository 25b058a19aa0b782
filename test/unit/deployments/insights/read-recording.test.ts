import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchSound, silenceMs } from "~/features/deployments/insights/read-recording.client.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that sends a part after each of these pauses, and then ends, as fetch in a browser has it. */
function answerIn(pauses: readonly number[]): void {
  vi.stubGlobal("fetch", async (_: string, { signal }: { signal: AbortSignal }) => {
    const left = [...pauses];
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) =>
          signal.addEventListener("abort", () => controller.error(signal.reason)),
        async pull(controller) {
          const pause = left.shift();
          if (pause === undefined) return controller.close();
          // The clock of this file is a fake one, which the tests move on: nobody waits.
          await new Promise((resolve) => setTimeout(resolve, pause));
          if (!signal.aborted) controller.enqueue(new Uint8Array(1_000));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "audio/ogg" } });
  });
}

test("a long recording may take as long as it takes, while something comes", async () => {
  answerIn(Array(60).fill(silenceMs - 1));
  const outcome = fetchSound("livekit.example.com", "AJ_abcdefgh1234", "token");
  await vi.advanceTimersByTimeAsync(60 * silenceMs);
  expect(await outcome).toMatchObject({ ok: true, answer: expect.stringMatching(/^blob:/) });
});

test("a server that says nothing any more is given up, in the middle too", async () => {
  answerIn([1_000, 1_000, 10 * silenceMs]);
  const outcome = fetchSound("livekit.example.com", "AJ_abcdefgh1234", "token");
  await vi.advanceTimersByTimeAsync(2_000 + silenceMs);
  expect(await outcome).toEqual({ ok: false, failure: "slow" });
});
