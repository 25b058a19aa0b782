import { type PlanName, planQuotas } from "~/content/plans";

/** How many servers a plan has, and how many are connected. */
export type Room = { servers: number; connected: number };

/** The room of a workspace with this plan; undefined is none. Servers that were disconnected take none. */
export function roomOf(
  plan: PlanName | undefined,
  servers: Parameters<typeof connectedIn>[0],
): Room {
  const quota = planQuotas[plan === undefined ? "none" : plan === "Basic" ? "basic" : "pro"];
  return { servers: quota.servers, connected: connectedIn(servers) };
}

/** How many of these servers were not disconnected. */
export function connectedIn(servers: readonly { retiredAt?: number | undefined }[]): number {
  return servers.filter(({ retiredAt }) => retiredAt === undefined).length;
}

/** How many more servers can be connected. */
export function roomLeft({ servers, connected }: Room): number {
  return Math.max(0, servers - connected);
}

/** Why no further server can be connected, and what to do; undefined where one can, or where that is not known. */
export function noRoom(room: Room | undefined): string | undefined {
  if (!room || roomLeft(room) > 0) return;
  if (room.servers === 0) {
    return "Servers are connected with a plan, and none runs here. Choose one under Billing first. Without one your servers run as before.";
  }
  return room.servers === 1
    ? "Your plan has one server, and it is connected. Disconnect it first to connect another."
    : `Your plan has ${room.servers} servers, and all are connected. Disconnect one first to connect another.`;
}

export function roomWords({ servers, connected }: Room): string {
  const are = connected === 0 ? "none is" : connected === 1 ? "one is" : `${connected} are`;
  return `Your plan has ${servers === 1 ? "one server" : `${servers} servers`}, and ${are} connected.`;
}
