import type { BundleFile } from "../bundle-types.ts";
import { dnsRecordsOf } from "../dns-records.ts";
import type { DeploymentOptions } from "../options.ts";
import { type ProviderId, providers } from "../providers.ts";
import { awsCommands } from "./provider-aws.ts";
import { azureCommands } from "./provider-azure.ts";
import { digitalOceanCommands } from "./provider-digital-ocean.ts";
import { googleCommands } from "./provider-google.ts";
import { resourceName } from "./provider-rules.ts";

const commands = {
  aws: { tool: "aws", write: awsCommands },
  azure: { tool: "az", write: azureCommands },
  "digital-ocean": { tool: "doctl", write: digitalOceanCommands },
  "google-cloud": { tool: "gcloud", write: googleCommands },
} as const satisfies Record<
  ProviderId,
  { tool: string; write: (options: DeploymentOptions) => string }
>;

/** A shell file for the customer's own computer: firewall, static address and machine, then the DNS records. */
export function providerCommands(options: DeploymentOptions): BundleFile[] {
  const { tool, write } = commands[options.provider];
  const { label, regions, sizes } = providers[options.provider];
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
REGION=${regions[options.region]}
SIZE=${sizes[options.size].name}
${options.provider === "digital-ocean" ? "" : "DISK_GB=40\n"}USER_DATA="$(dirname "$0")/cloud-init.yaml"

need() { [ -n "$2" ] || { echo "Set $1 first: $3" >&2; exit 64; }; }
command -v ${tool} >/dev/null || { echo "${tool} is not installed." >&2; exit 69; }
[ -r "$USER_DATA" ] || { echo "$USER_DATA cannot be read." >&2; exit 66; }
${write(options)}
echo "The machine runs at $address. Set these DNS records now:"
${records.join("")}echo "Then log in, wait with 'cloud-init status --wait', and run 'sudo livekit-deploy doctor'."
`,
      language: "shell",
      purpose: `Firewall, address and machine at ${label}, by its command line.`,
    },
  ];
}
