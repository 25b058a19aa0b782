import { maxMachines } from "~/features/servers/connect/server-quota.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "./machine.ts";

const facts = { name: "Northwind", slug: "northwind", servers: 500 };
const deployment = "44444444-4444-4444-8444-444444444444";
const minute = 60_000;

export type FleetWanted = {
  count?: number;
  /** The address that its machines call from; without it each has one of fifty. */
  address?: string;
  /** Where its LiveKit answers. */
  domain?: string;
  /** The member who is notified by mail. */
  maker?: { person: string; address: string };
  /** The hour (UTC) of the next day at which its servers connect. Without it they connect now. */
  hour?: number;
  /** Its clock stands still from the start, so that all servers report, and later fall silent, in one moment. */
  isStopped?: boolean;
};

/** A workspace of the test's own with so many servers, each of which has reported once. */
export async function makeFleet(
  worker: RunningWorker,
  { count = 1, address, hour, isStopped, ...more }: FleetWanted = {},
) {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const servers: Machine[] = [];
  const day = 24 * 60 * minute;
  if (hour !== undefined)
    await worker.moveFleetClock(workspace, day - (Date.now() % day) + hour * 60 * minute);
  if (isStopped) await worker.stopFleetClock(workspace);
  while (servers.length < count) {
    const uses = Math.min(count - servers.length, maxMachines);
    const { token } = await fleets.makeToken({
      ...{ workspace, deployment, uses, hours: 72, facts, ...more },
    });
    const connected = Array.from({ length: uses }, async (_, at) => {
      const server = new Machine(worker, `i-${servers.length + at}`);
      server.address = address ?? `192.0.2.${at}`;
      await server.enrol(token);
      await server.report(1);
      return server;
    });
    servers.push(...(await Promise.all(connected)));
  }
  const [first] = servers;
  if (!first) throw new Error("The fleet has no server");
  const move = (minutes: number) => worker.moveFleetClock(workspace, minutes * minute);
  /** The first server, as lists show it. */
  const view = async () =>
    (await fleets.overview(workspace)).servers.find(({ id }) => id === first.server);
  /** Of each server those that its page shows, the newest first. */
  const incidents = async () => {
    const pages = await Promise.all(servers.map((each) => fleets.server(workspace, each.server)));
    return pages.flatMap((page) => page?.incidents ?? []);
  };
  return { fleets, workspace, servers, first, move, view, incidents };
}

export type MadeFleet = Awaited<ReturnType<typeof makeFleet>>;
