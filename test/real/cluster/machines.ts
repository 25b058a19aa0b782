import { bootMachine, type Deployment, type Machine } from "../media/machine/machine.ts";
import { address, addressOf } from "../media/world/network.ts";
import type { World } from "../media/world/world.ts";

/** Machines by their numbers; an edge is 0. */
export type Machines = ReadonlyMap<number, Machine>;

/** The public address by which ssh reaches a machine. */
export const hostOf = (number: number): string =>
  number === 0 ? address.machine.public : addressOf(number).public;

export const nodeAt = (number: number): string => `root@${hostOf(number)}`;

/** Machines with the user data of one deployment, after their first boot. They end with `started`. */
export async function bootMachines(
  started: AsyncDisposableStack,
  world: World,
  deployment: Deployment,
  numbers: readonly number[],
): Promise<Machines> {
  const boot = async (number: number): Promise<[number, Machine]> => {
    const machine = started.use(
      await bootMachine(world, {
        ...deployment,
        ...(number > 0 && { place: `media${number}` as const }),
        name: number > 0 ? `media-${number}` : "edge",
      }),
    );
    await machine.firstBoot();
    // The doctor's five minutes, and reports, are no part of what is looked at here.
    await machine.run("systemctl stop livekit-health.timer");
    return [number, machine];
  };
  return new Map(await Promise.all(numbers.map(boot)));
}

export function machineOf(machines: Machines, number: number): Machine {
  const machine = machines.get(number);
  if (!machine) throw new Error(`There is no machine ${number}.`);
  return machine;
}

/** The number of the machine on which each room is, as Redis has it. */
export async function placementIn(
  redis: (command: string) => Promise<string>,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const id of (await redis("hkeys nodes")).match(/ND_\w+/g) ?? []) {
    const stored = await redis(`hget nodes ${id}`);
    // Its public address is a field of the entry, as text.
    numbers.set(id, [1, 2, 3, 4].find((number) => stored.includes(hostOf(number))) ?? 0);
  }
  const lines = (await redis("hgetall room_node_map")).trim().split("\n");
  return new Map(
    lines.flatMap((room, index): [string, number][] =>
      index % 2 === 0 && room ? [[room, numbers.get(lines[index + 1] ?? "") ?? 0]] : [],
    ),
  );
}
