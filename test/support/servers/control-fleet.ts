import { serversAt } from "./servers-at.ts";

/**
 * Does something to a workspace's fleet behind a running site that only tests do: `scripts/lib/fleet-controls.js` says
 * what, and which numbers it takes.
 */
export async function controlFleet(
  siteUrl: string,
  workspace: string,
  control: "clock" | "faults" | "update",
  numbers: Record<string, number>,
): Promise<void> {
  const named = Object.entries(numbers).map(([name, value]) => [name, String(value)]);
  const path = `/_local/${control}?${new URLSearchParams([["workspace", workspace], ...named])}`;
  const sent = { method: "POST", headers: {}, body: "" };
  const { status } = await serversAt(siteUrl).askServers(path, sent);
  if (status !== 200) throw new Error(`The fleet did not do ${path}: ${status}`);
}
