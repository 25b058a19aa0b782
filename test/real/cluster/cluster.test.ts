// A cluster over its life: three machines for calls and an edge, then a fourth. Nobody's call is cut while it changes.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { measured } from "../../support/run/measured.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { call, startCall } from "../media/call.ts";
import { laterTag } from "../media/machine/images.ts";
import { filesOf } from "../media/machine/machine.ts";
import { type Callers, silenceOf, startCallers } from "./callers/callers.ts";
import { type Cluster, deployment, startCluster } from "./cluster.ts";
import { nodeAt } from "./machines.ts";
import { callsOnEach, named, roomOn } from "./rooms.ts";

let cluster: Cluster;
let callers: Callers;

/** A silence of one second is heard, and less than that is what a busy machine makes. */
const gapMs = 1000;

/** After a drain, which on its own starts nothing. */
const startLivekit = "cd /opt/livekit && docker compose up -d --wait";

/** Nobody has been silent. Signalling that went by a machine which ended may have been resumed by another. */
async function expectWhole(what: string): Promise<void> {
  const people = await callers.allConnected();
  const silence = silenceOf(people);
  measured(`${what}-longest-silence-ms`, silence);
  console.log(`${what}: ${people.length} people, the longest silence ${silence} ms`);
  expect(people.filter((each) => silenceOf([each]) >= gapMs)).toEqual([]);
}

beforeAll(async () => {
  const began = performance.now();
  cluster = await startCluster({ booted: 4, joined: 3 });
  const seconds = (performance.now() - began) / 1000;
  measured("cluster-made-s", seconds);
  console.log(`The cluster was made in ${Math.round(seconds)} s`);
}, 1_800_000);
afterAll(() => cluster?.[Symbol.asyncDispose]());
beforeEach(async () => {
  callers = await startCallers(cluster.world, cluster.key);
});
afterEach(() => callers?.[Symbol.asyncDispose]());

test("no secret is in the user data, and none on the owner's computer", async () => {
  const secrets = (await cluster.edge.read("/opt/livekit/secrets.env"))
    .split("\n")
    .flatMap((line) => /^\w+='?([^']{12,})'?$/.exec(line)?.[1] ?? []);
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  const userData = filesOf(deployment).map(({ content }) => content);
  const stored = [...userData, cluster.operator.stored()].join("\n");
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  for (const number of [1, 2, 3])
    expect(await cluster.node(number).read("/opt/livekit/secrets.env")).toBe(
      await cluster.edge.read("/opt/livekit/secrets.env"),
    );
  // The fourth has the same user data, and no role yet.
  expect(await cluster.node(4).run("cat /opt/livekit/secrets.env")).not.toMatchObject({
    status: 0,
  });
});

