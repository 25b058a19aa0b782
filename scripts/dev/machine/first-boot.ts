import { setTimeout as delay } from "node:timers/promises";
import { PlainFailure } from "../../lib/terminal.mjs";
import { lookAndReport, reportOrThrow, type Say } from "./report.ts";
import type { Vm } from "./vm.ts";

const lookMs = 100;

/**
 * The first boot, or what is left of it: prints each stage when it is reached, and reports it. Throws what the console
 * said where it does not take the token.
 */
export async function firstBoot(vm: Vm, say: Say): Promise<void> {
  const { folder, identity } = vm;
  const stages = () =>
    folder.has("opt/livekit/state/stages")
      ? folder.read("opt/livekit/state/stages").trim().split("\n").filter(Boolean)
      : [];
  let told = folder.has("opt/livekit/state/first-boot-done") ? stages().length : 0;
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
