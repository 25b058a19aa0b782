import { expect, test } from "vitest";
import type { AgentSession } from "~/features/servers/agent-sessions/agent-session.ts";
import { callEntry } from "~/features/servers/evidence-pages/call-entry.ts";
import type { FilePart } from "~/features/servers/room-sessions/file-part.ts";
import type { FileCursor, FileRow } from "~/features/servers/room-sessions/history-pages.server.ts";
import type { Participant, RoomSession } from "~/features/servers/room-sessions/room-session.ts";
import { csvStream } from "~/features/servers/session-pages/server-file.server.ts";
import { sessionQuery, typedQuery } from "~/features/servers/session-pages/session-query.ts";
import { minuteWords } from "~/features/servers/session-pages/session-words.ts";
import { sessionsFile } from "~/features/servers/session-pages/sessions-file.server.ts";
import { inOrder, timelineOf } from "~/features/servers/session-pages/timeline.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

const participant = (more: Partial<Participant> = {}): Participant => ({
  ...{ sid: "PA_one", identity: "a1b2c3d4e5f6", kind: "", joinedAt: begin, leftAt: begin + minute },
  ...{ reason: "CLIENT_INITIATED", tracks: [] },
  ...more,
});
const session: RoomSession = {
  ...{ sid: "RM_one", name: "0a1b2c3d4e5f", startedAt: begin, lastAt: begin + minute },
  ...{ endedAt: begin + 2 * minute, end: "finished", present: 0, peak: 1, joined: 1, aborted: 0 },
  stayedMs: minute,
};

test("a session's timeline says in words who came, what they published, and why they left", () => {
  const camera = {
    ...{ sid: "TR_1", source: "CAMERA", mime: "VP8", size: "1280x720" },
    ...{ from: begin + 1_000, until: begin + 30_000 },
  };
  const entries = timelineOf({
    session,
    participants: [
      participant({ tracks: [camera], reason: "DUPLICATE_IDENTITY" }),
      participant({ sid: "PA_two", identity: "=Bob", isAborted: true, reason: "JOIN_FAILURE" }),
      participant({
        sid: "PA_3",
        identity: "ffffffffffff",
        isAssumed: true,
        leftAt: session.endedAt ?? 0,
      }),
    ],
    jobs: [
      {
        ...{ id: "EG_1", kind: "egress", session: "RM_one", at: begin, input: "" },
        ...{ status: "EGRESS_FAILED", code: 500, hasFailed: true },
        ...{ startedAt: begin + 2_000, endedAt: begin + 3_000 },
      },
    ],
    agents: [],
  });
  expect(entries.map(({ words }) => words)).toEqual([
    ...["The session began", "a1b2c3 joined", "ffffff joined"],
    ...["a1b2c3 published a camera (VP8, 1280 × 720)", "Egress began"],
    ...["Egress ended: failed, error 500", "a1b2c3 stopped a camera (VP8, 1280 × 720)"],
    ...["a1b2c3 left: the same identity joined again", "Bob did not get through: could not join"],
    ...["ffffff left: when the session ended", "The session ended"],
  ]);
  expect(entries.filter(({ isFailure }) => isFailure).map(({ words }) => words)).toEqual([
    "Egress ended: failed, error 500",
    "Bob did not get through: could not join",
  ]);
});

