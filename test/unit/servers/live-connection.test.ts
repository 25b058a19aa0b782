import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveConnection } from "~/features/servers/live/live-connection.client.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const browser = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  page.visibilityState = "visible";
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("removeEventListener", browser.removeEventListener.bind(browser));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page without a socket, which reads itself now and then; each reading ends when the test says so. */
function opened() {
  const readings: ((isRead: boolean) => void)[] = [];
  const connection = new LiveConnection({
    url: undefined,
    ticket: undefined,
    read: () => new Promise((resolve) => readings.push(resolve)),
    onState: () => undefined,
    pauseFor: () => undefined,
  });
  return { connection, readings };
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

test("a page without a socket reads itself again after each reading", async () => {
  const { connection, readings } = opened();
  await minutes(1);
  readings[0]?.(true);
  await minutes(1);
  expect(readings).toHaveLength(2);
  connection.end();
});

test("a page that somebody left while it read itself reads no more", async () => {
  const { connection, readings } = opened();
  await minutes(1);
  connection.end();
  readings[0]?.(true);
  await minutes(10);
  expect(readings).toHaveLength(1);
});

test("a page that was hidden while it read itself reads again when it is seen", async () => {
  const { connection, readings } = opened();
  await minutes(1);
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  readings[0]?.(false);
  await minutes(10);
  expect(readings).toHaveLength(1);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await minutes(0.01);
  expect(readings).toHaveLength(2);
  connection.end();
});
