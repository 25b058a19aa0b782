import type { Role } from "../../bundle-types.ts";
import { contentHash } from "../../content-hash.ts";
import {
  balancedOf,
  clusterOf,
  egressMachinesOf,
  hasFamily,
  machineOf,
  redisAddressOf,
  severalOf,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { port } from "../../ports.ts";
import { hclString } from "../../quoting.ts";
import type { ScriptValues } from "../script-parts.ts";
import { hclMaps, hclRows } from "./hcl.ts";

/** `at`: its place among those of its role, which another number of others does not change. */
type Machine = { name: string; role: Role; at: number; size: string; cores: number };

/** The machines. An edge is of the provider's small size, whatever the others are. */
function machinesOf(options: DeploymentOptions): Machine[] {
  const { machines = 0 } = severalOf(options) ?? {};
  const { name: size, cores } = machineOf(options);
  const small = machineOf({ ...options, size: "small" });
  const edge: Machine = { name: "edge", role: "edge", at: 0, size: small.name, cores: small.cores };
  const numbered = (role: "media" | "egress", count: number): Machine[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `${role}-${at + 1}`,
      role,
      at,
      size,
      cores,
    }));
  return [
    ...(clusterOf(options) ? [edge] : []),
    ...numbered("media", machines),
    ...numbered("egress", egressMachinesOf(options)),
  ];
}

/** A name for what may have few characters: 32 for AWS's balancers and Linode's firewalls. */
export const shortName = ({ domain }: DeploymentOptions): string =>
  hclString(`livekit-${contentHash(domain)}`);

/** The private network of main.tf: the first 256 addresses of the range that the options leave to it. */
export function networkOf(options: DeploymentOptions): string {
  const [network = "", bits] = severalOf(options)?.network.split("/") ?? [];
  return `${network}/${Math.max(24, Number(bits))}`;
}

/** Whether names lead to several addresses: AWS's balancer has one in each of its zones. */
export const hasAddressInEachZone = (options: DeploymentOptions): boolean =>
  options.provider === "aws" && balancedOf(options) !== undefined;

/**
 * Whether main.tf makes the Redis too, where the provider has one with TLS and a second node. One that is reached in another
 * way than by an address is not the provider's.
 */
export function makesRedis(options: DeploymentOptions): boolean {
  return (
    balancedOf(options) !== undefined &&
    options.redis.kind === "external" &&
    ["aws", "digital-ocean"].includes(options.provider)
  );
}

/**
 * What a main.tf of several machines has beside that of one. `rulesOf` writes the rules of a role as the provider wants
 * them, `moreOf` what it wants to know of a machine beside its size.
 */
export function machinesValues(
  options: DeploymentOptions,
  rulesOf: (options: DeploymentOptions, role: Role) => string,
  moreOf: (machine: Machine) => string = () => "",
): ScriptValues {
  const machines = machinesOf(options);
  const roles = new Set(machines.map(({ role }) => role));
  return {
    NETWORK: hclString(networkOf(options)),
    MACHINES: hclRows(
      machines.map((machine) => [
        hclString(machine.name),
        `{ role = "${machine.role}", size = ${hclString(machine.size)}${moreOf(machine)} }`,
      ]),
    ),
    RULES: hclMaps([...roles].map((role) => [role, rulesOf(options, role)])),
    EDGE_IPV6: clusterOf(options) !== undefined && hasFamily(options, "ipv6"),
    BALANCED: balancedOf(options) !== undefined,
    BALANCED_IPV6: balancedOf(options) !== undefined && hasFamily(options, "ipv6"),
    CHECK_PORT: String(port.balancerCheck),
    MADE: makesRedis(options) ? "local.made" : "local.machines",
    REDIS_ADDRESS: hclString(redisAddressOf(options)),
    SHORT_NAME: shortName(options),
  };
}
