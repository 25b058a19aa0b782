import { type PlanName, planQuotas } from "~/content/plans";

/** How many servers a plan allows, and how many are connected. */
export type ServerQuota = { allowed: number; connected: number };

/** The quota of a workspace with this plan; undefined is none. Servers that were disconnected do not count. */
export function serverQuotaOf(
  plan: PlanName | undefined,
  servers: Parameters<typeof connectedIn>[0],
): ServerQuota {
  const { servers: allowed } =
    planQuotas[plan === undefined ? "none" : plan === "Basic" ? "basic" : "pro"];
  return { allowed, connected: connectedIn(servers) };
}

/** How many of these servers were not disconnected. */
export function connectedIn(servers: readonly { retiredAt?: number | undefined }[]): number {
  return servers.filter(({ retiredAt }) => retiredAt === undefined).length;
}

/** How many more servers can be connected. */
export function serversLeft({ allowed, connected }: ServerQuota): number {
  return Math.max(0, allowed - connected);
}

/** Why no further server can be connected, and what to do; undefined where one can, or where that is not known. */
export function quotaRefusal(quota: ServerQuota | undefined): string | undefined {
  if (!quota || serversLeft(quota) > 0) return;
  const { allowed } = quota;
  if (allowed === 0) {
    return "Servers are connected with a plan, and none runs here. Choose one under Billing first. Without one your servers run as before.";
  }
  return allowed === 1
    ? "Your plan has one server, and it is connected. Disconnect it first to connect another."
    : `With your plan up to ${allowed} machines may report here, and all are connected. Disconnect one first to connect another.`;
}

export function quotaWords({ allowed, connected }: ServerQuota): string {
  const are = connected === 0 ? "none is" : connected === 1 ? "one is" : `${connected} are`;
  // A plan has fewer deployments: one of them has more than one machine while a new one replaces the old one.
  return allowed === 1
    ? `Your plan has one server, and ${are} connected.`
    : `With your plan up to ${allowed} machines may report here, and ${are} connected.`;
}

/** For so many machines one token can be made. */
export const maxMachines = 50;

/** What was typed for the number of machines, and what is wrong with it. */
export type TypedCount = { text: string; error?: string };

/** For how many machines a token is asked; without the field for one. Undefined where it is no such number. */
export function machineCount(typed: string | null): number | undefined {
  const text = typed?.trim() ?? "1";
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= maxMachines ? count : undefined;
}

/** What is wrong with a number of machines; `left`: how many more the quota allows. */
export function countRefusal(left = maxMachines): string {
  if (left >= maxMachines)
    return `A token is for 1 to ${maxMachines} machines. Type a whole number.`;
  return `Your plan has room for ${left === 1 ? "one more server" : `${left} more servers`}.`;
}