test("turns and tools of agents are on the timeline of the session, between what apps said of its calls", () => {
  const agent = (job: string, more: Partial<AgentSession> = {}): AgentSession => ({
    ...{ job, room: "RM_one", agent: "", sdk: "1.8.9", startedAt: 0, endedAt: 0, reason: "" },
    ...{ errors: {}, usage: [], entries: [], omitted: 0, hasAudio: false, isIncomplete: false },
    ...more,
  });
  const desk = agent("AJ_one", {
    ...{ agent: "desk", startedAt: begin + 1_000, endedAt: begin + 60_000, reason: "CR_ERROR" },
    entries: [
      { at: begin + 2_000, by: "agent", reply: 850 },
      { at: begin + 9_000, by: "tool", name: "find", took: 20, hasFailed: true },
    ],
  });
  const call = {
    ...{ id: 1, session: "RM_one", participant: "PA_one", identity: "a1b2c3d4e5f6" },
    ...{ roomName: "", firstAt: begin, at: begin + 5_000, state: "ended" as const, network: "" },
    ...{ way: "udp" as const, lossPermille: 60, failure: "broken" as const },
  };
  const wordsOf = (agents: AgentSession[]) =>
    inOrder([...timelineOf({ session, participants: [], jobs: [], agents }), callEntry(call)]);
  expect(wordsOf([desk]).map(({ words }) => words)).toEqual([
    ...["The session began", "Agent desk began", "The agent spoke: reply after 850 ms"],
    "The call of a1b2c3: UDP, loss 6 %, broke off",
    ...["Tool find failed after 20 ms", "Agent desk ended: an error", "The session ended"],
  ]);
  expect(
    wordsOf([desk]).flatMap(({ words, isFailure }) => (isFailure ? words.slice(0, 8) : [])),
  ).toEqual(["The call", "Tool fin"]);
  const two = wordsOf([desk, agent("AJ_two", { entries: [{ at: begin + 3_000, by: "user" }] })]);
  expect(two[3]?.words).toBe("AJ_two: The caller spoke");
  expect(two[2]?.words).toBe("desk: The agent spoke: reply after 850 ms");
});

test("a day that cannot be and a page that was not offered are left out; what is searched stays as it was typed", () => {
  const query = (search: string) => sessionQuery(typedQuery(new URLSearchParams(search)));
  expect(query("day=2026-02-30&before=x")).toEqual({});
  expect(query("day=1970-01-03&name=A1B2C3")).toEqual({ day: 2, name: "A1B2C3" });
  expect(query("name=alice")).toEqual({ name: "alice" });
  expect(query("before=1795313698000.12")).toEqual({
    before: { started: 1_795_313_698_000, id: 12 },
  });
});

const part = (next?: number): FilePart<FileRow, FileCursor> => ({
  rows: [{ session: "RM_one", name: "0a1b2c3d4e5f", participant: participant() }],
  ...(next ? { next: { session: next, participant: "one" } } : {}),
});

test("the file of sessions reads a part only once the one before was taken", async () => {
  const requested: number[] = [];
  const stream = csvStream(sessionsFile, part(1), async (after) => {
    requested.push(after.session);
    return part(requested.length < 3 ? requested.length + 1 : undefined);
  });
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const read = async () => decoder.decode((await reader.read()).value);
  expect(await read()).toContain("session,room,participant,identity");
  expect(requested).toEqual([]);
  expect(await read()).toBe(
    "RM_one,0a1b2c3d4e5f,PA_one,a1b2c3d4e5f6,STANDARD,2026-11-24T12:00:00.000Z,2026-11-24T12:01:00.000Z,1,left,yes,\r\n",
  );
  expect(requested.length).toBeLessThanOrEqual(1);
  for (let at = 0; at < 3; at += 1) expect(await read()).toContain("RM_one");
  expect((await reader.read()).done).toBe(true);
  expect(requested).toEqual([1, 2, 3]);
});

test("a file of which a part cannot be read breaks off, so that nobody takes it for whole", async () => {
  const stream = csvStream(sessionsFile, part(1), () => Promise.reject(new Error("away")));
  await expect(new Response(stream).text()).rejects.toThrow();
});

test("a session that goes on has no participant-minutes yet, and one that ended has those of everybody", () => {
  const { endedAt, end, ...open } = session;
  expect(minuteWords({ ...open, present: 5, stayedMs: 0 })).toBe("not yet");
  expect(minuteWords({ ...session, stayedMs: 90 * minute })).toBe("90");
});
