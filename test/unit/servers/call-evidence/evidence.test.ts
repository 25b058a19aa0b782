import { expect, test } from "vitest";
import {
  type Evidence,
  evidenceOf,
  isBad,
  mergedEvidence,
} from "~/features/servers/room-sessions/evidence.ts";
import { countsOf, dayOfCounts } from "~/features/servers/room-sessions/evidence-sums.ts";
import { parseEvent } from "~/features/servers/room-sessions/session-event.ts";
import { sessions } from "../../../support/servers/session-lines.ts";

const network = "0123456789ab";
const line = (...details: string[]) => [
  ...["7", String(sessions.begin), "call_evidence", sessions.room, sessions.roomHash],
  ...["PA_alice1234", sessions.identityHash, ...details],
];
const read = (...details: string[]) => {
  const event = parseEvent(line(...details));
  return event && evidenceOf(event);
};

const call: Evidence = {
  ...{ session: sessions.room, participant: "PA_alice1234", identity: sessions.identityHash },
  ...{ roomName: sessions.roomHash, firstAt: 1, at: 1, state: "connected", network },
};

test("a line of the machine is read: way, figures, program and network", () => {
  const details = "state=connected path=relay_tls loss=12 sent=4 trip=38 jitter=4";
  const more = `browser=chrome/141 client=js/2_16_1 network=${network} direct=silent token=early`;
  expect(read(...details.split(" "), ...more.split(" "))).toEqual({
    ...{ ...call, firstAt: sessions.begin, at: sessions.begin, way: "relay-tls" },
    ...{
      lossPermille: 12,
      sentLossPermille: 4,
      roundTripMs: 38,
      jitterMs: 4,
      browser: "chrome 141",
      sdk: "js 2.16.1",
    },
    ...{ direct: "silent", token: "early" },
  });
});

test.each([
  ["no state", []],
  ["an unknown state", ["state=perhaps"]],
])("a line with %s says nothing", (_, details) => {
  expect(read(...details)).toBeUndefined();
});

test("what no list of ours has is left out, and the rest is read", () => {
  const bent =
    "path=pigeon loss=x trip=9999999 browser=<b> network=home failure=sabotage direct=1 token=x";
  expect(read("state=failed", ...bent.split(" "))).toMatchObject({ state: "failed", network: "" });
  expect(Object.keys(read("state=failed", ...bent.split(" ")) ?? {})).not.toContain("way");
});

test("what comes later of the same participant is added, in whichever order it comes", () => {
  const later: Evidence = { ...call, at: 9, firstAt: 9, state: "ended", failure: "broken" };
  const first: Evidence = { ...call, way: "udp", lossPermille: 3 };
  const both = { ...first, at: 9, state: "ended", failure: "broken" };
  expect(mergedEvidence(first, later)).toEqual(both);
  expect(mergedEvidence(later, first)).toEqual(both);
});

test.each<[Partial<Evidence>, boolean]>([
  [{ state: "failed" }, true],
  [{ failure: "broken" }, true],
  [{ failure: "camera" }, false],
  [{ way: "relay-tls" }, false],
  [{ lossPermille: 49 }, false],
  [{ lossPermille: 50 }, true],
  [{ roundTripMs: 399 }, false],
  [{ roundTripMs: 400 }, true],
])("whether %j was a bad call is %j", (more, wanted) => {
  expect(isBad({ ...call, ...more })).toBe(wanted);
});

test("a day's sums have the shares of ways, the figures of half and of 95 of 100, and why others failed", () => {
  const counts = new Map<string, number>();
  const add = (more: Partial<Evidence>) => {
    for (const name of countsOf({ ...call, ...more }))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (let at = 0; at < 18; at++) add({ way: "udp", roundTripMs: 20, lossPermille: 0 });
  add({ way: "relay-tls", roundTripMs: 90, lossPermille: 30 });
  add({ way: "tcp", roundTripMs: 5_000, lossPermille: 400 });
  add({ state: "failed", failure: "token" });
  add({ state: "failed" });
  expect(dayOfCounts(20_000, counts)).toEqual({
    ...{ day: 20_000, calls: 20, ways: { udp: 18, tcp: 1, "relay-tls": 1 } },
    ...{ failures: { token: 1, other: 1 }, surplus: 0 },
    roundTrip: { half: 25, most: 100 },
    loss: { half: 1, most: 50 },
  });
  expect(counts.get(`net ${network}`)).toBe(22);
  expect(counts.get(`bad ${network}`)).toBe(3);
});

test("a day on which nothing was measured has no figures", () => {
  const day = dayOfCounts(1, new Map([["way unknown", 2]]));
  expect([day.roundTrip, day.loss]).toEqual([undefined, undefined]);
});
