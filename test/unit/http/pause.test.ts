import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { pause } from "~/http/pause";

test("waits that are over leave nothing behind at the signal that could have ended them", async () => {
  const { signal } = new AbortController();
  for (let wait = 0; wait < 3; wait++) await pause(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort ends a wait at once, with its reason", async () => {
  const controller = new AbortController();
  const wait = pause(60 * 60 * 1000, controller.signal);
  controller.abort(new Error("The person went away."));
  await expect(wait).rejects.toThrow("The person went away.");
  await expect(pause(1, controller.signal)).rejects.toThrow("The person went away.");
});
