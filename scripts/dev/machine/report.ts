import { PlainFailure } from "../../lib/terminal.mjs";
import type { Vm } from "./vm.ts";

/** Prints a line for the developer who runs the machine. */
export type Print = (words: string) => void;

/** The doctor looks, as each five minutes, and what it finds is reported. */
export async function checkAndReport(vm: Vm, print: Print): Promise<void> {
  await vm.run("health");
  await reportOrThrow(vm, print);
}

/** One report. What the console says against it is printed; throws where the key or the token has ended. */
export async function reportOrThrow(vm: Vm, say: Print): Promise<boolean> {
  const { status, output } = await vm.report();
  if (status === 0) return true;
  const { name } = vm.identity;
  if (!vm.isConnected && !vm.folder.has("opt/livekit/enrolment-token")) {
    throw new PlainFailure(
      `${output}\nOn the deployment's page: "Connect a server". There are files that connect, and tokens.`,
    );
  }
  // The machine itself would try again in an hour.
  if (vm.waitsSeconds > 1_800) {
    throw new PlainFailure(
      `${output}\nTo remove this machine: npm run machine -- --forget ${name}`,
    );
  }
  say(output || "not reported");
  return false;
}
