import { namesByDoctor } from "./doctor.ts";
import type { Fault } from "./fault.ts";
import { nowhere } from "./places.ts";

/** Calls of which nothing is to be said. */
export const healthyCalls: readonly Pick<Fault, "name" | "happen">[] = [
  { name: "straight over UDP", happen: ({ talk }) => talk() },
  {
    name: "over TCP, which the server chose",
    happen: async ({ server, talk }) => {
      await server.restart({ rtc: { force_tcp: true } });
      await talk();
    },
  },
  {
    name: "over a relay, which the app chose",
    happen: ({ talk }) => talk(undefined, { relay: true }),
  },
  {
    // TCP finds out, and a voice needs no larger packets.
    name: "behind an MTU of 1200",
    happen: ({ network, talk }) => {
      network.mtu("desk", 1_200);
      return talk();
    },
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
  {
    name: "over IPv4, where IPv6 leads nowhere",
    happen: async ({ network, talk, found }) => {
      network.resolve({ six: nowhere });
      network.addIpv6("desk");
      const kind = { names: { domain: "system", turn: "system" } };
      await talk(undefined, { kind });
      found(namesByDoctor());
    },
  },
];
