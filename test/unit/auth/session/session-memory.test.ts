import { expect, test } from "vitest";
import { sessionMemory } from "../../../../app/features/auth/session/live-session.server.ts";

const second = 1_000;

function atClock() {
  const clock = { now: 0 };
  return { clock, memory: sessionMemory(() => clock.now) };
}

test("that a session lives is remembered for 45 seconds and no longer, however often it is asked for", () => {
  const { clock, memory } = atClock();
  memory.remember("a session");
  for (const at of [0, 20, 44]) {
    clock.now = at * second;
    expect(memory.recalls("a session")).toBe(true);
    memory.remember("a session");
  }
  clock.now = 45 * second;
  expect(memory.recalls("a session")).toBe(false);
});

test("an answer that was asked for anew counts from then", () => {
  const { clock, memory } = atClock();
  memory.remember("a session");
  clock.now = 50 * second;
  memory.remember("a session");
  clock.now = 90 * second;
  expect(memory.recalls("a session")).toBe(true);
});

test("one session says nothing of another", () => {
  const { memory } = atClock();
  memory.remember("a session");
  expect(memory.recalls("another session")).toBe(false);
});

test("what is forgotten is asked for anew, and nobody else's is forgotten", () => {
  const { memory } = atClock();
  for (const key of ["ada,1", "ada,2", "adam,1"]) memory.remember(key);
  memory.forget("ada,");
  expect(["ada,1", "ada,2", "adam,1"].map(memory.recalls)).toEqual([false, false, true]);
});

test("ten thousand sessions are remembered; the oldest makes room", () => {
  const { memory } = atClock();
  for (let count = 0; count <= 10_000; count++) memory.remember(`session ${count}`);
  expect(memory.recalls("session 0")).toBe(false);
  expect(memory.recalls("session 1")).toBe(true);
  expect(memory.recalls("session 10000")).toBe(true);
});
