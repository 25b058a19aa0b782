import { dnsRecordsOf } from "../bundle/dns-records.ts";
import { backsUpByRole, severalOf, usesInstanceRole } from "../bundle/options/derived-options.ts";
import type { Option } from "../bundle/options/option.ts";
import { type DeploymentOptions, optionTable } from "../bundle/options/options.ts";
import { portsOf } from "../bundle/ports.ts";

/**
 * What a changed choice means for a server that runs from the older version: `restart` when `livekit-deploy apply`
 * brings it there and starts containers anew; the others as `Option.onRunningServer` says.
 */
export const effects = ["nothing", "restart", "resize", "machine", "machines"] as const;
export type Effect = (typeof effects)[number];

/** What a change at a path such as `rooms.maxParticipants` means; `installsOther` as in `tasksOf`. */
export function effectAt(path: string, installsOther: boolean): Effect {
  const options: Readonly<Record<string, Option>> = optionTable;
  const option = options[path.split(".")[0] ?? ""];
  return option?.onRunningServer ?? (installsOther ? "restart" : "nothing");
}

/**
 * What is to do about a server that runs from the older version, in the order in which one does it: the machines of a
 * cluster, one that joins it, a new machine, or another size of the old one; a role that lets it write to a bucket; the
 * provider's firewall; DNS records that the older version did not have; `livekit-deploy apply`, which wants
 * `--other-domain` for `other-domain`; a machine that leaves the cluster. After a change between one server and a cluster,
 * DNS points to the new machines, and what ran before ends.
 */
export const tasks = [
  "cluster",
  "join",
  "machine",
  "resize",
  "role",
  "firewall",
  "dns",
  "other-domain",
  "apply",
  "leave",
  "point-dns",
  "old-machines",
] as const;
export type Task = (typeof tasks)[number];

/**
 * What two versions ask of a server that runs from the older one, by the effects of what differs. `installsOther` says
 * whether they put other files on a machine (`installedHash`).
 */
export function tasksOf(
  before: DeploymentOptions,
  after: DeploymentOptions,
  found: readonly Effect[],
  installsOther: boolean,
): Task[] {
  const [were, are] = [severalOf(before), severalOf(after)];
  // Several machines reach one another in their network, so another network or form wants other machines.
  const isMoved = were?.network !== are?.network || were?.kind !== are?.kind;
  const more = were && are && !isMoved ? are.machines - were.machines : 0;
  const moreRecorders = were && are && !isMoved ? are.egress - were.egress : 0;
  const needed: Record<Task, boolean> = {
    cluster: isMoved && are !== undefined,
    join: more > 0 || moreRecorders > 0,
    machine: isMoved ? !are : found.includes("machine"),
    resize: !isMoved && !found.includes("machine") && found.includes("resize"),
    role: needsRole(after) && !needsRole(before),
    firewall: !isMoved && openPorts(before) !== openPorts(after),
    dns: dnsRecordsOf(after).some(({ name, type }) =>
      dnsRecordsOf(before).every((each) => each.name !== name || each.type !== type),
    ),
    "other-domain": before.domain !== after.domain,
    apply: installsOther && !isMoved,
    leave: more < 0 || moreRecorders < 0,
    "point-dns": isMoved,
    "old-machines": isMoved,
  };
  return tasks.filter((task) => needed[task]);
}

/** What the provider's firewall lets through. */
function openPorts(options: DeploymentOptions): string {
  return JSON.stringify(
    portsOf(options)
      .filter(({ audience }) => audience !== "internal")
      .map(({ ports, protocol, sources }) => [ports, protocol, sources]),
  );
}

function needsRole(options: DeploymentOptions): boolean {
  return usesInstanceRole(options) || backsUpByRole(options);
}
