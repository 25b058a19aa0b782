// What breaks in a cluster: its Redis goes away, loses its data, and a machine for calls dies.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { measured } from "../../support/run/measured.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { addressOf } from "../media/world/network.ts";
import { type Callers, silenceOf, startCallers } from "./callers/callers.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { callsOnEach, named } from "./rooms.ts";

let cluster: Cluster;
let callers: Callers;

const atEdge = (command: string) => cluster.edge.done(`cd /opt/livekit && ${command}`);

function say(name: string, milliseconds: number, sentence: string): void {
  measured(`${name}-ms`, milliseconds);
  console.log(`${sentence}: ${milliseconds} ms`);
}

async function joinAtLast(room: string, identity: string): Promise<void> {
  await pollUntil(
    () =>
      callers.join(room, identity).then(
        () => "joined",
        (error: unknown) => String(error),
      ),
    (outcome) => outcome === "joined",
    60_000,
  );
}

/** Who comes to these rooms finds everybody there, and new rooms begin. */
async function expectWholeCluster(rooms: readonly string[], word: string): Promise<void> {
  for (const room of rooms) await joinAtLast(room, "late");
  await callers.hearEachOther(rooms);
  await callers.call(named(word, 3));
  const placed = await cluster.placement();
  expect(rooms.filter((room) => !placed.get(room))).toEqual([]);
}

beforeAll(async () => {
  cluster = await startCluster({ booted: 3, joined: 3 });
}, 1_800_000);
afterAll(() => cluster?.[Symbol.asyncDispose]());
beforeEach(async () => {
  callers = await startCallers(cluster.world, cluster.key);
});
afterEach(() => callers?.[Symbol.asyncDispose]());

test("Redis is killed and is back at once: nobody is cut", async () => {
  const rooms = [...(await callsOnEach(cluster, callers, "short")).keys()];
  await callers.mark();
  const began = Date.now();
  await atEdge("docker compose kill -s KILL redis && docker compose start redis");
  await cluster.redis("ping");
  console.log(`Redis was away for ${Date.now() - began} ms at most`);
  // Twelve seconds of sound: clients ask every five, and LiveKit waits three for an answer.
  await callers.hear(600);
  const silence = silenceOf(await callers.allConnected());
  say("redis-restart-longest-silence", silence, "The longest silence while Redis began again");
  expect(silence).toBeLessThan(1000);
  await expectWholeCluster(rooms, "after-short");
});

test("Redis is away for half a minute, and back with its data: the cluster is whole", async () => {
  const rooms = [...(await callsOnEach(cluster, callers, "long")).keys()];
  await callers.mark();
  // It begins with its snapshot, as after a restore.
  await atEdge(
    "docker compose stop redis && rm -rf data/redis/appendonlydir && sleep 30 && docker compose start redis",
  );
  const back = Date.now();
  await callers.allConnected(60_000);
  await callers.hearEachOther(rooms);
  say("redis-outage-back", Date.now() - back, "Everybody hears everybody after Redis was back");
  say(
    "redis-outage-longest-silence",
    silenceOf(await callers.report()),
    "The longest silence of an outage of half a minute",
  );
  await expectWholeCluster(rooms, "after-long");
});

test("Redis comes back empty: every room is there once, with everybody in it", async () => {
  const rooms = [...(await callsOnEach(cluster, callers, "empty")).keys()];
  await callers.mark();
  await atEdge("docker compose stop redis && rm -rf data/redis/* && docker compose start redis");
  const back = Date.now();
  // In the seconds before LiveKit begins anew, such a room begins a second time on another machine. Who is refused in them
  // tries again, as people do.
  await Promise.all(rooms.map((room) => joinAtLast(room, "third")));
  await callers.hearEachOther(rooms, 60_000);
  say("redis-empty-back", Date.now() - back, "Everybody hears everybody after an empty Redis");
  await callers.allConnected();
  await expectWholeCluster(rooms, "after-empty");
});

test("a machine is killed: its callers are back within ten seconds, and nobody else is cut", async () => {
  const rooms = await callsOnEach(cluster, callers, "killed");
  for (const room of named("more", 6)) {
    await callers.call([room]);
    rooms.set(room, (await cluster.placement()).get(room) ?? 0);
  }
  const lost = [...rooms].filter(([, number]) => number === 3).map(([room]) => room);
  await callers.mark();
  await cluster.node(3).kill();
  const silence = await callers.comeBack(lost, 30_000);
  say("killed-longest-silence", silence, `${lost.length} rooms of a killed machine are back after`);
  expect(silence).toBeLessThan(10_000);
  const others = (await callers.allConnected()).filter(({ room }) => !lost.includes(room));
  say("killed-others-silence", silenceOf(others), "The longest silence of the others");
  expect(silenceOf(others)).toBeLessThan(1000);
  await expectWholeCluster([...rooms.keys()], "after-killed");
});

test("the power of a machine is gone: its callers are back", async () => {
  const rooms: Map<string, number> = new Map();
  for (const room of named("power", 8)) {
    await callers.call([room]);
    rooms.set(room, (await cluster.placement()).get(room) ?? 0);
  }
  const lost = [...rooms].filter(([, number]) => number === 2).map(([room]) => room);
  await callers.mark();
  cluster.world.network.plug("media2", "down");
  await cluster.node(2).kill();
  const silence = await callers.comeBack(lost, 60_000);
  say(
    "power-longest-silence",
    silence,
    `${lost.length} rooms of a machine without power are back after`,
  );
  expect(silence).toBeLessThan(30_000);
  // Signalling of the others that goes by it is over soon too, and begins again by another machine.
  const { private: lostAddress } = addressOf(2);
  await pollUntil(
    () => cluster.edge.done(`ss -Htn state established dst ${lostAddress} dport = :7880`),
    (connections) => connections === "",
    30_000,
  );
  const others = (await callers.allConnected()).filter(({ room }) => !lost.includes(room));
  say("power-others-silence", silenceOf(others), "The longest silence of the others");
  expect(silenceOf(others)).toBeLessThan(1000);
  await expectWholeCluster([...rooms.keys()], "after-power");
});
