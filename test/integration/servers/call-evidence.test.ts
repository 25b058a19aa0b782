import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "../../support/servers/machine.ts";
import { sessionLines as lines, sessions } from "../../support/servers/session-lines.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});

const deployment = "44444444-4444-4444-8444-444444444444";
const network = "0123456789ab";
const { identityHash, spool } = sessions;

async function connected() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const { token } = await fleets.makeToken({ workspace, deployment, uses: 1, hours: 72 });
  const server = new Machine(worker);
  await server.enrol(token);
  return { fleets, workspace, server };
}

const said = [
  ...["room_started 0", "participant_joined 1"],
  `call_evidence 11 state=connected path=relay_tls trip=120 loss=20 network=${network}`,
  `call_evidence 311 state=ended path=relay_tls trip=140 loss=60 network=${network}`,
  `call_evidence@b 20 state=connected path=udp trip=20 loss=1 network=${network}`,
];

test("what apps said of calls is acknowledged with the sessions, and read by person, with its sums", async () => {
  const { fleets, workspace, server } = await connected();
  const answer = await server.report(1, lines(said));
  expect(answer.lines).toMatchObject({ taken: "1", events: `${spool} 5` });
  const page = await fleets.evidence(workspace, server.server, { name: identityHash.slice(0, 6) });
  expect(page?.calls).toMatchObject([
    { state: "ended", way: "relay-tls", lossPermille: 60, roundTripMs: 140, network },
  ]);
  expect(page?.days).toMatchObject([
    { calls: 2, ways: { udp: 1, "relay-tls": 1 }, roundTrip: { half: 25, most: 150 } },
  ]);
  expect(page?.networks).toEqual([{ network, calls: 2, bad: 1 }]);
  const file = await fleets.evidenceFilePart(workspace, server.server);
  expect(file?.rows.map(({ participant }) => participant)).toEqual([
    ...["PA_alice1234", "PA_blice1234"],
  ]);
  expect(page?.hours).toMatchObject([{ calls: 1, lossy: 1, roundTripMs: { sum: 140, count: 1 } }]);
  // It is no event of the session.
  const [session] = (await fleets.sessions(workspace, server.server, {}))?.sessions ?? [];
  expect(session).toMatchObject({ joined: 1, present: 1 });
});

test("what comes from files of its own is acknowledged by itself, with what was not taken", async () => {
  const { fleets, workspace, server } = await connected();
  const [, ...calls] = lines([`call_evidence 11 state=connected path=udp network=${network}`]);
  const separate = calls.map((line) => line.replace(/^event/, "call"));
  const evidence = [`evidence\t${"f".repeat(16)}\t9\t40`, ...separate];
  const events = lines(["room_started 0", "participant_joined 1"]);
  for (const seq of [1, 2]) {
    const answer = await server.report(seq, [...events, ...evidence]);
    expect(answer.lines).toMatchObject({ events: `${spool} 2`, evidence: `${"f".repeat(16)} 9` });
  }
  const page = await fleets.evidence(workspace, server.server, { name: identityHash });
  expect(page).toMatchObject({ calls: [{ way: "udp" }], hasNetworks: true });
  expect(page?.days).toMatchObject([{ calls: 1, surplus: 40 }]);
});

test("the call of a participant is explained by what their app said of it, and of others", async () => {
  const { fleets, workspace, server } = await connected();
  const silent = `path=relay_tls direct=silent trip=120 network=${network}`;
  await server.report(
    1,
    lines([
      ...["room_started 0", "participant_joined 1"],
      `call_evidence 11 state=connected ${silent}`,
      "call_evidence@b 20 state=connected path=udp network=ba9876543210",
      `call_evidence@c 21 state=connected ${silent}`,
      "participant_left 300 reason=CLIENT_INITIATED",
    ]),
  );
  const call = await fleets.explainedCall(
    ...([workspace, server.server, sessions.room, sessions.participant] as const),
  );
  expect(call?.explanations[0]).toMatchObject({
    ...{ code: "way.443", confidence: "likely" },
    title:
      "Their network lets little more than port 443 through: TURN relayed the call inside TLS; 1 person from there too.",
  });
  expect(call?.evidence).toMatchObject({ way: "relay-tls", network });
  const other = await connected();
  expect(
    await fleets.explainedCall(
      ...([other.workspace, server.server, sessions.room, sessions.participant] as const),
    ),
  ).toBeUndefined();
});

test("the same again, after a lost answer, doubles nothing", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, lines(said));
  const once = await fleets.evidence(workspace, server.server, { name: network });
  await server.report(2, lines(said));
  expect(await fleets.evidence(workspace, server.server, { name: network })).toEqual(once);
});

test("evidence alone, of somebody who got into no room, is there too", async () => {
  const { fleets, workspace, server } = await connected();
  const failed = lines([`call_evidence 5 state=failed failure=media network=${network}`]).map(
    (line) => line.replace("PA_alice1234", "").replace(sessions.room, ""),
  );
  await server.report(1, failed);
  const page = await fleets.evidence(workspace, server.server, { name: identityHash });
  expect(page?.calls).toMatchObject([{ state: "failed", failure: "media", session: "" }]);
  expect(page?.days).toMatchObject([{ calls: 0, failures: { media: 1 } }]);
});

test("a member of another workspace reads none of it, and a server without evidence has none", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, lines(said));
  const other = await connected();
  expect(await fleets.evidence(other.workspace, server.server, { name: network })).toBeUndefined();
  expect(
    await fleets.evidence(workspace, "00000000-0000-4000-8000-000000000000", {}),
  ).toBeUndefined();
  expect(await fleets.evidenceFilePart(other.workspace, server.server)).toBeUndefined();
  expect(await fleets.evidence(other.workspace, other.server.server, {})).toEqual({
    ...{ calls: [], moreCalls: 0, hasNetworks: false, days: [], networks: [] },
  });
});
