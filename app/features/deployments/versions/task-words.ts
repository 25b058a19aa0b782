import type { DnsRecord } from "../bundle/bundle-types.ts";
import { dnsRecordsOf } from "../bundle/dns-records.ts";
import { machineCommands } from "../bundle/machine-commands.ts";
import {
  clusterOf,
  diskOf,
  egressMachinesOf,
  machineOf,
  severalOf,
} from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { providers } from "../bundle/provider-table.ts";
import type { MachineNotes } from "../wizard/machine-notes.ts";
import { makeCommand } from "../words/several-machines.ts";
import type { Task } from "./tasks.ts";

/** One thing to do about a running server, and the command that does it where there is one. */
export type TaskWords = { task: Task; title: string; detail: string; command?: string };

/**
 * The tasks of a change in words for the server that runs `before` and shall run `after`. `zipName` is what the
 * bundle of `after` is called at the customer, `monthly` the list prices of its machines.
 */
export function wordsOfTasks(
  tasks: readonly Task[],
  before: DeploymentOptions,
  after: DeploymentOptions,
  zipName: string,
  monthly?: MachineNotes["monthly"],
): TaskWords[] {
  const disk = providers[after.provider].diskInSize ? "" : ` and a disk of ${diskOf(after)} GB`;
  const hasCommands = machineCommands(after).create !== null;
  // The provider commands name the machine by its domain: for another domain they would make a second machine.
  const isSameMachine = hasCommands && before.domain === after.domain;
  const cluster = severalOf(after);
  const hasEdge = clusterOf(after) !== undefined;
  const type =
    after.provider === "other"
      ? "the cores and the disk that you chose"
      : `the type ${machineOf(after).name}${disk}`;
  const media = (cluster?.machines ?? 0) - (severalOf(before)?.machines ?? 0);
  const recorders = egressMachinesOf(after) - egressMachinesOf(before);
  const [more, fewer] = [
    Math.max(0, media) + Math.max(0, recorders),
    -Math.min(0, media) - Math.min(0, recorders),
  ];
  const forRecording =
    egressMachinesOf(after) > 0 ? `, ${egressMachinesOf(after)} for recording` : "";
  const words: Record<Task, () => Omit<TaskWords, "task">> = {
    cluster: () => ({
      title: "Make the machines of the cluster",
      detail: hasEdge
        ? `${cluster?.machines} of the type ${machineOf(after).name} for calls${forRecording} and a small one, the edge, all from the new bundle, whose README says how.${costs(after, monthly)} Then this makes them a cluster, with the API keys of the server that runs. Nothing changes for its calls meanwhile.`
        : `${cluster?.machines} of the type ${machineOf(after).name}, all alike${forRecording}, from the new bundle, whose README says how, with a balancer and a Redis, which cost as well.${costs(after, monthly)} Then this makes them a cluster, whose first machine makes new API keys: give them to your back end when DNS points there. Nothing changes for calls meanwhile.`,
      command: makeCommand(after, before),
    }),
    join: () => ({
      title: more === 1 ? "Make one machine more" : `Make ${more} machines more`,
      detail: `From the new bundle, in the same private network as the others. Then let each of them join: it takes ${media > 0 ? "rooms" : "recordings"} at once, and no call notices.${media > 0 && recorders > 0 ? " One for recording joins with --egress." : ""}`,
      command: `sh cluster.sh join ${media > 0 ? "" : "--egress "}NODE`,
    }),
    leave: () => ({
      title: fewer === 1 ? "Let one machine go" : `Let ${fewer} machines go`,
      detail: `Each gets no new ${media < 0 ? "rooms" : "recordings"} from then on, waits until its ${media < 0 ? "calls" : "recordings"} are over, ${after.drain.minutes} minutes at most, and can then be deleted at the provider${before.recording.kind === "local" ? ", once you have copied its recordings" : ""}.`,
      command: "sh cluster.sh leave NODE",
    }),
    "point-dns": () => ({
      title: cluster
        ? `Point the DNS records at the ${hasEdge ? "edge" : "balancer"}`
        : "Point the DNS records at the new machine",
      detail: `${dnsRecordsOf(after)
        .map(({ type, name }) => `${type} ${name}`)
        .join(
          ", ",
        )}. Give them a time to live of a minute beforehand. Until they are moved, and whenever you move them back, what ran before goes on serving: that is the way back.`,
    }),
    "old-machines": () => ({
      title: severalOf(before) ? "End the old cluster" : "End the old server",
      detail:
        "When nobody comes to it any more, wait there for its last call. Then delete it at the provider and disconnect it in the console.",
      command: "sudo livekit-deploy drain",
    }),
    machine: () => ({
      title: "Make a new machine",
      detail: hasCommands
        ? "Only a new machine has what you chose; the running one stays as it is. create-vm.sh leaves a machine of the same name alone, so back up, then rename or end the old machine first where provider and region stay the same."
        : "Only a new machine has what you chose; the running one stays as it is. The README of the new bundle says how the files come to it.",
      ...(hasCommands ? { command: "sh create-vm.sh" } : {}),
    }),
    resize: () =>
      cluster
        ? {
            title: "Change the machines at your provider, one by one",
            detail: `This waits for the calls of one, ${after.drain.minutes} minutes at most, while the others take new ones. Then stop that machine at your provider, give it ${type}, and start it. Look at them all by sh cluster.sh doctor before the next.${hasEdge ? " The edge keeps its type." : ""} Terraform leaves the size of a machine that runs to you.`,
            command: "ssh NODE sudo systemctl stop livekit.service",
          }
        : {
            title: "Change the machine at your provider",
            detail: hasCommands
              ? `Stop it, give it ${type}, and start it. create-vm.sh does not change a machine that exists.`
              : "Give it the cores and the disk that you chose. Nothing of the bundle does that.",
          },
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
      detail: cluster
        ? `Download the bundle and run this beside it. One machine after the other gets no new rooms, waits for its calls, takes the files and is looked at by its doctor; at the first that is not well it stops.${hasEdge ? " The edge is the last." : ""}`
        : "Download the bundle and copy it there, then run this. It checks everything first, waits for a quiet moment, restarts the containers, and goes back by itself when something does not work.",
      command: `${cluster ? "sh cluster.sh" : "sudo livekit-deploy"} apply ${zipName}${before.domain === after.domain ? "" : " --other-domain"}`,
    }),
  };
  return tasks.map((task) => ({ task, ...words[task]() }));
}

/** What the machines of a cluster cost for a month beside one server of the same size; nothing where a price is not known. */
function costs(options: DeploymentOptions, monthly: MachineNotes["monthly"] | undefined): string {
  const [small, one] = [monthly?.small, monthly?.[options.size]];
  const edge = clusterOf(options) ? small : 0;
  const { machines = 0, egress = 0 } = severalOf(options) ?? {};
  if (edge === undefined || edge === null || !one) return "";
  const dollars = (figure: number) => `$${Math.round(figure).toLocaleString("en-US")}`;
  return ` At list prices that is about ${dollars((machines + egress) * one + edge)} a month, where one server is ${dollars(one)}.`;
}

function newRecords(before: DeploymentOptions, after: DeploymentOptions): DnsRecord[] {
  const old = dnsRecordsOf(before);
  return dnsRecordsOf(after).filter(({ name, type }) =>
    old.every((each) => each.name !== name || each.type !== type),
  );
}
