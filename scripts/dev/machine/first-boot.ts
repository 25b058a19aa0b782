import { setTimeout as delay } from "node:timers/promises";
import { PlainFailure } from "../../lib/terminal.mjs";
import { checkAndReport, type Print, reportOrThrow } from "./report.ts";
import type { Vm } from "./vm.ts";

const checkMs = 100;

/**
 * The first boot, or what is left of it: prints each stage when it is reached, and reports it. Throws what the console
 * said where it does not take the token.
 */
export async function firstBoot(vm: Vm, print: Print): Promise<void> {
  const { folder, identity } = vm;
  const stages = () =>
    folder.has("opt/livekit/state/stages")
      ? folder.read("opt/livekit/state/stages").trim().split("\n").filter(Boolean)
      : [];
  let printed = folder.has("opt/livekit/state/first-boot-done") ? stages().length : 0;
  /** Prints the stages that were reached since the last look; whether there were any. */
  const printStages = (): boolean => {
    const reached = stages();
    const isMore = reached.length > printed;
    for (const line of reached.slice(printed)) print(line.split("\t")[0] ?? "");
    printed = reached.length;
    return isMore;
  };

  let isOver = false;
  const boot = vm.run("first-boot", ["--boot", ...identity.packages]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([boot, delay(checkMs)]);
    if (printStages()) await reportOrThrow(vm, print);
  }
  const { status, output } = await boot;
  if (status !== 0) throw new PlainFailure(`The first boot failed.\n${output}`);
  if (!vm.isConnected) return;
  vm.passTime();
  await checkAndReport(vm, print);
  printStages();
}
