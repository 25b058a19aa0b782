import type { Key } from "./call.ts";
import { bootMachine, type Machine, type MachineOptions } from "./machine/machine.ts";
import { startWorld, type WorldOptions } from "./world/world.ts";

/** A world with one machine in it that has booted, and not made its first boot yet. */
export async function startMachine(
  around: Partial<WorldOptions> = {},
  changes: Partial<MachineOptions> = {},
) {
  await using started = new AsyncDisposableStack();
  const world = started.use(await startWorld(around));
  const machine = started.use(await bootMachine(world, changes));
  const transferred = started.move();
  return { world, machine, [Symbol.asyncDispose]: () => transferred.disposeAsync() };
}

export type Running = Awaited<ReturnType<typeof startMachine>>;

/** The key that the machine made for itself, as its owner reads it. */
export async function keyOf(machine: Machine): Promise<Key> {
  const output = await machine.done("livekit-deploy credentials");
  const [, key = ""] = /^API key +(\S+)$/m.exec(output) ?? [];
  const [, secret = ""] = /^API secret +(\S+)$/m.exec(output) ?? [];
  return { key, secret };
}
