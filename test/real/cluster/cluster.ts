// A cluster as its owner makes it: booted machines with the user data of one deployment, and `cluster.sh` of the zip on a
// computer of their own, whose ssh leads to those machines.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Key } from "../media/call.ts";
import { bootMachine, filesOf, type Machine } from "../media/machine/machine.ts";
import { keyOf } from "../media/running.ts";
import { outcomeOf } from "../media/world/commands.ts";
import { address, addressOf } from "../media/world/network.ts";
import { startWorld, type World } from "../media/world/world.ts";

export const deployment = {
  answers: {
    topology: { kind: "cluster", machines: 3, network: address.cluster.network },
    drain: { minutes: 1 },
  },
  connection: undefined,
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** The edge, and machines for calls: all have booted, and of them `joined` are made a cluster. */
export async function startCluster({ booted, joined }: { booted: number; joined: number }) {
  await using started = new AsyncDisposableStack();
  const world = started.use(await startWorld({ nat: false, media: booted }));
  const boot = async (number: number) => {
    const machine = started.use(
      await bootMachine(world, {
        ...deployment,
        ...(number > 0 && { place: `media${number}` as const }),
        name: number > 0 ? `media-${number}` : "edge",
      }),
    );
    // The doctor's five minutes, and reports, are no part of what is looked at here.
    await machine.firstBoot();
    await machine.run("systemctl stop livekit-health.timer");
    return machine;
  };
  const [edge, ...media] = await Promise.all(
    Array.from({ length: booted + 1 }, (_, number) => boot(number)),
  );
  if (!edge) throw new Error("There is no edge.");
  const operator = makeOperator(world, [
    [address.machine.public, edge],
    ...media.map((machine, index): [string, Machine] => [addressOf(index + 1).public, machine]),
  ]);
  const nodeAt = (number: number) => `root@${addressOf(number).public}`;
  await operator.done(
    "make",
    `root@${address.machine.public}`,
    ...Array.from({ length: joined }, (_, index) => nodeAt(index + 1)),
  );
  const key: Key = await keyOf(edge);
  const transferred = started.move();
  const cluster = {
    ...{ world, edge, key, operator, nodeAt },
    /** A machine for calls, by its number. */
    node(number: number): Machine {
      const machine = media[number - 1];
      if (!machine) throw new Error(`There is no machine ${number}.`);
      return machine;
    },
    /** What the Redis of the edge answers. */
    redis: (command: string) =>
      edge.done(
        `cd /opt/livekit && docker compose exec -T redis sh -c 'REDISCLI_AUTH=$REDIS_PASSWORD redis-cli ${command}'`,
      ),
    /** The number of the machine on which each room is. */
    async placement(): Promise<Map<string, number>> {
      const numbers = new Map<string, number>();
      for (const id of (await cluster.redis("hkeys nodes")).match(/ND_\w+/g) ?? []) {
        const stored = await cluster.redis(`hget nodes ${id}`);
        const number = media.findIndex((_, index) => stored.includes(addressOf(index + 1).public));
        numbers.set(id, number + 1);
      }
      const lines = (await cluster.redis("hgetall room_node_map")).trim().split("\n");
      return new Map(
        lines.flatMap((room, index): [string, number][] =>
          index % 2 === 0 && room ? [[room, numbers.get(lines[index + 1] ?? "") ?? 0]] : [],
        ),
      );
    },
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
  return cluster;
}

/** The owner's own computer, with the zip. */
function makeOperator(world: World, machines: readonly [string, Machine][]) {
  const folder = mkdtempSync(join(world.folder, "operator-"));
  for (const { path, content } of filesOf(deployment).filter(({ path }) => path === "cluster.sh"))
    writeFileSync(join(folder, path), content);
  mkdirSync(join(folder, "commands"));
  // It gives the words to a shell there, as ssh does, and as root, who needs no sudo.
  const leads = machines.map(
    ([host, { enter }]) => `${host}) set -- ${enter.join(" ")} sh -c "$*" ;;\n`,
  );
  const ssh = `#!/bin/sh
while [ "$1" != "\${1#-}" ]; do shift 2; done
host=\${1#*@}
shift
case $host in
${leads.join("")}*) echo "ssh: connect to host $host port 22: Connection refused" >&2 && exit 255 ;;
esac
exec "$@"
`;
  writeFileSync(join(folder, "commands/ssh"), ssh);
  chmodSync(join(folder, "commands/ssh"), 0o755);
  const run = (...args: string[]) =>
    outcomeOf(["sh", join(folder, "cluster.sh"), ...args], {
      environment: { PATH: `${join(folder, "commands")}:${process.env.PATH}` },
    });
  return {
    /** Runs cluster.sh. */
    run,
    async done(...args: string[]): Promise<string> {
      const { status, output } = await run(...args);
      if (status !== 0)
        throw new Error(`cluster.sh ${args.join(" ")} ended with ${status}:\n${output}`);
      return output;
    },
    /** Everything that is stored on that computer. */
    stored: () =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => readFileSync(join(folder, name), "utf8"))
        .join("\n"),
  };
}
