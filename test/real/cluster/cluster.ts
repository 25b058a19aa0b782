// A cluster as its owner makes it: booted machines with the user data of one deployment, and `cluster.sh` of the zip on a
// computer of their own, whose ssh leads to those machines.
import type { Key } from "../media/call.ts";
import { keyOf } from "../media/running.ts";
import { address } from "../media/world/network.ts";
import { startWorld } from "../media/world/world.ts";
import { bootMachines, machineOf, nodeAt, placementIn } from "./machines.ts";
import { makeOperator } from "./operator.ts";

export const deployment = {
  answers: {
    topology: { kind: "cluster", machines: 3, network: address.cluster.network },
    drain: { minutes: 4 },
  },
  connection: undefined,
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** The edge, and machines for calls: all have booted, and of them `joined` are made a cluster. */
export async function startCluster({ booted, joined }: { booted: number; joined: number }) {
  await using started = new AsyncDisposableStack();
  const world = started.use(await startWorld({ nat: false, media: booted }));
  const numbers = Array.from({ length: booted + 1 }, (_, number) => number);
  const machines = await bootMachines(started, world, deployment, numbers);
  const edge = machineOf(machines, 0);
  const operator = makeOperator(world, deployment, machines);
  await operator.done("make", ...numbers.slice(0, joined + 1).map(nodeAt));
  const key: Key = await keyOf(edge);
  /** What the Redis of the edge answers. */
  const redis = (command: string) =>
    edge.done(
      `cd /opt/livekit && docker compose exec -T redis sh -c 'REDISCLI_AUTH=$REDIS_PASSWORD redis-cli ${command}'`,
    );
  const transferred = started.move();
  return {
    ...{ world, edge, key, operator, redis },
    /** A machine for calls, by its number. */
    node: (number: number) => machineOf(machines, number),
    placement: () => placementIn(redis),
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}
