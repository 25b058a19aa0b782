import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { minify, transformWithOxc } from "vite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callEvidence } from "../../../../packages/call-evidence/call-evidence.ts";
import { sampleCode } from "../../../support/documentation/samples.ts";

const path = "packages/call-evidence/call-evidence.ts";

test("the script for customers' apps is the documented one", () => {
  expect(sampleCode("call-evidence", "call-evidence.ts")).toBe(readFileSync(path, "utf8"));
});

test("it has at most 2.3 kB in an app, before that is packed", async () => {
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
  const small = await minify("call-evidence.js", code);
  expect(small.code.length).toBeGreaterThan(1_000);
  expect(small.code.length).toBeLessThanOrEqual(2_300);
});

/** What reached the customer's server, and how many listeners wait for the page's end. */
const posts: Record<string, unknown>[] = [];
let waiting = new Set<unknown>();

beforeEach(() => {
  vi.useFakeTimers();
  posts.length = 0;
  waiting = new Set();
  vi.stubGlobal("navigator", {
    userAgent: "Mozilla/5.0 Chrome/141.0",
    sendBeacon: (_: string, body: string) => posts.push(JSON.parse(body)),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: unknown) => waiting.add(listener));
  vi.stubGlobal("removeEventListener", (_: string, listener: unknown) => waiting.delete(listener));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

type Room = Parameters<typeof callEvidence>[0];

/** The events of livekit-client 2.23 in their order. It never clears the sid of its participant. */
function fakeRoom() {
  const events = new EventEmitter();
  const local = { sid: "" };
  const figures = new Map<string, object>([
    ["P", { type: "candidate-pair", selected: true, localCandidateId: "C" }],
    ["C", { type: "local-candidate", candidateType: "host", protocol: "udp" }],
  ]);
  const room = Object.assign(events, {
    localParticipant: local,
    getSid: async () => "RM_room1",
    engine: { pcManager: { publisher: { getStats: async () => figures } } },
  });
  return {
    room: room as unknown as Room,
    emitter: events,
    connecting: () => events.emit("connectionStateChanged", "connecting"),
    async joins(sid: string) {
      local.sid = sid;
      events.emit("signalConnected");
      events.emit("connected");
      await vi.advanceTimersByTimeAsync(10_000);
    },
    ends: (reason: number) => events.emit("disconnected", reason),
  };
}

const options = { url: "https://turn.example.com/call-evidence", token: "a.b.c" };

test("a try that reaches nothing after a good call says so, and has nothing of that call", async () => {
  const { room, emitter, connecting, joins, ends } = fakeRoom();
  const evidence = callEvidence(room, options);
  connecting();
  await joins("PA_first1");
  emitter.emit("mediaDevicesError", new Error("NotAllowedError"), "videoinput");
  ends(1);
  expect(posts).toMatchObject([
    { state: "connected", participant: "PA_first1", room: "RM_room1", way: "udp" },
    { state: "ended", participant: "PA_first1", failure: "camera" },
  ]);
  connecting();
  ends(0);
  evidence.failed({ reason: 1 });
  expect(posts.slice(2)).toEqual([
    { token: "a.b.c", browser: "chrome 141", state: "failed", failure: "unreachable" },
  ]);
});

test("a try that was answered and got no media says so, with the participant that it was", () => {
  const { room, emitter, connecting, ends } = fakeRoom();
  const evidence = callEvidence(room, options);
  connecting();
  room.localParticipant.sid = "PA_second1";
  emitter.emit("signalConnected");
  ends(0);
  evidence.failed({ reason: 3 });
  expect(posts).toMatchObject([{ state: "failed", failure: "media", participant: "PA_second1" }]);
});

test("of ten joins in one room each is said once, with its own token, and none waits for the page's end after it", async () => {
  const { room, connecting, joins, ends } = fakeRoom();
  for (let join = 0; join < 10; join += 1) {
    callEvidence(room, { ...options, token: `token ${join}` });
    connecting();
    await joins(`PA_join${join}`);
    expect(waiting.size).toBe(1);
    ends(1);
  }
  expect(waiting.size).toBe(0);
  expect(posts.map(({ token, state }) => [token, state])).toEqual(
    Array.from({ length: 10 }, (_, join) => [
      [`token ${join}`, "connected"],
      [`token ${join}`, "ended"],
    ]).flat(),
  );
});
