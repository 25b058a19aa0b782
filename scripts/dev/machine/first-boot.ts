import { setTimeout as delay } from "node:timers/promises";
import { PlainFailure } from "../../lib/terminal.mjs";
import type { Vm } from "./vm.ts";

const lookMs = 100;

/**
 * The first boot, or what is left of it: prints each stage when it is reached, and reports it. Throws what the console
 * said where it does not take the token.
 */
export async function firstBoot(vm: Vm, say: (words: string) => void): Promise<void> {
  const { machine, identity } = vm;
  const stages = () =>
    machine.has("opt/livekit/state/stages")
      ? machine.read("opt/livekit/state/stages").trim().split("\n").filter(Boolean)
      : [];
  let told = machine.has("opt/livekit/state/first-boot-done") ? stages().length : 0;
  /** Prints the stages that were reached since the last look; whether there were any. */
  const tellStages = (): boolean => {
    const reached = stages();
    const isMore = reached.length > told;
    for (const line of reached.slice(told)) say(line.split("\t")[0] ?? "");
    told = reached.length;
    return isMore;
  };

  let isOver = false;
  const boot = vm.run("first-boot", ["--boot", ...identity.packages]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([boot, delay(lookMs)]);
    if (tellStages()) await reportOrThrow(vm, say);
  }
  const { status, said } = await boot;
  if (status !== 0) throw new PlainFailure(`The first boot failed.\n${said}`);
  if (!vm.isConnected) return;
  vm.passTime();
  await lookAndReport(vm, say);
  tellStages();
}

/** The doctor looks, as each five minutes, and what it finds is reported. */
export async function lookAndReport(vm: Vm, say: (words: string) => void): Promise<void> {
  await vm.run("health");
  await reportOrThrow(vm, say);
}

/** One report. What the console says against it is printed; throws where the key or the token has ended. */
export async function reportOrThrow(vm: Vm, say: (words: string) => void): Promise<boolean> {
  const { status, said } = await vm.report();
  if (status === 0) return true;
  const { name } = vm.identity;
  if (!vm.isConnected && !vm.machine.has("opt/livekit/enrolment-token")) {
    throw new PlainFailure(
      `${said}\nOn the deployment's page: "Connect a server". There are files that connect, and tokens.`,
    );
  }
  // The machine itself would try again in an hour.
  if (vm.waitsSeconds > 1_800) {
    throw new PlainFailure(`${said}\nTo remove this machine: npm run machine -- --forget ${name}`);
  }
  say(said || "not reported");
  return false;
}
