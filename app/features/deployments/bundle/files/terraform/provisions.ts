import { contentHash } from "../../content-hash.ts";
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
import { hasAddressInEachZone, machinesValues } from "./machines.ts";
import {
  rulesByPort,
  rulesByPriority,
  rulesBySource,
  rulesBySources,
  rulesInGroups,
} from "./rules.ts";

/** The part of main.tf for one provider, and the values that it alone has. */
type Part = { source: ScriptName; values: (options: DeploymentOptions) => ScriptValues };

/** `machines` is there where a deployment of several machines can be made too. */
type Provision = Part & { machines?: Part };

const usesRole = (options: DeploymentOptions): boolean =>
  usesInstanceRole(options) || backsUpByRole(options);

export const provisions: Readonly<Record<ProviderId, Provision | null>> = {
  hetzner: {
    source: "terraform/hetzner.tf",
    values: (options) => ({ RULES: rulesByPort(options) }),
    machines: {
      source: "terraform/hetzner-machines.tf",
      values: (options) => machinesValues(options, rulesByPort),
    },
  },
  "digital-ocean": {
    source: "terraform/digital-ocean.tf",
    values: (options) => ({ RULES: rulesByPort(options) }),
    machines: {
      source: "terraform/digital-ocean-machines.tf",
      values: (options) => ({
        ...machinesValues(options, rulesByPort),
        STACK: hasFamily(options, "ipv6") ? "DUALSTACK" : "IPV4",
      }),
    },
  },
  vultr: {
    source: "terraform/vultr.tf",
    values: (options) => ({
      RULES: rulesBySource(options, "ports"),
      IMAGE: machineOf(options).ubuntu,
    }),
  },
  ovh: { source: "terraform/ovh.tf", values: (options) => ({ RULES: rulesBySource(options) }) },
  aws: {
    source: "terraform/aws.tf",
    values: aws,
    machines: { source: "terraform/aws-machines.tf", values: awsMachines },
  },
  "google-cloud": { source: "terraform/google-cloud.tf", values: google },
  azure: { source: "terraform/azure.tf", values: azure },
  linode: { source: "terraform/linode.tf", values: linode },
  oracle: { source: "terraform/oracle.tf", values: oracle },
  other: null,
};

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
    ...machinesValues(
      options,
      (each, role) => rulesBySource(each, "numbers", role),
      (at) => `, zone = ${at % zones}`,
    ),
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

function azure(options: DeploymentOptions): ScriptValues {
  const dual = hasFamily(options, "ipv6");
  const [publisher = "", offer = "", sku = ""] = machineOf(options).ubuntu.split(":");
  return {
    RULES: rulesByPriority(options),
    NETWORKS: hclList(["10.0.0.0/16", ...(dual ? ["fd00:4c4b::/48"] : [])]),
    SUBNETS: hclList(["10.0.0.0/24", ...(dual ? ["fd00:4c4b::/64"] : [])]),
    PUBLISHER: hclString(publisher),
    OFFER: hclString(offer),
    SKU: hclString(sku),
    // As Azure's command line makes it by itself, where the image and the size can.
    TRUSTED_LAUNCH: options.architecture !== "arm64",
    ROLE: backsUpByRole(options),
  };
}

/** Linode refuses two hyphens in a row, and names of firewalls with more than 32 characters. */
function linode(options: DeploymentOptions): ScriptValues {
  return {
    NAME: hclString(resourceName(options).replaceAll(/-{2,}/g, "-")),
    RULES: rulesInGroups(options),
    FIREWALL_NAME: hclString(`livekit-${contentHash(options.domain)}`),
  };
}

/** Two virtual cores are one OCPU of Intel's or AMD's. */
function oracle(options: DeploymentOptions): ScriptValues {
  const cores = coresOf(options);
  return {
    RULES: rulesBySource(options),
    OCPUS: String(options.architecture === "arm64" ? cores : cores / 2),
    MEMORY: String(cores * 2),
  };
}
