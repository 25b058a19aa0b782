import type { BundleFile } from "../../bundle-types.ts";
import { dnsRecordsOf } from "../../dns-records.ts";
import { machineCommands } from "../../machine-commands.ts";
import { diskOf, hasFamily, machineOf, regionOf } from "../../options/derived-options.ts";
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
import { azureCommands } from "./azure.ts";
import { digitalOceanCommands } from "./digital-ocean.ts";
import { googleCommands } from "./google.ts";
import { hetznerCommands } from "./hetzner.ts";
import { linodeCommands } from "./linode.ts";
import { oracleCommands } from "./oracle.ts";
import { ovhCommands } from "./ovh.ts";
import { type Commands, resourceName } from "./rules.ts";
import { vultrCommands } from "./vultr.ts";

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

/** create-vm.sh, for the customer's computer. It creates firewall, static address and machine, then prints the DNS records. */
export function providerCommands(
  options: DeploymentOptions,
  texts: ScriptTexts,
  installed: readonly BundleFile[],
): BundleFile[] {
  const { provider } = options;
  const found = commands[provider];
  if (found === null) return [];
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
