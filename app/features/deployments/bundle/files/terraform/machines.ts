import type { Role } from "../../bundle-types.ts";
import { clusterOf, hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { hclString } from "../../quoting.ts";
import type { ScriptValues } from "../script-parts.ts";
import { hclMaps, hclRows } from "./hcl.ts";

type Machine = { name: string; role: Role; size: string };

/** The machines of a cluster. The edge is of the provider's small size, whatever the others are. */
function machinesOf(options: DeploymentOptions): Machine[] {
  const { machines = 0 } = clusterOf(options) ?? {};
  const size = machineOf(options).name;
  return [
    { name: "edge", role: "edge", size: machineOf({ ...options, size: "small" }).name },
    ...Array.from({ length: machines }, (_, at) => ({
      name: `media-${at + 1}`,
      role: "media" as const,
      size,
    })),
  ];
}

/** The private network of main.tf: the first 256 addresses of the range that the options leave to it. */
function networkOf(options: DeploymentOptions): string {
  const [network = "", bits] = clusterOf(options)?.network.split("/") ?? [];
  return `${network}/${Math.max(24, Number(bits))}`;
}

/**
 * What a main.tf of several machines has beside that of one. `rulesOf` writes the rules of a role as the provider wants
 * them.
 */
export function machinesValues(
  options: DeploymentOptions,
  rulesOf: (options: DeploymentOptions, role: Role) => string,
  placeOf: (at: number) => string = () => "",
): ScriptValues {
  const machines = machinesOf(options);
  const roles = new Set(machines.map(({ role }) => role));
  return {
    NETWORK: hclString(networkOf(options)),
    MACHINES: hclRows(
      machines.map(({ name, role, size }, at) => [
        hclString(name),
        `{ role = "${role}", size = ${hclString(size)}${placeOf(at)} }`,
      ]),
    ),
    RULES: hclMaps([...roles].map((role) => [role, rulesOf(options, role)])),
    EDGE_IPV6: clusterOf(options) !== undefined && hasFamily(options, "ipv6"),
  };
}
