import fc from "fast-check";
import { expect, test } from "vitest";
import { newestDays } from "~/features/servers/room-sessions/day-sums.server.ts";
import {
  endByRestart,
  endSilent,
  removeOld,
  takeEvents,
} from "~/features/servers/room-sessions/history.server.ts";
import { sessionList, sessionPage } from "~/features/servers/room-sessions/history-pages.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import type { SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const second = 1_000;
const minute = 60 * second;
const day = 86_400_000;
const room = "RM_k3KR8L8i5SJd";

type Typed = Partial<SessionEvent> & Pick<SessionEvent, "kind">;

/** An event at so many seconds after the beginning, about the participant of this letter. */
const event = (
  kind: SessionEvent["kind"],
  at: number,
  who = "",
  more: Partial<Typed> = {},
): Typed => ({
  ...{
    kind,
    at: begin + at * second,
    participant: who && `PA_${who}234`,
    identity: who && `${who}`.repeat(12),
  },
  ...more,
});
const joins = (who: string, at: number) => event("participant_joined", at, who);
const leaves = (who: string, at: number, reason = "CLIENT_INITIATED", joined?: number) =>
  event("participant_left", at, who, {
    details: {
      reason,
      ...(joined === undefined ? {} : { joined: String(begin + joined * second) }),
    },
  });
const starts = (at: number) => event("room_started", at);
const finishes = (at: number) => event("room_finished", at);

/** The history of a server which reports these events, each list in a report of its own. */
function historyOf(...reports: Typed[][]) {
  const sql = sqliteStorage();
  sql.exec(tables);
  let through = 0;
  const batchOf = (events: Typed[]) => {
    const numbered = events.map((each, at) => ({
      ...{ number: through + at + 1, at: begin, room, roomName: "0a".repeat(6), details: {} },
      ...{ participant: "", identity: "", ...each },
    }));
    through += events.length;
    return { spool: "a".repeat(16), through, lost: 0, unverified: 0, events: numbered };
  };
  for (const events of reports) takeEvents(sql, batchOf(events), begin);
  return {
    sql,
    batchOf,
    take: (events: Typed[], now = begin) => takeEvents(sql, batchOf(events), now),
    page: (sid = room) => sessionPage(sql, sid),
    days: () => newestDays(sql, 30),
  };
}

/** When each was in the session, in seconds after the beginning. */
function staysOf({ page }: Pick<ReturnType<typeof historyOf>, "page">) {
  const seconds = (at: number | undefined) =>
    at === undefined ? undefined : (at - begin) / second;
  return (page()?.participants ?? []).map(({ sid, joinedAt, leftAt, reason }) => [
    ...[sid.slice(3, 4), seconds(joinedAt), seconds(leftAt), reason],
  ]);
}

test("a session has who was in it, when and why they left, and how many at once", () => {
  const history = historyOf(
    [starts(0), joins("a", 1), joins("b", 10)],
    [leaves("a", 20), leaves("b", 30, "DUPLICATE_IDENTITY"), finishes(50)],
  );
  expect(staysOf(history)).toEqual([
    ["a", 1, 20, "CLIENT_INITIATED"],
    ["b", 10, 30, "DUPLICATE_IDENTITY"],
  ]);
  expect(history.page()?.session).toMatchObject({
    ...{ startedAt: begin, endedAt: begin + 50 * second, end: "finished" },
    ...{ peak: 2, present: 0, joined: 2, aborted: 0, stayedMs: 39 * second },
  });
});

test("a leave before its join, which LiveKit sends too, has the time of both", () => {
  const late = historyOf([starts(0), leaves("a", 20, "SIGNAL_CLOSE", 5), joins("a", 5)]);
  expect(staysOf(late)).toEqual([["a", 5, 20, "SIGNAL_CLOSE"]]);
  expect(late.page()?.session).toMatchObject({ present: 0, joined: 1, stayedMs: 15 * second });
  // A join that says no time of its own, and comes after its leave.
  const bare = historyOf([starts(0), leaves("a", 20), joins("a", 5)]);
  expect(staysOf(bare)).toEqual([["a", 5, 20, "CLIENT_INITIATED"]]);
  expect(bare.page()?.session).toMatchObject({ present: 0, joined: 1, stayedMs: 15 * second });
});

test("a leave without a join is one who was there since then, and no count is below zero", () => {
  const history = historyOf([
    leaves("a", 20, "CLIENT_INITIATED", 4),
    leaves("a", 21),
    leaves("b", 22),
  ]);
  expect(staysOf(history)).toEqual([
    ["a", 4, 20, "CLIENT_INITIATED"],
    ["b", 22, 22, "CLIENT_INITIATED"],
  ]);
  expect(history.page()?.session).toMatchObject({ present: 0, joined: 2, peak: 1 });
});