test("rooms are spread over all machines", async () => {
  const rooms = named("spread", 24);
  await callers.call(rooms);
  const placed = await cluster.placement();
  const counts = [1, 2, 3].map(
    (number) => rooms.filter((room) => placed.get(room) === number).length,
  );
  console.log(`24 rooms on three machines: ${counts.join(", ")}`);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

test("calls through the edge: straight, and relayed by TURN over TLS from any machine", async () => {
  cluster.world.network.letThrough("443-only");
  try {
    for (const room of named("relayed", 6)) {
      const { heard, report, output } = await call(cluster.world, cluster.key, {
        ...{ room, servers: "tls", relay: true },
      });
      expect(heard, output).toBe(true);
      expect(report?.subscriber).toMatchObject({ local: "relay", relay: "tls" });
    }
  } finally {
    cluster.world.network.letThrough("all");
  }
  await callers.call(["straight"]);
});

test("a machine joins and leaves, and nobody's signalling or relay is cut", async () => {
  await callsOnEach(cluster, callers, "joins");
  await using relayed = await startCall(cluster.world, cluster.key, {
    ...{ room: "joins-relayed", servers: "tls", relay: true },
  });
  await callers.mark();
  await cluster.operator.done("join", nodeAt(4));
  const rooms = named("after-join", 12);
  await callers.call(rooms);
  const placed = await cluster.placement();
  expect(rooms.filter((room) => placed.get(room) === 4).length).toBeGreaterThan(0);
  await callers.end(rooms);
  const left = cluster.operator.done("leave", nodeAt(4));
  await left;
  const { silenceMs, left: why } = await relayed.end();
  expect(why).toBe("");
  expect(silenceMs).toBeLessThan(gapMs);
  await expectWhole("join-and-leave");
  expect(await cluster.node(4).run("cat /opt/livekit/secrets.env")).not.toMatchObject({
    status: 0,
  });
});

test("a drain cuts nobody: calls go on until they end, and new rooms begin elsewhere", async () => {
  const rooms = await callsOnEach(cluster, callers, "drain");
  const drained = [...rooms].filter(([, number]) => number === 1).map(([name]) => name);
  const [room = ""] = drained;
  await callers.mark();
  const ended = cluster.node(1).done("/opt/livekit/bin/before-stop.sh");
  await pollUntil(
    () => cluster.node(1).run("grep signalled /opt/livekit/state/draining"),
    ({ status }) => status === 0,
    20_000,
  );
  const begun = named("begun", 9);
  await callers.call(begun);
  const placed = await cluster.placement();
  expect(begun.filter((each) => placed.get(each) === 1)).toEqual([]);
  // Who is invited to a room that is there joins it.
  await callers.join(room, "three");
  await callers.hearEachOther([room]);
  await expectWhole("drain");
  await callers.end(drained);
  await ended;
  await expectWhole("drain-ended");
  await cluster.node(1).done(startLivekit);
});

test("a drain cuts nobody who is relayed inside TLS, whichever machine has the room", async () => {
  cluster.world.network.letThrough("443-only");
  try {
    const rooms = named("relay-drain", 8);
    await callers.call(rooms, "relay");
    const relayed = await cluster.node(3).done("ss -Htn state established sport = :5349");
    console.log(`Connections of TURN on the machine that drains: ${relayed.split("\n").length}`);
    expect(relayed).not.toBe("");
    await callers.mark();
    const ended = cluster.node(3).done("/opt/livekit/bin/before-stop.sh");
    await pollUntil(
      () => cluster.node(3).run("nft list table inet livekit_drain"),
      ({ status }) => status === 0,
    );
    const signalled = () => cluster.node(3).run("grep signalled /opt/livekit/state/draining");
    // Who comes now is relayed by another machine.
    const begun = named("relay-begun", 3);
    await callers.call(begun, "relay");
    await callers.hear(500);
    await expectWhole("relay-drain");
    expect((await signalled()).status, "Nothing ends while they are relayed").not.toBe(0);
    await callers.end([...rooms, ...begun]);
    await ended;
  } finally {
    cluster.world.network.letThrough("all");
  }
  await cluster.node(3).done(startLivekit);
});

test("a drain's deadline ends in a kill: people come back on another machine", async () => {
  const room = roomOn(await callsOnEach(cluster, callers, "deadline"), 2);
  await callers.mark();
  const drained = cluster.node(2).done("/opt/livekit/bin/before-stop.sh --now");
  const silence = await callers.comeBack([room], 20_000);
  await drained;
  measured("after-deadline-silence-ms", silence);
  console.log(`After the deadline of a drain: ${silence} ms of silence`);
  expect(silence).toBeLessThan(10_000);
  expect((await cluster.placement()).get(room)).not.toBe(2);
  await cluster.node(2).done(startLivekit);
});

/**
 * The calls of each machine end a moment after its drain began, which waits for its own alone. On those that have begun anew
 * others begin. `drains` comes once, when the first machine drains.
 */
async function endCallsInTurn(
  rooms: Map<string, number>,
  word: string,
  drains = async () => {},
): Promise<void> {
  for (const number of [1, 2, 3]) {
    await pollUntil(
      () => cluster.node(number).run("grep signalled /opt/livekit/state/draining"),
      ({ status }) => status === 0,
      240_000,
    );
    if (number === 1) await drains();
    await expectWhole(`${word}-of-${number}`);
    await callers.end([...rooms].filter(([, each]) => each === number).map(([room]) => room));
    const again = named(`${word}-again-${number}`, 2);
    await callers.call(again);
    for (const [room, where] of await cluster.placement())
      if (again.includes(room)) rooms.set(room, where);
  }
}

test("a rolling update with calls cuts nobody", async () => {
  const rooms = await callsOnEach(cluster, callers, "update");
  await callers.mark();
  const updated = cluster.operator.done("update", "--to", `livekit=${laterTag}`);
  await endCallsInTurn(rooms, "update");
  await updated;
  await expectWhole("update");
  for (const number of [1, 2, 3])
    expect(await cluster.node(number).done("livekit-deploy status")).toContain(laterTag);
});

test("Redis gets another password with calls, and is killed in the middle of it: nobody is cut", async () => {
  const rooms = await callsOnEach(cluster, callers, "rotate");
  await callers.mark();
  const passwordAt = async (machine: Cluster["edge"]) =>
    /^REDIS_PASSWORD='?([^'\n]+)'?$/m.exec(await machine.read("/opt/livekit/secrets.env"))?.[1];
  const before = await passwordAt(cluster.edge);
  const rotated = cluster.operator.done("rotate", "redis");
  await endCallsInTurn(rooms, "rotate", async () => {
    await cluster.edge.done(
      "cd /opt/livekit && docker compose kill -s KILL redis && docker compose start redis",
    );
  });
  await rotated;
  await expectWhole("rotate");
  const after = await passwordAt(cluster.edge);
  expect(after).not.toBe(before);
  for (const number of [1, 2, 3]) expect(await passwordAt(cluster.node(number))).toBe(after);
  // Redis takes the new one alone.
  const answer = (password = "") =>
    cluster
      .node(1)
      .done(
        `. /opt/livekit/.env; echo ${password} | python3 /opt/livekit/bin/cluster.py redis "$EDGE_ADDRESS:6379"`,
      );
  expect(await answer(before)).toContain("refused");
  expect(await answer(after)).toContain("ok");
});
