import type { BundleFile } from "../../bundle-types.ts";
import { dnsRecordsOf } from "../../dns-records.ts";
import { machineCommands } from "../../machine-commands.ts";
import {
  backsUpByRole,
  diskOf,
  hasFamily,
  machineOf,
  regionOf,
  severalOf,
  usesInstanceRole,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { ProviderId } from "../../providers.ts";
import { shellWord } from "../../quoting.ts";
import type { ScriptTexts } from "../../script-texts.ts";
import { packagesOf } from "../cloud-init.ts";
import { installCommands } from "../install-commands.ts";
import { assembled } from "../script-parts.ts";
import { compressUserData, isCopiedBySsh } from "../user-data-commands.ts";
import { awsCommands } from "./aws.ts";
import { linodeCommands } from "./linode.ts";
import { oracleCommands } from "./oracle.ts";
import { type Commands, providerRulesOf, rangeOf, resourceName } from "./rules.ts";

/** Vultr refers to everything by an id, which is looked up by name in its lists. A rule is found by its note. */
function vultrCommands(options: DeploymentOptions): Commands {
  const dual = hasFamily(options, "ipv6");
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => {
      const [network = "", bits = ""] = source.split("/");
      const ports = first === last ? String(first) : `${first}:${last}`;
      return `allow ${protocol} ${ports} ${source.includes(":") ? "v6" : "v4"} ${network} ${bits}\n`;
    }),
  );
  return {
    source: "create-vm/vultr.sh",
    values: {
      RULES: rules.join(""),
      IMAGE: machineOf(options).ubuntu,
      IPV6_FLAGS: dual ? " --ipv6" : "",
    },
  };
}

/** OVHcloud runs OpenStack. In its network Ext-Net the machine itself has the public address, until it is deleted. */
function ovhCommands(options: DeploymentOptions): Commands {
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => `allow ${protocol} ${first}:${last} ${source}\n`),
  );
  return {
    source: "create-vm/ovh.sh",
    values: { RULES: rules.join(""), IMAGE: machineOf(options).ubuntu },
  };
}

/** Hetzner's firewall accepts 50 rules, so both address families of a port share one rule. */
function hetznerRules(options: DeploymentOptions): string {
  const byPort = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const port = `"protocol":"${rule.protocol}","port":"${rangeOf(rule)}"`;
    byPort.set(port, [...(byPort.get(port) ?? []), ...rule.sources]);
  }
  return [...byPort]
    .map(([port, sources]) => {
      const list = [...new Set(sources)].map((source) => `"${source}"`).join(",");
      return `{"direction":"in",${port},"source_ips":[${list}]}`;
    })
    .join(",\n");
}

/** The addresses stay when the machine is deleted. The firewall protects the machine from its creation on. */
function hetznerCommands(options: DeploymentOptions): Commands {
  return {
    source: "create-vm/hetzner.sh",
    values: {
      RULES: hetznerRules(options),
      IMAGE: machineOf(options).ubuntu,
      ADDRESS_FLAGS: `${hasFamily(options, "ipv4") ? '--primary-ipv4 "$NAME"' : "--without-ipv4"} ${hasFamily(options, "ipv6") ? '--primary-ipv6 "$NAME-6"' : "--without-ipv6"}`,
    },
  };
}

/** The deployment has its own network: the default one lets everybody in by SSH and RDP, and has no IPv6. */
function googleCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const arm = options.architecture === "arm64";
  const bySources = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const sources = rule.sources.join(",");
    bySources.set(sources, [
      ...(bySources.get(sources) ?? []),
      `${rule.protocol}:${rangeOf(rule)}`,
    ]);
  }
  const rules = [...bySources].map(
    ([sources, allowed], index) => `allow ${index + 1} ${allowed.join(",")} ${sources}\n`,
  );
  return {
    source: "create-vm/google-cloud.sh",
    values: {
      ROLE: role,
      SUBNET_IPV6: dual ? " \\\n    --stack-type=IPV4_IPV6 --ipv6-access-type=EXTERNAL" : "",
      RULES: rules.join(""),
      IMAGE: machineOf(options).ubuntu,
      DISK_TYPE: arm ? "hyperdisk-balanced" : "pd-balanced --shielded-secure-boot",
      IPV6_FLAGS: dual ? " --stack-type=IPV4_IPV6" : "",
      ROLE_FLAGS: role
        ? '--service-account="$SERVICE_ACCOUNT" --scopes=cloud-platform'
        : "--no-service-account --no-scopes",
    },
  };
}