test("who joins twice is there once; who never got through is no participant; hidden ones are not there", () => {
  const hidden = { details: { hidden: "1" } };
  const history = historyOf([
    ...[starts(0), joins("a", 1), joins("a", 3)],
    event("participant_connection_aborted", 4, "b", { details: { reason: "JOIN_FAILURE" } }),
    event("participant_connection_aborted", 5, "b"),
    event("participant_joined", 6, "c", hidden),
    event("participant_left", 7, "c", hidden),
    leaves("a", 20),
  ]);
  expect(staysOf(history)).toEqual([
    ["a", 1, 20, "CLIENT_INITIATED"],
    ["b", 4, 4, "JOIN_FAILURE"],
  ]);
  expect(history.page()?.session).toMatchObject({ joined: 1, aborted: 1, peak: 1 });
});

test("room_finished ends the stay of who said no leave, and a leave that comes after it is the right one", () => {
  const history = historyOf([starts(0), joins("a", 1), joins("b", 2), finishes(30)]);
  expect(history.page()?.participants.map(({ isAssumed }) => isAssumed)).toEqual([true, true]);
  history.take([leaves("b", 25, "ROOM_CLOSED")]);
  expect(staysOf(history)).toEqual([
    ["a", 1, 30, ""],
    ["b", 2, 25, "ROOM_CLOSED"],
  ]);
  expect(history.page()?.session).toMatchObject({ present: 0, stayedMs: 52 * second });
});

test("another process of LiveKit ends the sessions of the former one when it was last heard of, and no newer session", () => {
  const history = historyOf([starts(0), joins("a", 1)]);
  history.take([event("room_started", 100, "", { room: "RM_newRoom" })]);
  endByRestart(history.sql, { at: begin + 60 * second, startedAt: begin + 90 * second });
  expect(history.page()?.session).toMatchObject({ end: "restart", endedAt: begin + 60 * second });
  expect(staysOf(history)).toEqual([["a", 1, 60, ""]]);
  expect(history.page("RM_newRoom")?.session.endedAt).toBeUndefined();
});

test("where a report has events of both processes, the former one's sessions end between them, and no peak has both", () => {
  const history = historyOf([]);
  const fresh = (kind: "room_started" | "participant_joined", at: number) =>
    event(kind, at, kind === "room_started" ? "" : "b", { room: "RM_newRoom" });
  const restart = { at: begin + 20 * second, startedAt: begin + 90 * second };
  const batch = history.batchOf([
    ...[starts(0), joins("a", 1), joins("c", 40)],
    ...[fresh("room_started", 100), fresh("participant_joined", 101)],
  ]);
  expect(takeEvents(history.sql, batch, begin, [restart])).toEqual([]);
  expect(history.page()?.session).toMatchObject({ end: "restart", endedAt: begin + 40 * second });
  expect(history.page("RM_newRoom")?.session).toMatchObject({ present: 1 });
  expect(history.days()).toMatchObject([{ peak: 2 }]);
});

test("a restart later than a backlog's events waits for the others", () => {
  const history = historyOf([]);
  const restart = { at: begin + 20 * second, startedAt: begin + 90 * second };
  const first = history.batchOf([starts(0), joins("a", 1)]);
  expect(takeEvents(history.sql, first, begin, [restart])).toEqual([restart]);
  expect(history.page()?.session.endedAt).toBeUndefined();
  const rest = history.batchOf([
    ...[leaves("a", 50), event("room_started", 95, "", { room: "RM_newRoom" })],
  ]);
  expect(takeEvents(history.sql, rest, begin, [restart])).toEqual([]);
  expect(staysOf(history)).toEqual([["a", 1, 50, "CLIENT_INITIATED"]]);
  expect(history.page()?.session).toMatchObject({ end: "restart", endedAt: begin + 50 * second });
});

test("a session of which nothing came for a day ends at its last event, and goes on when something comes", () => {
  const history = historyOf([starts(0), joins("a", 1)]);
  endSilent(history.sql, begin + day);
  expect(history.page()?.session.end).toBeUndefined();
  endSilent(history.sql, begin + 2 * day);
  expect(history.page()?.session).toMatchObject({ end: "silence", endedAt: begin + second });
  history.take([leaves("a", 200_000)]);
  expect(history.page()?.session.end).toBeUndefined();
  expect(staysOf(history)).toEqual([["a", 1, 200_000, "CLIENT_INITIATED"]]);
  expect(history.page()?.session.stayedMs).toBe(199_999 * second);
});

test("tracks have their time, and those of unknown participants are left out", () => {
  const track = {
    details: { track: "TR_VC8b", source: "CAMERA", mime: "video/VP8", size: "1280x720" },
  };
  const history = historyOf([
    ...[
      joins("a", 1),
      event("track_published", 3, "a", track),
      event("track_published", 4, "b", track),
    ],
    event("track_unpublished", 9, "a", track),
  ]);
  expect(history.page()?.participants.map(({ tracks }) => tracks)).toEqual([
    [
      {
        ...{ sid: "TR_VC8b", source: "CAMERA", mime: "VP8", size: "1280x720" },
        ...{ from: begin + 3 * second, until: begin + 9 * second },
      },
    ],
  ]);
});

