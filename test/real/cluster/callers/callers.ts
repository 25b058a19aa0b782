import { inject } from "vitest";
import * as z from "zod/mini";
import { pollUntil } from "../../../support/site/poll.ts";
import type { Key } from "../../media/call.ts";
import { startProgram } from "../../media/world/program.ts";
import type { World } from "../../media/world/world.ts";

/** What has arrived of one other person. Silences are in milliseconds, the longest since the last mark. */
const heard = z.object({ packets: z.number(), silentMs: z.number(), silenceMs: z.number() });
const personReport = z.object({
  room: z.string(),
  identity: z.string(),
  state: z.string(),
  sees: z.array(z.string()),
  hears: z.record(z.string(), heard),
  /** What the client told its application since the last mark, each with the time of day. */
  happened: z.array(z.string()),
});
export type PersonReport = z.output<typeof personReport>;
const answer = z.object({
  event: z.string(),
  room: z.optional(z.string()),
  identity: z.optional(z.string()),
  ms: z.optional(z.number()),
  why: z.optional(z.string()),
  people: z.optional(z.array(personReport)),
});

export type Callers = Awaited<ReturnType<typeof startCallers>>;

/** People at the client's place, each with LiveKit's SDK for Go, which comes back by itself. */
export async function startCallers(world: World, { key, secret }: Key) {
  const url = "wss://livekit.example.com";
  const program = await startProgram(
    [...world.network.at("client"), inject("callers"), "-url", url, "-key", key, "-secret", secret],
    /^\{"event":"ready"/,
    { SSL_CERT_FILE: world.trusted, SSL_CERT_DIR: "/nonexistent" },
  );
  const ask = async (command: string, ...events: string[]) => {
    const before = program.lines.length;
    program.write(`${command}\n`);
    const [, room, identity] = command.split(" ");
    const mine = () =>
      program.lines
        .slice(before)
        .flatMap((line) => (line.startsWith('{"event"') ? [answer.parse(JSON.parse(line))] : []))
        .find(
          (each) => events.includes(each.event) && each.room === room && each.identity === identity,
        );
    const found = await pollUntil(mine, (each) => each !== undefined, 40_000);
    if (!found) throw new Error(program.lines.join("\n"));
    return found;
  };
  const callers = {
    /** Answers how many milliseconds the person needed to join. */
    async join(room: string, identity: string, way: "all" | "relay" = "all"): Promise<number> {
      const {
        event,
        ms = 0,
        why,
      } = await ask(`join ${room} ${identity} ${way}`, "joined", "failed");
      if (event === "failed") throw new Error(`${identity} did not join ${room}: ${why}`);
      return ms;
    },
    leave: (room: string, identity: string) => ask(`leave ${room} ${identity}`, "left"),
    /** The longest silences, and what happened, are from now on. */
    mark: () => ask("mark", "marked"),
    report: async () => (await ask("report", "report")).people ?? [],
    /** A call of two in each of these rooms, in which both hear each other. */
    async call(rooms: readonly string[], way: "all" | "relay" = "all"): Promise<void> {
      for (const room of rooms)
        for (const identity of ["one", "two"]) await callers.join(room, identity, way);
      await callers.hearEachOther(rooms);
    },
    async end(rooms: readonly string[]): Promise<void> {
      for (const { room, identity } of await callers.report())
        if (rooms.includes(room)) await callers.leave(room, identity);
    },
    /** Waits until everybody in these rooms hears everybody else who joined there. */
    async hearEachOther(rooms: readonly string[], limitMs = 60_000): Promise<void> {
      await pollUntil(
        () => callers.deafIn(rooms),
        (deaf) => deaf.length === 0,
        limitMs,
      );
    },
    /** Waits until everybody has heard so many packets more of each other one; there are fifty a second. */
    async hear(packets: number): Promise<void> {
      const counted = async () =>
        (await callers.report()).flatMap(({ hears }) =>
          Object.values(hears).map((each) => each.packets),
        );
      const before = await counted();
      await pollUntil(
        counted,
        (now) => now.every((each, index) => each >= (before[index] ?? 0) + packets),
        60_000,
      );
    },
    /**
     * After what cuts these rooms: waits until that was heard, and then until everybody hears everybody again. Answers the
     * longest silence of them all in milliseconds, from the last packet before to the first one after.
     */
    async comeBack(rooms: readonly string[], limitMs: number): Promise<number> {
      await pollUntil(
        () => callers.deafIn(rooms),
        (deaf) => deaf.length > 0,
      );
      await callers.hearEachOther(rooms, limitMs);
      const people = (await callers.report()).filter(({ room }) => rooms.includes(room));
      return silenceOf(people);
    },
    /** Waits until nobody's client is on its way back any more: signalling that went by a machine that ended goes by another. */
    async allConnected(limitMs = 20_000): Promise<PersonReport[]> {
      return pollUntil(
        callers.report,
        (people) => people.every(({ state }) => state === "connected"),
        limitMs,
      );
    },
    /** Who in these rooms does not hear somebody else who joined there, and what happened to them. */
    async deafIn(rooms: readonly string[]): Promise<string[]> {
      const people = (await callers.report()).filter(({ room }) => rooms.includes(room));
      return people.flatMap(({ room, identity, state, hears, happened }) =>
        people
          .filter((other) => other.room === room && other.identity !== identity)
          .filter((other) => (hears[other.identity]?.silentMs ?? Number.POSITIVE_INFINITY) > 500)
          .map(
            (other) =>
              `${room}: ${identity}, ${state}, does not hear ${other.identity}: ${happened.join(", ")}`,
          ),
      );
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
  return callers;
}

/** The longest time since the last mark in which any of these people heard nothing of another one. */
export const silenceOf = (people: readonly PersonReport[]): number =>
  Math.max(
    0,
    ...people.flatMap(({ hears }) => Object.values(hears).map(({ silenceMs }) => silenceMs)),
  );
