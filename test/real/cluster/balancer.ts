import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { filesOf } from "../media/machine/machine.ts";
import { address, addressOf } from "../media/world/network.ts";
import { startProgram } from "../media/world/program.ts";
import type { World } from "../media/world/world.ts";

/** What the balancer of a deployment at Hetzner is told, as its main.tf says it. */
function terraformOf(answers: Record<string, unknown>) {
  const terraform = filesOf({
    answers: { ...answers, provider: "hetzner" },
    connection: undefined,
  }).find(({ path }) => path === "main.tf")?.content;
  const said = (pattern: RegExp) => {
    const found = pattern.exec(terraform ?? "")?.[1];
    if (!found) throw new Error(`main.tf does not say ${pattern}.`);
    return found;
  };
  return {
    algorithm: said(/algorithm \{\s+type = "(\w+)"/),
    port: said(/protocol = "http"\s+port +=\s(\d+)/),
    interval: said(/interval = (\d+)/),
    timeout: said(/timeout +=\s(\d+)/),
    retries: said(/retries +=\s(\d+)/),
    path: said(/path +=\s"([^"]+)"/),
  };
}

const algorithms: Record<string, string> = {
  round_robin: "roundrobin",
  least_connections: "leastconn",
};

/**
 * HAProxy in the place of a provider's balancer, at the address to which the names lead and in the private network. It passes
 * bytes on, asks each machine as main.tf says, and tries no second machine for a connection that one refused. What is
 * connected to a machine that is not well stays connected.
 */
export async function startBalancer(
  world: World,
  answers: Record<string, unknown>,
  numbers: readonly number[],
) {
  const { algorithm, port, interval, timeout, retries, path } = terraformOf(answers);
  const control = join(world.folder, "balancer.sock");
  const file = join(world.folder, "balancer.cfg");
  const servers = numbers.map(
    (number) => `  server ${number} ${addressOf(number).private}:443 check port ${port}\n`,
  );
  writeFileSync(
    file,
    `global
  stats socket ${control} mode 600 level admin
defaults
  mode tcp
  retries 0
  timeout connect ${timeout}s
  timeout client 60s
  timeout server 60s
  timeout check ${timeout}s
listen livekit
  bind ${address.machine.public}:443
  balance ${algorithms[algorithm]}
  option httpchk GET ${path}
  http-check expect status 200
  default-server inter ${interval}s fall ${retries} rise 1
${servers.join("")}`,
  );
  const program = await startProgram([
    ...[...world.network.at("machine"), inject("media").system.haproxy ?? "", "-db", "-f", file],
  ]);
  const ask = async (command: string): Promise<string> => {
    const socket = connect(control);
    socket.write(`${command}\n`);
    return text(socket);
  };
  const balancer = {
    /** Of each machine whether it gets connections, and the HTTP status that it last answered. */
    async states(): Promise<Map<number, string>> {
      const rows = (await ask("show stat")).split("\n").map((line) => line.split(","));
      const [status = 0, code = 0] = ["status", "check_code"].map((name) => rows[0]?.indexOf(name));
      return new Map(
        rows.flatMap((row): [number, string][] =>
          numbers.includes(Number(row[1])) ? [[Number(row[1]), `${row[status]} ${row[code]}`]] : [],
        ),
      );
    },
    /** Waits until the state of a machine begins so: it is asked every few seconds. */
    until: (number: number, state: string) =>
      pollUntil(
        () => balancer.states(),
        (states) => states.get(number)?.startsWith(state) === true,
        240_000,
      ),
    /** New connections lead to this machine alone: so it is known whose signalling goes by it. Without a number to all. */
    async lead(only?: number): Promise<void> {
      for (const number of numbers) {
        const state = only === undefined || only === number ? "ready" : "drain";
        await ask(`set server livekit/${number} state ${state}`);
      }
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
  await pollUntil(
    () => ask("show stat").catch(() => program.lines.join("\n")),
    (answer) => answer.includes("check_code"),
    30_000,
  );
  return balancer;
}
