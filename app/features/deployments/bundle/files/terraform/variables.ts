import { machineCommands } from "../../machine-commands.ts";
import {
  backsUpByRole,
  hasFamily,
  regionOf,
  severalOf,
  usesInstanceRole,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { ProviderId } from "../../providers.ts";
import { hclString } from "../../quoting.ts";
import { resourceName } from "../providers/rules.ts";
import type { ScriptValues } from "../script-parts.ts";
import { makesRedis } from "./machines.ts";

/** Where a provider has the customer's SSH key by a name or id; elsewhere a file with it is read, or none is given. */
const keys: Partial<Record<ProviderId, string>> = {
  aws: "The name of your EC2 key pair in this region.",
  "digital-ocean": "The id or fingerprint of your SSH key, from 'doctl compute ssh-key list'.",
  hetzner: "The name or id of your SSH key, from 'hcloud ssh-key list'.",
  ovh: "The name of your SSH key, from 'openstack keypair list'.",
  vultr: "The id of your SSH key, from 'vultr-cli ssh-key list'.",
};

const keyFiles: readonly ProviderId[] = ["azure", "linode", "oracle"];

/** Whether the provider of the machine also has zones of DNS, by the same program of Terraform. */
export const hasZones = (provider: ProviderId): boolean => provider !== "ovh";

/**
 * The variables without a default, with what terraform.tfvars says of each. A default is for what a later `terraform apply` may
 * leave out: DNS records would be deleted and a Redis made by it.
 */
export function requiredVariables(options: DeploymentOptions): [name: string, value: string][] {
  const values = variablesOf(options);
  const rows: [isAsked: unknown, name: string, value: string][] = [
    [values.KEY, "ssh_key", '"MY_VALUE"'],
    [values.COMPARTMENT, "compartment_id", '"MY_VALUE"'],
    [values.INSTANCE_PROFILE, "instance_profile", '"MY_VALUE"'],
    [values.SERVICE_ACCOUNT, "service_account", '"MY_VALUE"'],
    [values.DNS, "dns_zone", '"MY_ZONE"'],
    [makesRedis(options), "redis", "true"],
  ];
  return rows.flatMap(([isAsked, name, value]) => (isAsked ? [[name, value]] : []));
}

/** The values of variables.tf, and of the output that says how to log in. */
export function variablesOf(options: DeploymentOptions): ScriptValues {
  const { provider } = options;
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const isGoogle = provider === "google-cloud";
  const zone = isGoogle ? "The name of your zone at Cloud DNS" : "Your DNS zone there";
  const example = isGoogle ? "example-com" : "example.com";
  const address = hasFamily(options, "ipv4") ? "address" : "address6";
  const login = isGoogle
    ? `gcloud compute ssh ${resourceName(options)} --zone=\${var.zone}`
    : machineCommands(options).login(`\${local.${address}}`, `\${var.ssh_key}`);
  return {
    KEY: keys[provider] !== undefined,
    KEY_WORDS: hclString(keys[provider] ?? ""),
    // gcloud brings the key of who logs in by it, to one machine.
    KEY_FILE: keyFiles.includes(provider) || (isGoogle && severalOf(options) !== undefined),
    COMPARTMENT: provider === "oracle",
    ZONE: isGoogle,
    ZONE_DEFAULT: hclString(`${regionOf(options)}-b`),
    INSTANCE_PROFILE: provider === "aws" && role,
    SERVICE_ACCOUNT: isGoogle && role,
    DNS: hasZones(provider),
    DNS_WORDS: hclString(
      `${zone}, such as ${example}. "none": you set the records of dns_records yourself.`,
    ),
    LOGIN: `"${login}"`,
    // Where the key is not one that ssh tries by itself.
    SSH_OPTIONS: provider === "aws" ? `SSH_OPTIONS='-i ~/.ssh/\${var.ssh_key}.pem' ` : "",
  };
}
