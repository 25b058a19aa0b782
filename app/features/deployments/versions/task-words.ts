import type { DnsRecord } from "../bundle/bundle-types.ts";
import { dnsRecordsOf } from "../bundle/dns-records.ts";
import { machineCommands } from "../bundle/machine-commands.ts";
import { diskOf, machineOf } from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { providers } from "../bundle/provider-table.ts";
import type { Task } from "./tasks.ts";

/** One thing to do about a running server, and the command that does it where there is one. */
export type TaskWords = { task: Task; title: string; detail: string; command?: string };

/**
 * The tasks of a change in words for the server that runs `before` and shall run `after`. `zipName` is what the
 * bundle of `after` is called at the customer.
 */
export function wordsOfTasks(
  tasks: readonly Task[],
  before: DeploymentOptions,
  after: DeploymentOptions,
  zipName: string,
): TaskWords[] {
  const disk = providers[after.provider].diskInSize ? "" : ` and a disk of ${diskOf(after)} GB`;
  const hasCommands = machineCommands(after).create !== null;
  // The provider commands name the machine by its domain: for another domain they would make a second machine.
  const isSameMachine = hasCommands && before.domain === after.domain;
  const words: Record<Task, () => Omit<TaskWords, "task">> = {
    machine: () => ({
      title: "Make a new machine",
      detail: hasCommands
        ? "Only a new machine has what you chose; the running one stays as it is. create-vm.sh leaves a machine of the same name alone, so back up, then rename or end the old machine first where provider and region stay the same."
        : "Only a new machine has what you chose; the running one stays as it is. The README of the new bundle says how the files come to it.",
      ...(hasCommands ? { command: "sh create-vm.sh" } : {}),
    }),
    resize: () => ({
      title: "Change the machine at your provider",
      detail: hasCommands
        ? `Stop it, give it the type ${machineOf(after).name}${disk}, and start it. create-vm.sh does not change a machine that exists.`
        : "Give it the cores and the disk that you chose. Nothing of the bundle does that.",
    }),
    role: () => ({
      title: "Let the machine write to your bucket",
      detail: `Give the running machine the role or service account at ${providers[after.provider].label}. Only new machines get it from create-vm.sh.`,
    }),
    firewall: () => ({
      title: "Change the provider's firewall",
      detail: isSameMachine
        ? "Run the provider commands of the new bundle again, with the same variables: they open what is new and leave the machine alone. What is no longer wanted you close at the provider; the server closes it by itself. With Terraform, apply the new main.tf instead."
        : "Open what the new list of ports says, and close the rest.",
      ...(isSameMachine ? { command: "sh create-vm.sh" } : {}),
    }),
    dns: () => ({
      title: "Set DNS records",
      detail: `New: ${newRecords(before, after)
        .map(({ type, name }) => `${type} ${name}`)
        .join(", ")}.`,
    }),
    "other-domain": () => ({
      title: "Give your apps the new address",
      detail: `It becomes wss://${after.domain}. Apps that know the old one no longer connect.`,
    }),
    apply: () => ({
      title: "Bring the files to the server",
      detail:
        "Download the bundle and copy it there, then run this. It checks everything first, waits for a quiet moment, restarts the containers, and goes back by itself when something does not work.",
      command: `sudo livekit-deploy apply ${zipName}${before.domain === after.domain ? "" : " --other-domain"}`,
    }),
  };
  return tasks.map((task) => ({ task, ...words[task]() }));
}

function newRecords(before: DeploymentOptions, after: DeploymentOptions): DnsRecord[] {
  const old = dnsRecordsOf(before);
  return dnsRecordsOf(after).filter(({ name, type }) =>
    old.every((each) => each.name !== name || each.type !== type),
  );
}
