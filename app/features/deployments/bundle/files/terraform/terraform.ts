import type { BundleFile } from "../../bundle-types.ts";
import { dnsRecordsOf } from "../../dns-records.ts";
import {
  balancedOf,
  clusterOf,
  diskOf,
  egressMachinesOf,
  hasFamily,
  machineOf,
  regionOf,
  severalOf,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import { hclString } from "../../quoting.ts";
import type { ScriptTexts } from "../../script-texts.ts";
import { resourceName } from "../providers/rules.ts";
import { assembled, type ScriptValues } from "../script-parts.ts";
import { hclRows } from "./hcl.ts";
import { hasAddressInEachZone, makesRedis } from "./machines.ts";
import { provisions } from "./provisions.ts";
import { userDataValues } from "./user-data-values.ts";
import { variablesOf } from "./variables.ts";

/**
 * The machine of create-vm.sh for Terraform and OpenTofu, or the machines of a cluster. Of `files` is the user data. Why it is as it is:
 * docs/decisions/0088.
 */
export function terraform(
  options: DeploymentOptions,
  texts: ScriptTexts,
  files: readonly BundleFile[],
): BundleFile[] {
  const { provider } = options;
  const provision = partOf(options);
  if (!provision) return [];
  const { label } = providers[provider];
  const isSeveral = severalOf(options) !== undefined;
  const hasRedis = makesRedis(options);
  const values: ScriptValues = {
    DOMAIN: options.domain,
    NAME: hclString(resourceName(options)),
    REGION: hclString(regionOf(options)),
    SIZE: hclString(machineOf(options).name),
    IMAGE: hclString(machineOf(options).ubuntu),
    DISK: String(diskOf(options)),
    IPV4: hasFamily(options, "ipv4"),
    IPV6: hasFamily(options, "ipv6"),
    IPV4_ONLY: !hasFamily(options, "ipv6"),
    IPV6_ONLY: !hasFamily(options, "ipv4"),
    IPV6_FLAG: String(hasFamily(options, "ipv6")),
    RECORDS: recordRows(options),
    ...userDataValues(options, files),
    ONE: !isSeveral,
    SEVERAL: isSeveral,
    RECORDERS: egressMachinesOf(options) > 0,
    ALIKE: isSeveral && egressMachinesOf(options) === 0,
    EDGE: clusterOf(options) !== undefined,
    REDIS: hasRedis,
    REDIS_RECORDERS: hasRedis && egressMachinesOf(options) > 0,
    REDIS_PASSWORD: hasRedis && provider === "aws",
    REDIS_PASSWORD_OUTPUT: hasRedis && provider === "digital-ocean",
    ADDRESS: !isSeveral && hasFamily(options, "ipv4"),
    ADDRESS6: !isSeveral && hasFamily(options, "ipv6"),
    ...variablesOf(options),
    ...provision.values(options),
  };
  const file = (path: string, source: string, purpose: string): BundleFile => ({
    path,
    content: assembled(source, texts, values),
    language: "hcl",
    purpose,
  });
  return [
    file(
      "main.tf",
      texts[provision.source],
      isSeveral
        ? `Network, firewalls, addresses${balancedOf(options) ? ", balancer" : ""} and machines at ${label}, for Terraform and OpenTofu.`
        : `Firewall, address and machine at ${label}, for Terraform and OpenTofu.`,
    ),
    file("variables.tf", texts["terraform/variables.tf"], "What main.tf asks for."),
    file("outputs.tf", texts["terraform/outputs.tf"], "What main.tf says at its end."),
  ];
}

/** What main.tf is made of; undefined where these machines are made by hand. */
function partOf({ provider, topology }: DeploymentOptions) {
  return provisions[provider][topology.kind];
}

/** Whether the bundle has files of Terraform. */
export const hasTerraform = (options: DeploymentOptions): boolean => Boolean(partOf(options));

/** Each record points to one of the two addresses that every main.tf names so, or to those of the balancer. */
function recordRows(options: DeploymentOptions): string {
  const [form, name4, name6] = hasAddressInEachZone(options)
    ? ["values", "balancer", "balancer6"]
    : ["value", "address", "address6"];
  return hclRows(
    dnsRecordsOf(options).map(({ name, type }) => [
      hclString(`${type} ${name}`),
      `{ type = "${type}", name = ${hclString(name)}, ${form} = local.${type === "A" ? name4 : name6} }`,
    ]),
  );
}
