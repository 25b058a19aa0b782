// Where the programs of a fault run: a server, two desks of an office and a home, each in a network namespace of its own.
import { ran } from "../../media/world/commands.ts";

export const clients = ["desk", "colleague", "home"] as const;
export type Client = (typeof clients)[number];
export const places = ["server", ...clients] as const;
export type Place = (typeof places)[number];

/** Of the ranges for documentation (RFC 5737): nobody's. The desks are in one /24. The proxy's is one of Cloudflare's. */
export const address = {
  ...{ server: "203.0.113.10", desk: "203.0.113.21", colleague: "203.0.113.22" },
  ...{ home: "198.51.100.21", nobody: "203.0.113.77", proxy: "104.16.0.10" },
} as const;
/** By IPv6, for documentation too (RFC 3849). */
export const nowhere = "2001:db8::77";
export const serverAtHome = "198.51.100.10";

/** Two runs can share a machine. */
const run = `${process.env.TEST_PORT_BASE ?? 24700}`;
export const spaceOf = (place: Place): string => `lkf${run}${place[0]}`;

/** What a command is begun with, so that it runs there. */
export const at = (place: Place): string[] => ["ip", "netns", "exec", spaceOf(place)];
export const inside = (place: Place, command: string, input?: string): string =>
  ran([...at(place), ...command.split(" ")], input);
