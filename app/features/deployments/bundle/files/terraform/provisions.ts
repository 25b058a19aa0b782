import type { Role } from "../../bundle-types.ts";
import {
  backsUpByRole,
  balancedOf,
  coresOf,
  hasFamily,
  machineOf,
  usesInstanceRole,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { ProviderId } from "../../providers.ts";
import { hclString } from "../../quoting.ts";
import type { ScriptName } from "../../script-texts.ts";
import { amazonLinux } from "../providers/aws.ts";
import { resourceName } from "../providers/rules.ts";
import type { ScriptValues } from "../script-parts.ts";
import { hclList } from "./hcl.ts";
import { hasAddressInEachZone, machinesValues, networkOf, shortName } from "./machines.ts";
import {
  rulesByPort,
  rulesByPriority,
  rulesBySource,
  rulesBySources,
  rulesInGroups,
} from "./rules.ts";

/** The part of main.tf for one provider, and the values that it alone has. */
type Part = { source: ScriptName; values: (options: DeploymentOptions) => ScriptValues };

/** What main.tf is made of in each topology in which it makes the machines. */
type Provision = Partial<Record<DeploymentOptions["topology"]["kind"], Part>>;

const usesRole = (options: DeploymentOptions): boolean =>
  usesInstanceRole(options) || backsUpByRole(options);

export const provisions: Readonly<Record<ProviderId, Provision>> = {
  hetzner: {
    single: {
      source: "terraform/hetzner.tf",
      values: (options) => ({ RULES: rulesByPort(options) }),
    },
    ...withBalancer({
      source: "terraform/hetzner-machines.tf",
      values: (options) => machinesValues(options, rulesByPort),
    }),
  },
  "digital-ocean": {
    single: {
      source: "terraform/digital-ocean.tf",
      values: (options) => ({ RULES: rulesByPort(options) }),
    },
    ...withBalancer({
      source: "terraform/digital-ocean-machines.tf",
      values: (options) => ({
        ...machinesValues(options, rulesByPort),
        STACK: hasFamily(options, "ipv6") ? "DUALSTACK" : "IPV4",
      }),
    }),
  },
  vultr: {
    single: { source: "terraform/vultr.tf", values: vultr },
    cluster: {
      source: "terraform/vultr-machines.tf",
      values: (options) => ({ ...vultr(options), ...machinesValues(options, rulesWithColons) }),
    },
  },
  ovh: {
    single: {
      source: "terraform/ovh.tf",
      values: (options) => ({ RULES: rulesBySource(options) }),
    },
    cluster: {
      source: "terraform/ovh-machines.tf",
      values: (options) => machinesValues(options, rulesBySource),
    },
  },
  aws: {
    single: { source: "terraform/aws.tf", values: aws },
    ...withBalancer({ source: "terraform/aws-machines.tf", values: awsMachines }),
  },
  "google-cloud": {
    single: { source: "terraform/google-cloud.tf", values: google },
    cluster: {
      source: "terraform/google-cloud-machines.tf",
      values: (options) => ({ ...google(options), ...machinesValues(options, rulesBySources) }),
    },
  },
  azure: {
    single: { source: "terraform/azure.tf", values: azure },
    cluster: { source: "terraform/azure-machines.tf", values: azureMachines },
  },
  linode: {
    single: { source: "terraform/linode.tf", values: linode },
    cluster: {
      source: "terraform/linode-machines.tf",
      values: (options) => ({ ...linode(options), ...machinesValues(options, rulesInGroups) }),
    },
  },
  oracle: {
    single: { source: "terraform/oracle.tf", values: oracle },
    cluster: { source: "terraform/oracle-machines.tf", values: oracleMachines },
  },
  other: {},
};

/** One file makes a cluster, and the machines behind the balancer that this provider has. */
function withBalancer(machines: Part): Provision {
  return { cluster: machines, balanced: machines };
}

/** Vultr writes a range of ports with a colon. */
const rulesWithColons = (options: DeploymentOptions, role?: Role) =>
  rulesBySource(options, role, "ports");

function vultr(options: DeploymentOptions): ScriptValues {
  return { RULES: rulesWithColons(options), IMAGE: machineOf(options).ubuntu };
}

/** The image is found by the parameter that AWS resolves for create-vm.sh. */
function aws(options: DeploymentOptions): ScriptValues {
  const dual = hasFamily(options, "ipv6");
  const image = options.system === "amazon-linux-2023" ? amazonLinux : machineOf(options).ubuntu;
  const before = [
    "aws_vpc_security_group_ingress_rule.livekit",
    ...(dual ? ["aws_default_route_table.livekit"] : []),
  ];
  return {
    RULES: rulesBySource(options),
    IMAGE: hclString(image.replace("resolve:ssm:", "")),
    VPC: dual ? "aws_vpc.livekit.id" : "data.aws_vpc.livekit.id",
    BEFORE: before.join(", "),
    ROLE: usesRole(options),
  };
}

function awsMachines(options: DeploymentOptions): ScriptValues {
  const zones = balancedOf(options) ? 2 : 1;
  return {
    ...aws(options),
    ...machinesValues(options, rulesBySource, ({ at }) => `, zone = ${at % zones}`),
    SUBNETS: String(zones),
    SUBNET_BITS: String(zones - 1),
    STACK: hasFamily(options, "ipv6") ? "dualstack" : "ipv4",
    RECORD_VALUES: hasAddressInEachZone(options) ? "each.value.values" : "[each.value.value]",
  };
}

function google(options: DeploymentOptions): ScriptValues {
  const arm = options.architecture === "arm64";
  return {
    RULES: rulesBySources(options),
    IMAGE: hclString(`ubuntu-os-cloud/${machineOf(options).ubuntu}`),
    DISK_TYPE: hclString(arm ? "hyperdisk-balanced" : "pd-balanced"),
    SECURE_BOOT: !arm,
    ROLE: usesRole(options),
  };
}

const azureIpv6 = { network: "fd00:4c4b::/48", subnet: "fd00:4c4b::/64" };

function azure(options: DeploymentOptions): ScriptValues {
  const dual = hasFamily(options, "ipv6");
  const [publisher = "", offer = "", sku = ""] = machineOf(options).ubuntu.split(":");
  return {
    RULES: rulesByPriority(options),
    NETWORKS: hclList(["10.0.0.0/16", ...(dual ? [azureIpv6.network] : [])]),
    SUBNETS: hclList(["10.0.0.0/24", ...(dual ? [azureIpv6.subnet] : [])]),
    PUBLISHER: hclString(publisher),
    OFFER: hclString(offer),
    SKU: hclString(sku),
    // As Azure's command line makes it by itself, where the image and the size can.
    TRUSTED_LAUNCH: options.architecture !== "arm64",
    ROLE: backsUpByRole(options),
  };
}

function azureMachines(options: DeploymentOptions): ScriptValues {
  const dual = hasFamily(options, "ipv6");
  const network = networkOf(options);
  return {
    ...azure(options),
    ...machinesValues(options, rulesByPriority),
    NETWORKS: hclList([network, ...(dual ? [azureIpv6.network] : [])]),
    SUBNETS: hclList([network, ...(dual ? [azureIpv6.subnet] : [])]),
  };
}

/** Linode refuses two hyphens in a row, and names of firewalls with more than 32 characters. */
function linode(options: DeploymentOptions): ScriptValues {
  return {
    NAME: hclString(resourceName(options).replaceAll(/-{2,}/g, "-")),
    RULES: rulesInGroups(options),
    SHORT_NAME: shortName(options),
  };
}

/** Two virtual cores are one OCPU of Intel's or AMD's. */
function shapeOf({ architecture }: DeploymentOptions, cores: number) {
  return { ocpus: architecture === "arm64" ? cores : cores / 2, memory: cores * 2 };
}

function oracle(options: DeploymentOptions): ScriptValues {
  const { ocpus, memory } = shapeOf(options, coresOf(options));
  return { RULES: rulesBySource(options), OCPUS: String(ocpus), MEMORY: String(memory) };
}

function oracleMachines(options: DeploymentOptions): ScriptValues {
  return machinesValues(options, rulesBySource, ({ cores }) => {
    const { ocpus, memory } = shapeOf(options, cores);
    return `, ocpus = ${ocpus}, memory = ${memory}`;
  });
}