/** The firewall is bound to a tag, so it protects the droplet from its creation on. */
function digitalOceanCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options)
    .map(
      (rule) =>
        `protocol:${rule.protocol},ports:${rangeOf(rule)},${rule.sources.map((source) => `address:${source}`).join(",")}`,
    )
    .join(" \\\n");
  return {
    source: "create-vm/digital-ocean.sh",
    values: {
      RULES: rules,
      IMAGE: machineOf(options).ubuntu,
      IPV6_FLAGS: dual ? " --enable-ipv6" : "",
    },
  };
}

/** `create` updates each of these resources when it exists, except the machine, which is therefore looked for first. */
function azureCommands(options: DeploymentOptions): Commands {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options).map(
    (rule, index) =>
      `allow ${1000 + index * 10} ${rule.protocol === "tcp" ? "Tcp" : "Udp"} ${rangeOf(rule)} ${rule.sources.join(" ")}\n`,
  );
  return {
    source: "create-vm/azure.sh",
    values: {
      RULES: rules.join(""),
      NETWORK_IPV6: dual ? " fd00:4c4b::/48" : "",
      SUBNET_IPV6: dual ? " fd00:4c4b::/64" : "",
      IMAGE: machineOf(options).ubuntu,
      ROLE_FLAGS: backsUpByRole(options) ? " --assign-identity" : "",
    },
  };
}

type Provision = { tool: string; write: (options: DeploymentOptions) => Commands };

const commands: Record<ProviderId, Provision | null> = {
  aws: { tool: "aws", write: awsCommands },
  azure: { tool: "az", write: azureCommands },
  "digital-ocean": { tool: "doctl", write: digitalOceanCommands },
  "google-cloud": { tool: "gcloud", write: googleCommands },
  hetzner: { tool: "hcloud", write: hetznerCommands },
  ovh: { tool: "openstack", write: ovhCommands },
  vultr: { tool: "vultr-cli", write: vultrCommands },
  linode: { tool: "linode-cli", write: linodeCommands },
  oracle: { tool: "oci", write: oracleCommands },
  other: null,
};

/**
 * create-vm.sh, for the customer's computer. It creates firewall, static address and machine, then prints the DNS records.
 * The machines of a cluster need a network of their own, which it does not make.
 */
export function providerCommands(
  options: DeploymentOptions,
  texts: ScriptTexts,
  installed: readonly BundleFile[],
): BundleFile[] {
  const { provider } = options;
  const found = commands[provider];
  if (found === null || severalOf(options)) return [];
  const { tool, write } = found;
  const { label, diskInSize } = providers[provider];
  const records = dnsRecordsOf(options).map(
    ({ name, type }) => `echo "  ${name}  ${type}  ${type === "A" ? "$address" : "$address6"}"`,
  );
  const { source, values } = write(options);
  const address = hasFamily(options, "ipv4") ? "$address" : "$address6";
  const packing = compressUserData(provider).trimEnd();
  return [
    {
      path: "create-vm.sh",
      content: assembled(
        texts["create-vm.sh"],
        {
          "create-vm/$PROVIDER.sh": texts[source],
          "create-vm/copy-files.sh": texts["create-vm/copy-files.sh"],
        },
        {
          DOMAIN: options.domain,
          PROVIDER: label,
          TOOL: tool,
          NAME: resourceName(options),
          REGION: regionOf(options),
          SIZE: machineOf(options).name,
          DISK: !diskInSize,
          DISK_GB: String(diskOf(options)),
          PACKED: packing !== "",
          PACK_USER_DATA: packing,
          BY_SSH: isCopiedBySsh(provider),
          INSTALL: installCommands(installed).trimEnd(),
          PACKAGES: packagesOf(options).map(shellWord).join(" "),
          FILES: installed.flatMap((file) => (file.installed ? [file.path] : [])).join(" "),
          IPV4: hasFamily(options, "ipv4"),
          IPV6: hasFamily(options, "ipv6"),
          ADDRESS: address,
          USER: machineCommands(options).user,
          LOGIN: machineCommands(options).login(address, "$KEY_NAME"),
          RECORDS: records.join("\n"),
          ...values,
        },
      ),
      language: "shell",
      purpose: `Firewall, address and machine at ${label}, by its command line.`,
    },
  ];
}
