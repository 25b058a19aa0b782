// Machines that are all alike, behind a balancer: three of them, a Redis outside, and people in calls while machines drain,
// are updated and die. Signalling and relays inside TLS go by the balancer; other media goes straight to each machine.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { measured } from "../../support/run/measured.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { call } from "../media/call.ts";
import { laterTag } from "../media/machine/images.ts";
import { type Balanced, startBalanced } from "./balanced.ts";
import { type Callers, silenceOf, startCallers } from "./callers/callers.ts";
import { callsOnEach, named } from "./rooms.ts";

let machines: Balanced;
let callers: Callers;

/** A silence of less is what a busy machine makes, above all in the first second of a call. */
const gapMs = 2000;

/** After a drain, which on its own starts nothing. */
const startLivekit = "cd /opt/livekit && docker compose up -d --wait";

function say(name: string, milliseconds: number, sentence: string): void {
  measured(`balanced-${name}-ms`, milliseconds);
  console.log(`${sentence}: ${milliseconds} ms`);
}

/** Nobody has been silent. Signalling that went by a machine which ended may have been resumed by another. */
async function expectWhole(what: string): Promise<void> {
  const people = await callers.allConnected();
  say(`${what}-longest-silence`, silenceOf(people), `${what}: the longest silence`);
  expect(people.filter((each) => silenceOf([each]) >= gapMs)).toEqual([]);
}

/** The balancer gives the machine no connections any more, and LiveKit gives it no rooms. */
async function untilDrains(number: number): Promise<void> {
  await machines.balancer.until(number, "DOWN 503");
  await pollUntil(
    () => machines.node(number).run("grep signalled /opt/livekit/state/draining"),
    ({ status }) => status === 0,
    60_000,
  );
}

beforeAll(async () => {
  const began = performance.now();
  machines = await startBalanced();
  const seconds = (performance.now() - began) / 1000;
  measured("balanced-made-s", seconds);
  console.log(`Three machines behind a balancer were made in ${Math.round(seconds)} s`);
}, 1_800_000);
afterAll(() => machines?.[Symbol.asyncDispose]());
beforeEach(async () => {
  callers = await startCallers(machines.world, machines.key);
});
afterEach(() => callers?.[Symbol.asyncDispose]());

test("calls through the balancer: rooms on all machines, straight and relayed by TURN over TLS", async () => {
  await callsOnEach(machines, callers, "straight");
  machines.world.network.letThrough("443-only");
  try {
    for (const room of named("relayed", 6)) {
      const { heard, report, output } = await call(machines.world, machines.key, {
        ...{ room, servers: "tls", relay: true },
      });
      expect(heard, output).toBe(true);
      expect(report?.subscriber).toMatchObject({ local: "relay", relay: "tls" });
    }
  } finally {
    machines.world.network.letThrough("all");
  }
});

test("a drain: the balancer leaves the machine out at its 503, new rooms begin elsewhere, nobody is cut", async () => {
  const rooms = await callsOnEach(machines, callers, "drain");
  await callers.mark();
  const ended = machines.node(1).done("/opt/livekit/bin/before-stop.sh");
  await untilDrains(1);
  const begun = named("begun", 6);
  await callers.call(begun);
  const placed = await machines.placement();
  expect(begun.filter((each) => placed.get(each) === 1)).toEqual([]);
  await expectWhole("drain");
  await callers.end([...rooms].filter(([, number]) => number === 1).map(([room]) => room));
  await ended;
  await expectWhole("drain-ended");
  await machines.node(1).done(startLivekit);
  await machines.balancer.until(1, "UP 200");
});

