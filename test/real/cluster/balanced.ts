// Machines behind a balancer as their owner makes them: three that are all alike, a Redis outside of them, and what stands in
// the place of the provider's balancer.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { keyOf } from "../media/running.ts";
import { outcomeOf } from "../media/world/commands.ts";
import { dnsProvider } from "../media/world/dns-provider.ts";
import { address } from "../media/world/network.ts";
import { startProgram } from "../media/world/program.ts";
import { startWorld, type World } from "../media/world/world.ts";
import { startBalancer } from "./balancer.ts";
import { bootMachines, machineOf, nodeAt, placementIn } from "./machines.ts";
import { makeOperator } from "./operator.ts";

const deployment = {
  answers: {
    topology: { kind: "balanced", machines: 3, network: address.cluster.network },
    certificates: "dns-digitalocean",
    redis: { kind: "external", address: "redis.example.com:6379" },
    drain: { minutes: 3 },
  },
  connection: undefined,
};
const redisPassword = "p".repeat(43);

/** A Redis at redis.example.com, which takes TLS alone. */
async function startRedis(world: World) {
  const { system, programs, keyFile, certificateFile } = inject("media");
  const folder = join(world.folder, "redis");
  mkdirSync(folder);
  const socket = join(folder, "redis.sock");
  const program = await startProgram(
    [
      ...[...world.network.at("outside"), system["redis-server"] ?? "", "--port", "0"],
      ...["--tls-port", "6379", "--tls-auth-clients", "no", "--tls-key-file", keyFile],
      ...["--tls-cert-file", certificateFile, "--tls-ca-cert-dir", dirname(certificateFile)],
      ...["--requirepass", redisPassword, "--unixsocket", socket, "--dir", folder, "--save", ""],
    ],
    /Ready to accept connections/,
  );
  return {
    async ask(command: string): Promise<string> {
      const { status, output } = await outcomeOf(
        [programs["redis-cli"], "-s", socket, ...command.split(" ")],
        { environment: { REDISCLI_AUTH: redisPassword } },
      );
      if (status !== 0) throw new Error(`${command}: ${output}`);
      return output;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

export type Balanced = Awaited<ReturnType<typeof startBalanced>>;

export async function startBalanced() {
  await using started = new AsyncDisposableStack();
  const world = started.use(await startWorld({ nat: false, media: 3 }));
  const redis = started.use(await startRedis(world));
  const numbers = [1, 2, 3];
  const balancer = started.use(await startBalancer(world, deployment.answers, numbers));
  const machines = await bootMachines(started, world, deployment, numbers);
  const operator = makeOperator(world, deployment, machines);
  const first = machineOf(machines, 1);
  const make = ["make", ...numbers.map(nodeAt)];
  const stopped = await operator.run(...make);
  if (!stopped.output.includes("livekit-deploy set redis-password"))
    throw new Error(`It goes on without the password of Redis: ${stopped.output}`);
  await first.done("livekit-deploy set redis-password", `${redisPassword}\n`);
  await operator.done(...make);
  for (const machine of machines.values()) {
    // What of the real world is not here: servers for the zone, in which a record is waited for.
    await machine.done(
      `umask 077 && printf '%s\n' LEGO_DNS_RESOLVERS=${address.outside.four}:${dnsProvider.port} LEGO_DNS_PROPAGATION_WAIT=1s >/opt/livekit/dns.env`,
    );
    await machine.done("livekit-deploy set dns-credentials", `${dnsProvider.token}\n`);
  }
  await operator.done("doctor");
  const key = await keyOf(first);
  const transferred = started.move();
  return {
    ...{ world, key, operator, balancer },
    node: (number: number) => machineOf(machines, number),
    placement: () => placementIn(redis.ask),
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}