test("results of Egress and Ingress stand at their session, and an older event does not undo the end", () => {
  const egress = (kind: SessionEvent["kind"], at: number, status: string) =>
    event(kind, at, "", { details: { egress: "EG_1234", status, code: "500" } });
  const history = historyOf([
    ...[starts(0), egress("egress_started", 1, "EGRESS_ACTIVE")],
    ...[egress("egress_ended", 9, "EGRESS_FAILED"), egress("egress_updated", 8, "EGRESS_ENDING")],
  ]);
  expect(history.page()?.jobs).toMatchObject([
    {
      kind: "egress",
      status: "EGRESS_FAILED",
      endedAt: begin + 9 * second,
      code: 500,
      hasFailed: true,
    },
  ]);
});

test("what was taken is not counted again after a lost answer, and a new spool begins anew", () => {
  const history = historyOf([starts(0), joins("a", 1)]);
  const batch = history.batchOf([joins("b", 2), leaves("b", 62)]);
  takeEvents(history.sql, { ...batch, lost: 7, unverified: 2 }, begin);
  const [once, days] = [history.page(), history.days()];
  takeEvents(history.sql, { ...batch, lost: 7, unverified: 2 }, begin);
  expect([history.page(), history.days()]).toEqual([once, days]);
  expect(days).toMatchObject([{ joined: 2, sessions: 1, stayed: minute, lost: 7, unverified: 2 }]);
  const other = { spool: "b".repeat(16), through: 1, lost: 1, unverified: 0, events: [] };
  takeEvents(history.sql, other, begin);
  expect(history.days()).toMatchObject([{ lost: 8, joined: 2 }]);
});

test("time in calls belongs to the days in which it was spent", () => {
  const history = historyOf([joins("a", 0), leaves("a", 13 * 3_600)]);
  expect(history.days().map(({ stayed }) => stayed / 3_600_000)).toEqual([1, 12]);
});

test("sessions go after 90 days, and their sums stay", () => {
  const history = historyOf([starts(0), joins("a", 1), leaves("a", 61), finishes(70)]);
  history.take([event("room_started", 80 * 86_400, "", { room: "RM_newRoom" })], begin + 80 * day);
  expect(removeOld(history.sql, begin + 91 * day)).toBe(true);
  expect([history.page(), sessionList(history.sql, {}).sessions.length]).toEqual([undefined, 1]);
  expect(history.days().at(-1)).toMatchObject({ joined: 1, stayed: minute });
  expect(removeOld(history.sql, begin + 171 * day)).toBe(false);
});

/** Up to six people, each of whom joins and leaves once, whose events come late, twice, in any order, or not at all. */
const calls = fc.array(
  fc.record({
    ...{ from: fc.integer({ min: 0, max: 500 }), length: fc.integer({ min: 0, max: 500 }) },
    ...{ isJoinLost: fc.boolean(), copies: fc.integer({ min: 1, max: 3 }) },
  }),
  { minLength: 1, maxLength: 6 },
);

test("in whatever order, as often and in whichever reports events come: times are right, sums are those of the stays, nothing is below zero", () => {
  fc.assert(
    fc.property(
      calls,
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 5 }),
      (people, keys, size) => {
        const events = people.flatMap(({ from, length, isJoinLost, copies }, at) => {
          const who = "abcdef"[at] ?? "";
          const join = isJoinLost
            ? []
            : [{ ...joins(who, from), details: { joined: String(begin + from * second) } }];
          const leave = leaves(who, from + length, "CLIENT_INITIATED", from);
          return Array.from({ length: copies }, () => [...join, leave]).flat();
        });
        const shuffled = events
          .map((each) => ({ each, key: keys.next().value ?? 0 }))
          .sort((one, other) => one.key - other.key)
          .map(({ each }) => each);
        const history = historyOf();
        for (let at = 0; at < shuffled.length; at += size) {
          history.take(shuffled.slice(at, at + size));
          const session = history.page()?.session;
          expect(session?.present).toBeGreaterThanOrEqual(0);
          expect(session?.peak).toBeGreaterThanOrEqual(session?.present ?? 0);
        }
        const stays = people.map(({ from, length }, at) => ["abcdef"[at], from, from + length]);
        expect(
          staysOf(history)
            .map((stay) => stay.slice(0, 3))
            .sort(),
        ).toEqual(stays.sort());
        const total = people.reduce((sum, { length }) => sum + length * second, 0);
        expect(history.page()?.session).toMatchObject({
          present: 0,
          joined: people.length,
          stayedMs: total,
        });
        const days = history.days();
        expect(days.reduce((sum, { stayed }) => sum + stayed, 0)).toBe(total);
        expect(days.reduce((sum, { joined }) => sum + joined, 0)).toBe(people.length);
      },
    ),
  );
});
