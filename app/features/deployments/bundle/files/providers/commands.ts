import type { BundleFile } from "../../bundle-types.ts";
import { dnsRecordsOf } from "../../dns-records.ts";
import { diskOf, hasFamily, machineOf, regionOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { ProviderId } from "../../providers.ts";
import { compressUserData } from "../user-data-commands.ts";
import { awsCommands } from "./aws.ts";
import { azureCommands } from "./azure.ts";
import { digitalOceanCommands } from "./digital-ocean.ts";
import { googleCommands } from "./google.ts";
import { hetznerCommands } from "./hetzner.ts";
import { linodeCommands } from "./linode.ts";
import { oracleCommands } from "./oracle.ts";
import { ovhCommands } from "./ovh.ts";
import { resourceName } from "./rules.ts";
import { vultrCommands } from "./vultr.ts";

type Commands = { tool: string; write: (options: DeploymentOptions) => string };

const commands: Record<ProviderId, Commands | null> = {
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
export function providerCommands(options: DeploymentOptions): BundleFile[] {
  const { provider } = options;
  const found = commands[provider];
  if (found === null) return [];
  const { tool, write } = found;
  const { label, diskInSize } = providers[provider];
  const records = dnsRecordsOf(options).map(
    ({ name, type }) => `echo "  ${name}  ${type}  ${type === "A" ? "$address" : "$address6"}"\n`,
  );
  return [
    {
      path: "create-vm.sh",
      content: `#!/bin/sh
# Creates firewall, address and machine for ${options.domain} on ${label}, with ${tool}, which must be logged in.
# What exists already is kept, so it can be run again after a failure.
set -eu
NAME=${resourceName(options)}
REGION=${regionOf(options)}
SIZE=${machineOf(options).name}
${diskInSize ? "" : `DISK_GB=${diskOf(options)}\n`}USER_DATA="$(dirname "$0")/cloud-init.yaml"

need() { [ -n "$2" ] || { echo "Set $1 first: $3" >&2; exit 64; }; }
command -v ${tool} >/dev/null || { echo "${tool} is not installed." >&2; exit 69; }
[ -r "$USER_DATA" ] || { echo "$USER_DATA cannot be read." >&2; exit 66; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${compressUserData(provider)}${write(options)}
echo "The machine runs at ${hasFamily(options, "ipv4") ? "$address" : "$address6"}. Set these DNS records now:"
${records.join("")}echo "Then log in, wait with 'cloud-init status --wait', and run 'sudo livekit-deploy doctor'."
`,
      language: "shell",
      purpose: `Firewall, address and machine at ${label}, by its command line.`,
    },
  ];
}