test("an update by cluster.sh takes one machine after the other out of the balancer, and cuts nobody", async () => {
  const rooms = await callsOnEach(machines, callers, "update");
  await callers.mark();
  const updated = machines.operator.done("update", "--to", `livekit=${laterTag}`);
  for (const number of [1, 2, 3]) {
    await untilDrains(number);
    await expectWhole(`update-of-${number}`);
    await callers.end([...rooms].filter(([, each]) => each === number).map(([room]) => room));
    const again = named(`updated-${number}`, 2);
    await callers.call(again);
    for (const [room, where] of await machines.placement())
      if (again.includes(room)) rooms.set(room, where);
  }
  await updated;
  await expectWhole("update");
  for (const number of [1, 2, 3])
    expect(await machines.node(number).done("livekit-deploy status")).toContain(laterTag);
});

/**
 * Calls, each with its signalling by a machine that is known, until a machine that will be lost has rooms and signalling of
 * rooms elsewhere, and there are rooms to which it is nothing.
 */
async function callsAround(lost: number, alive: readonly number[], word: string) {
  const rooms = { there: [] as string[], signalled: [] as string[], others: [] as string[] };
  try {
    for (const [index, room] of named(word, 30).entries()) {
      if (index >= 9 && Object.values(rooms).every(({ length }) => length > 0)) return rooms;
      const by = alive[index % alive.length];
      await machines.balancer.lead(by);
      await callers.call([room]);
      const at = (await machines.placement()).get(room);
      rooms[at === lost ? "there" : by === lost ? "signalled" : "others"].push(room);
    }
  } finally {
    await machines.balancer.lead();
  }
  throw new Error(`Of 30 calls too few have to do with machine ${lost}.`);
}

/** The longest silences since the mark: in the rooms that were there, in those whose signalling alone was, in others. */
async function silencesOf({ there, signalled, others }: Awaited<ReturnType<typeof callsAround>>) {
  const people = await callers.report();
  const within = (rooms: readonly string[]) =>
    silenceOf(people.filter(({ room }) => rooms.includes(room)));
  return { there: within(there), signalled: within(signalled), others: within(others) };
}

test("a machine is killed: who was there, and whose signalling went by it, is back within 20 s", async () => {
  const rooms = await callsAround(3, [1, 2, 3], "killed");
  await callers.mark();
  const began = Date.now();
  await machines.node(3).kill();
  await callers.comeBack(rooms.there, 60_000);
  await callers.allConnected(60_000);
  await callers.hearEachOther(Object.values(rooms).flat());
  const back = Date.now() - began;
  const silence = await silencesOf(rooms);
  say("killed-back", back, "A machine was killed, and everybody hears everybody after");
  say("killed-silence", silence.there, "The longest silence in its rooms");
  say("killed-signalled-silence", silence.signalled, "In rooms elsewhere with signalling by it");
  say("killed-others-silence", silence.others, "In all other rooms");
  expect(back).toBeLessThan(20_000);
  expect(silence.others).toBeLessThan(gapMs);
  await machines.balancer.until(3, "DOWN");
  await callers.call(named("after-killed", 3));
});

test("the power of a machine is gone: who was there is back within 30 s, and nobody else is cut", async () => {
  const rooms = await callsAround(2, [1, 2], "power");
  await callers.mark();
  machines.world.network.plug("media2", "down");
  await machines.node(2).kill();
  // Nothing closes a connection. Clients know it by their media after 15 s and try again with pauses; the balancer knows it
  // after two questions, which is 16 s at most.
  const back = await callers.comeBack(rooms.there, 60_000);
  say("power-back", back, "A machine had no power any more, and who was there is back after");
  expect(back).toBeLessThan(30_000);
  // Whose signalling alone went by it learns nothing from the SDK for Go, which has no pings, and hears on. So for 12 s more.
  await callers.hear(600);
  const silence = await silencesOf(rooms);
  say("power-signalled-silence", silence.signalled, "In rooms elsewhere with signalling by it");
  say("power-others-silence", silence.others, "In all other rooms");
  expect(silence.signalled).toBeLessThan(gapMs);
  expect(silence.others).toBeLessThan(gapMs);
  await machines.balancer.until(2, "DOWN");
  await callers.call(named("after-power", 3));
});
