import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "../../support/servers/machine.ts";
import { sessionLines as lines, sessions } from "../../support/servers/session-lines.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});

const { spool, begin, room, roomHash, identityHash } = sessions;
const deployment = "44444444-4444-4444-8444-444444444444";
async function connected() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const { token } = await fleets.makeToken({ workspace, deployment, uses: 1, hours: 72 });
  const server = new Machine(worker);
  await server.enrol(token);
  return { fleets, workspace, server };
}

const call = [
  ...["room_started 0", "participant_joined 1 kind=SIP"],
  "track_published 2 track=TR_VC8bq source=MICROPHONE mime=audio/opus",
  ...["participant_left 61 reason=SIGNAL_CLOSE publisher=1", "room_finished 81"],
];

test("events of a report are acknowledged, and the site reads the session, its sums and its file", async () => {
  const { fleets, workspace, server } = await connected();
  const answer = await server.report(1, lines(call, { lost: 3 }));
  expect(answer.lines).toMatchObject({ taken: "1", events: `${spool} 5` });
  const list = await fleets.sessions(workspace, server.server, {});
  expect(list?.sessions).toMatchObject([
    { sid: room, name: roomHash, joined: 1, peak: 1, stayedMs: 60_000, end: "finished" },
  ]);
  expect(list?.days).toMatchObject([{ sessions: 1, joined: 1, stayed: 60_000, lost: 3 }]);
  const page = await fleets.session(workspace, server.server, room);
  expect(page?.participants).toMatchObject([
    {
      ...{ sid: "PA_alice1234", identity: identityHash, kind: "SIP", reason: "SIGNAL_CLOSE" },
      tracks: [{ source: "MICROPHONE", mime: "opus", until: begin + 61_000 }],
    },
  ]);
  const file = await fleets.sessionFilePart(workspace, server.server);
  expect(file?.rows).toMatchObject([{ session: room, participant: { sid: "PA_alice1234" } }]);
});

test("the same events again, after a lost answer, double nothing", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, lines(call));
  const once = await fleets.sessions(workspace, server.server, {});
  // The report itself again, and its events in the next one.
  expect((await server.report(1, lines(call))).lines).toMatchObject({ events: `${spool} 5` });
  expect((await server.report(2, lines(call))).lines).toMatchObject({ events: `${spool} 5` });
  const twice = await fleets.sessions(workspace, server.server, {});
  expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
});

test("another process of LiveKit ends the sessions that it does not know, also without an event", async () => {
  const { fleets, workspace, server } = await connected();
  const node = (id: string, startedAt: number) => `node\t${id}\t${startedAt}`;
  const at = begin / 1_000;
  await server.report(1, [...lines(call.slice(0, 2)), node("ND_one", at - 60)], { at: at + 30 });
  await server.report(2, [], { at: at + 90 });
  await server.report(3, [node("ND_two", at + 100)], { at: at + 150 });
  const page = await fleets.session(workspace, server.server, room);
  expect(page?.session).toMatchObject({ end: "restart", present: 0, endedAt: begin + 30_000 });
});

test("a restart in a backlog ends the sessions once all events of before were taken, and is not forgotten until then", async () => {
  const { fleets, workspace, server } = await connected();
  const node = (id: string, startedAt: number) => `node\t${id}\t${startedAt}`;
  const at = begin / 1_000;
  await server.report(1, [...lines(call.slice(0, 2)), node("ND_one", at - 60)], { at: at + 30 });
  const many = Array.from(
    { length: 1_000 },
    (_, event) => `track_unpublished ${40 + event / 1_000}`,
  );
  const two = node("ND_two", at + 100);
  const first = await server.report(2, [...lines(many, { first: 3 }), two], { at: at + 3_600 });
  expect(first.lines).toMatchObject({ events: `${spool} 1002` });
  const open = await fleets.session(workspace, server.server, room);
  expect(open?.session).toMatchObject({ present: 1 });
  expect(open?.session).not.toHaveProperty("end");
  await server.report(3, [...lines(["participant_joined@b 50"], { first: 1_003 }), two], {
    at: at + 3_660,
  });
  const page = await fleets.session(workspace, server.server, room);
  expect(page?.session).toMatchObject({ end: "restart", present: 0, peak: 2 });
  expect(page?.session.endedAt).toBe(begin + 50_000);
});

test("a member of another workspace reads none of it, and a server without events has none", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, lines(call));
  const other = await connected();
  expect(await fleets.sessions(other.workspace, server.server, {})).toBeUndefined();
  expect(await fleets.session(other.workspace, server.server, room)).toBeUndefined();
  expect(await fleets.sessionFilePart(other.workspace, server.server)).toBeUndefined();
  const none = await fleets.sessions(other.workspace, other.server.server, {});
  expect([none?.sessions.length, none?.days.length]).toEqual([0, 0]);
  expect(await fleets.session(workspace, server.server, "RM_another")).toBeUndefined();
});

test("a disconnected server's sessions stay, and a workspace that is forgotten leaves none", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, lines(call));
  const history = await worker.historyOf(server.server);
  await fleets.retire(workspace, server.server);
  expect((await fleets.sessions(workspace, server.server, {}))?.sessions).toHaveLength(1);
  expect((await history.sessions({})).sessions).toHaveLength(1);
  await fleets.forget(workspace);
  expect(await history.sessions({})).toEqual({ sessions: [], days: [] });
  expect(await history.session(room)).toBeUndefined();
});

test("a line that no release of ours writes is left out, and the others are taken", async () => {
  const { fleets, workspace, server } = await connected();
  const bent = [
    "event\tx",
    `event\t2\t${begin}\troom_exploded\t${room}\t\t\t`,
    `event\t3\t${begin}\troom_started\t<script>\t\t\t`,
  ];
  const [head = "", ...events] = lines(call);
  const answer = await server.report(1, [head, ...bent, ...events]);
  expect(answer).toMatchObject({ status: 200, lines: { events: `${spool} 5` } });
  expect((await fleets.sessions(workspace, server.server, {}))?.sessions).toHaveLength(1);
});

test("sessions are found by their day, and by what a hash begins with, page by page", async () => {
  const { fleets, workspace, server } = await connected();
  const parts = Array.from({ length: 60 }, (_, at) => {
    const events = ["room_started", "participant_joined", "room_finished"].map(
      (kind) => `${kind} ${at * 100}`,
    );
    return lines(events, { first: at * 3 + 1, sid: `RM_room${String(at).padStart(4, "0")}` });
  });
  const head = `events\t${spool}\t180\t0\t0`;
  await server.report(1, [head, ...parts.flatMap(([, ...events]) => events)]);
  const first = await fleets.sessions(workspace, server.server, {});
  expect(first?.sessions).toHaveLength(50);
  expect(first?.sessions[0]?.sid).toBe("RM_room0059");
  const before = first?.next;
  const second = await fleets.sessions(workspace, server.server, before ? { before } : {});
  expect(second?.sessions.map(({ sid }) => sid)).toEqual(
    Array.from({ length: 10 }, (_, at) => `RM_room000${9 - at}`),
  );
  expect(second?.next).toBeUndefined();
  const day = Math.floor(begin / 86_400_000);
  const counts = await Promise.all(
    [{ name: "aaaaaa" }, { name: "0a1b" }, { name: "bbbb" }, { day }, { day: day + 2 }].map(
      async (query) => (await fleets.sessions(workspace, server.server, query))?.sessions.length,
    ),
  );
  expect(counts).toEqual([50, 50, 0, 50, 0]);
});
