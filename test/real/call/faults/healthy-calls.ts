import type { Fault } from "./fault-table.ts";

/** Calls of which nothing is to be said. */
export const healthyCalls: readonly Pick<Fault, "name" | "happen">[] = [
  { name: "straight over UDP", happen: ({ talk }) => talk() },
  {
    name: "over TCP, which the server chose",
    happen: async ({ server, talk }) => {
      await server.restart({ rtc: { force_tcp: true } });
      await talk();
      await server.restart();
    },
  },
  {
    name: "over a relay, which the app chose",
    happen: ({ talk }) => talk(undefined, { relay: true }),
  },
  {
    name: "somebody who joins late",
    happen: async ({ join, reported, talk }) => {
      await join("home");
      await reported("call_evidence", "home", "connected");
      await talk(["desk"]);
    },
  },
  {
    name: "somebody who says nothing",
    happen: async ({ join, reported, check }) => {
      const [{ person }] = await Promise.all([join("desk"), join("home"), check()]);
      await person.mute();
      await reported("call_evidence", "desk", "connected");
      await person.leave();
      await reported("participant_left", "desk");
    },
  },
];
